// Writes the values that an operator completes, once: `node deploy/helm/make-production-files.mjs [DIR]`. The
// platform's own keys are generated. Everything in <angle brackets> must be replaced; Helm refuses a placeholder that is
// left.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newSecrets } from '../docker/make-secrets.mjs';

const CHOICES = `# The platform's image by its digest.
image: <registry/event-commerce@sha256:digest>
# The ISO 4217 currency of prices that do not name one.
defaultCurrency: <currency>
# The addresses or networks of the ingress or gateway controller, separated by commas. Only their X-Forwarded-For is trusted. Without
# this setting all clients share one address, and a client that guesses keys locks out all others.
trustedProxies: <networks of the ingress>
# The namespace of the controller: nobody else may call the gateway.
callers: { namespaces: [<namespace of the ingress>] }
# The networks that the stores are in, such as 10.4.0.0/24.
stores:
  mongo: { networks: [<network of MongoDB>] }
  nats: { networks: [<network of NATS>] }
  redis: { networks: [<network of Redis>] }
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
  const secrets = {
    gateway,
    pricing: {
      ...service,
      SERVICE_PRIVATE_KEY: keys.PRICING_PRIVATE_KEY,
      CUSTOMER_KEY: keys.CUSTOMER_KEY,
      ...publicKeys,
    },
    commerce: { ...service, ...publicKeys },
    cart: { ...service, SERVICE_PRIVATE_KEY: keys.CART_PRIVATE_KEY, ...publicKeys },
    events: {
      ...service,
      SERVICE_PRIVATE_KEY: keys.EVENTS_PRIVATE_KEY,
      CUSTOMER_KEY: keys.CUSTOMER_KEY,
      ...publicKeys,
    },
    activity: { ...service, SERVICE_PRIVATE_KEY: keys.ACTIVITY_PRIVATE_KEY, WEBHOOK_KEY: keys.WEBHOOK_KEY },
  };
  const lines = Object.entries(secrets).flatMap(([name, settings]) => [
    `  ${name}:`,
    ...Object.entries(settings).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
  ]);
  return { 'production.yaml': CHOICES, 'secrets.yaml': `secrets:\n${lines.join('\n')}\n` };
}

const dir = process.argv[2] ?? fileURLToPath(new URL('.', import.meta.url));
mkdirSync(dir, { recursive: true });
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
