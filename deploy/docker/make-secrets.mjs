// Creates the secrets of one deployment, once: `node deploy/docker/make-secrets.mjs [FILE]` writes .env for
// docker-compose.yml. Plain JavaScript without dependencies, so that it runs on Node 18 or newer with nothing else
// installed.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const PROCESSES = ['gateway', 'pricing', 'commerce', 'cart', 'events', 'activity'];
/** These belong together: replace all of them or none. */
const KEYS_OF_SERVICES = [
  'PRICING_PRIVATE_KEY',
  'CART_PRIVATE_KEY',
  'EVENTS_PRIVATE_KEY',
  'ACTIVITY_PRIVATE_KEY',
  'SERVICE_PUBLIC_KEYS',
];

/** New secrets, by the name of their setting. All are safe in a URL and in a configuration file. */
export function newSecrets() {
  const [gateway, pricing, cart, events, activity] = Array.from({ length: 5 }, newKeyPair);
  return {
    ROOT_API_KEY: `root_${random()}`,
    IDENTITY_PRIVATE_KEY: gateway.privateKey,
    IDENTITY_PUBLIC_KEYS: gateway.publicKey,
    // These services also send requests to others on their own, and sign them.
    PRICING_PRIVATE_KEY: pricing.privateKey,
    CART_PRIVATE_KEY: cart.privateKey,
    EVENTS_PRIVATE_KEY: events.privateKey,
    ACTIVITY_PRIVATE_KEY: activity.privateKey,
    SERVICE_PUBLIC_KEYS: `pricing=${pricing.publicKey},cart=${cart.publicKey},events=${events.publicKey},activity=${activity.publicKey}`,
    // Encrypts the secrets of webhooks, and who is being erased.
    WEBHOOK_KEY: random(),
    // Hashes the ids and addresses of customers whose tickets are counted.
    CUSTOMER_KEY: random(),
    MONGO_ROOT_PASSWORD: random(),
    MONGO_REPLICA_KEY: random(),
    ...passwords('MONGO', PROCESSES, random),
    // NATS reads the value as configuration, and could take a value with a leading digit for a number.
    ...passwords('NATS', ['operator', ...PROCESSES], () => `nats_${random()}`),
    REDIS_PASSWORD: random(),
    GRAFANA_ADMIN_PASSWORD: random(),
  };
}

function newKeyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

/** A password for each user of a store, by the name of its setting. */
function passwords(store, users, make) {
  return Object.fromEntries(users.map((user) => [`${store}_${user.toUpperCase()}_PASSWORD`, make()]));
}

function random() {
  return randomBytes(32).toString('hex');
}

function writeEnvFile(file) {
  const secrets = Object.entries(newSecrets());
  const linesOf = (some) => some.map(([name, value]) => `${name}=${value}\n`).join('');
  try {
    writeFileSync(file, linesOf(secrets), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    // A release may need more than the one before it.
    const text = readFileSync(file, 'utf8');
    const has = (name) => new RegExp(`^${name}=`, 'm').test(text);
    const groupOf = (name) => (KEYS_OF_SERVICES.includes(name) ? KEYS_OF_SERVICES : [name]);
    const missing = secrets.filter(([name]) => !groupOf(name).some(has));
    if (missing.length > 0) {
      appendFileSync(file, `${text.endsWith('\n') ? '' : '\n'}${linesOf(missing)}`);
      process.stdout.write(`Added to ${file}: ${missing.map(([name]) => name).join(', ')}.\n`);
      return;
    }
    process.stderr.write(
      `${file} exists and stays as it is: the data already written can only be read with the passwords in it.\n`,
    );
    process.exit(1);
  }
  process.stdout.write(`Wrote ${file}. Keep it: without it the data cannot be opened.\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  writeEnvFile(process.argv[2] ?? fileURLToPath(new URL('../../.env', import.meta.url)));
}
