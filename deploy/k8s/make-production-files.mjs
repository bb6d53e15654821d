// Writes the files that an operator of the overlay `production` completes, once: `node
// deploy/k8s/make-production-files.mjs [DIR]`. The platform's own keys are generated. Everything in <angle brackets>
// must be replaced; a placeholder that is left is rejected.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newSecrets } from '../docker/make-secrets.mjs';

const SETTINGS = `# The platform's image by its digest.
IMAGE=<registry/event-commerce@sha256:digest>
# The namespace of the ingress or gateway controller: nobody else may call the gateway.
INGRESS_NAMESPACE=<namespace of the ingress>
# Its addresses or networks, separated by commas. Only their X-Forwarded-For is trusted. Without this setting all clients share
# one address, and a client that guesses keys locks out all others.
TRUSTED_PROXIES=<networks of the ingress>
# The ISO 4217 currency of prices that do not name one.
DEFAULT_CURRENCY=<currency>
# The networks that the stores are in, such as 10.4.0.0/24.
MONGO_NETWORK=<network of MongoDB>
NATS_NETWORK=<network of NATS>
REDIS_NETWORK=<network of Redis>
`;

const STORES = {
  // One user for each process: in MongoDB with readWrite on its own database, in NATS with what nats-permissions.conf
  // lists for it.
  MONGO_URL: '<mongodb://USER:PASSWORD@HOST:27017,HOST:27017,HOST:27017/?replicaSet=NAME&authSource=admin&tls=true>',
  NATS_URL: '<tls://USER:PASSWORD@HOST:4222,tls://USER:PASSWORD@HOST:4222,tls://USER:PASSWORD@HOST:4222>',
};

/** The files by name, with their content. */
function newFiles() {
  const { ROOT_API_KEY, IDENTITY_PRIVATE_KEY, IDENTITY_PUBLIC_KEYS, ...keys } = newSecrets();
  const redis = { REDIS_URL: '<rediss://USER:PASSWORD@HOST:6379>' };
  const gateway = { ROOT_API_KEY, IDENTITY_PRIVATE_KEY, ...STORES, ...redis };
  const service = { IDENTITY_PUBLIC_KEYS, ...STORES };
  const publicKeys = { SERVICE_PUBLIC_KEYS: keys.SERVICE_PUBLIC_KEYS };
  const files = { 'settings.env': SETTINGS };
  for (const [name, secrets] of Object.entries({
    gateway,
    pricing: { ...service, SERVICE_PRIVATE_KEY: keys.PRICING_PRIVATE_KEY, ...publicKeys },
    commerce: { ...service, ...publicKeys },
    cart: { ...service, SERVICE_PRIVATE_KEY: keys.CART_PRIVATE_KEY, ...publicKeys },
    events: {
      ...service,
      SERVICE_PRIVATE_KEY: keys.EVENTS_PRIVATE_KEY,
      CUSTOMER_KEY: keys.CUSTOMER_KEY,
      ...publicKeys,
    },
    activity: { ...service, SERVICE_PRIVATE_KEY: keys.ACTIVITY_PRIVATE_KEY, WEBHOOK_KEY: keys.WEBHOOK_KEY },
  })) {
    files[`secrets/${name}.env`] = Object.entries(secrets)
      .map(([key, value]) => `${key}=${value}\n`)
      .join('');
  }
  return files;
}

const dir = process.argv[2] ?? fileURLToPath(new URL('overlays/production', import.meta.url));
mkdirSync(path.join(dir, 'secrets'), { recursive: true, mode: 0o700 });
for (const [name, content] of Object.entries(newFiles())) {
  try {
    writeFileSync(path.join(dir, name), content, { mode: 0o600, flag: 'wx' });
    process.stdout.write(`Wrote ${path.join(dir, name)}\n`);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    process.stderr.write(`${path.join(dir, name)} exists; nothing more was written.\n`);
    process.exit(1);
  }
}
process.stdout.write('Replace what is in <angle brackets>. Keep the files: they hold the only copy of the keys.\n');
