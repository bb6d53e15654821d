// Makes the secrets of one deployment, once: `node deploy/docker/make-secrets.mjs [FILE]` writes .env for docker-compose.yml.
// Plain JavaScript without dependencies, so that any Node 18 or newer runs it on a machine that has nothing else.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** New secrets by the name of the setting that takes them. All are safe in a URL and in a configuration file. */
export function newSecrets() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    ROOT_API_KEY: `root_${random()}`,
    IDENTITY_PRIVATE_KEY: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    IDENTITY_PUBLIC_KEYS: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    MONGO_ROOT_PASSWORD: random(),
    MONGO_PASSWORD: random(),
    MONGO_REPLICA_KEY: random(),
    // NATS reads the value as configuration: one that began with a digit could be taken for a number.
    NATS_PASSWORD: `nats_${random()}`,
    REDIS_PASSWORD: random(),
    GRAFANA_ADMIN_PASSWORD: random(),
  };
}

function random() {
  return randomBytes(32).toString('hex');
}

function writeEnvFile(file) {
  const lines = Object.entries(newSecrets()).map(([name, value]) => `${name}=${value}\n`);
  try {
    writeFileSync(file, lines.join(''), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
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
