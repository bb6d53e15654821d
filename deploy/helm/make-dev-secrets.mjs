// Prints new Secrets for values-dev.yaml: `node deploy/helm/make-dev-secrets.mjs | kubectl create -f -`. `create` and
// not `apply`, so that a second run fails: existing data needs the first passwords.
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { newSecrets } from '../docker/make-secrets.mjs';

const namespace = 'event-commerce-dev';

/** The Secrets by name: each process gets only what it needs. */
export function devSecrets() {
  const secrets = newSecrets();
  const stores = (name) => ({
    MONGO_URL: `mongodb://${name}:${secrets[`MONGO_${name.toUpperCase()}_PASSWORD`]}@mongo-0.mongo:27017/?replicaSet=rs0&authSource=admin`,
    NATS_URL: `nats://${name}:${secrets[`NATS_${name.toUpperCase()}_PASSWORD`]}@nats:4222`,
  });
  const service = (name) => ({ ...stores(name), IDENTITY_PUBLIC_KEYS: secrets.IDENTITY_PUBLIC_KEYS });
  const publicKeys = { SERVICE_PUBLIC_KEYS: secrets.SERVICE_PUBLIC_KEYS };
  const passwordsOf = (store) =>
    Object.fromEntries(
      Object.entries(secrets).filter(([name]) => name.startsWith(`${store}_`) && name.endsWith('_PASSWORD')),
    );
  const { MONGO_ROOT_PASSWORD, ...mongo } = passwordsOf('MONGO');
  return {
    'gateway-secrets': {
      ...stores('gateway'),
      REDIS_URL: `redis://:${secrets.REDIS_PASSWORD}@redis:6379`,
      ROOT_API_KEY: secrets.ROOT_API_KEY,
      IDENTITY_PRIVATE_KEY: secrets.IDENTITY_PRIVATE_KEY,
    },
    'pricing-secrets': {
      ...service('pricing'),
      SERVICE_PRIVATE_KEY: secrets.PRICING_PRIVATE_KEY,
      CUSTOMER_KEY: secrets.CUSTOMER_KEY,
      ...publicKeys,
    },
    'commerce-secrets': { ...service('commerce'), ...publicKeys },
    'cart-secrets': { ...service('cart'), SERVICE_PRIVATE_KEY: secrets.CART_PRIVATE_KEY, ...publicKeys },
    'events-secrets': {
      ...service('events'),
      SERVICE_PRIVATE_KEY: secrets.EVENTS_PRIVATE_KEY,
      CUSTOMER_KEY: secrets.CUSTOMER_KEY,
      ...publicKeys,
    },
    'activity-secrets': {
      ...service('activity'),
      SERVICE_PRIVATE_KEY: secrets.ACTIVITY_PRIVATE_KEY,
      WEBHOOK_KEY: secrets.WEBHOOK_KEY,
    },
    'mongo-secrets': {
      MONGO_INITDB_ROOT_PASSWORD: MONGO_ROOT_PASSWORD,
      MONGO_REPLICA_KEY: secrets.MONGO_REPLICA_KEY,
      ...mongo,
    },
    'nats-secrets': passwordsOf('NATS'),
    'redis-secrets': { REDIS_PASSWORD: secrets.REDIS_PASSWORD },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const items = Object.entries(devSecrets()).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    stringData,
  }));
  process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`);
}
