import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The settings `WEBHOOK_KEY` and `CUSTOMER_KEY`, on which stored data depends. */
export interface DataKeys {
  webhookKey: string;
  customerKey: string;
}

/** Values that must stay the same across starts: created once, readable only by the owner. */
export interface KeptSecrets extends DataKeys {
  rootApiKey: string;
  identity: { privateKey: string; publicKey: string };
  /** The demo company's key, once it exists. */
  demoApiKey?: string;
}

/** Reads the secrets in `file`; creates and stores those that it lacks. */
export function keepSecrets(file: string): KeptSecrets {
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<KeptSecrets>) : {};
  const secrets = {
    rootApiKey: `root_${randomBytes(32).toString('base64url')}`,
    identity: newKeyPair(),
    ...newDataKeys(),
    ...kept,
  };
  saveSecrets(file, secrets);
  return secrets;
}

export function newDataKeys(): DataKeys {
  const [webhookKey, customerKey] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  return { webhookKey, customerKey };
}

/** An Ed25519 key pair, encoded as the settings expect. */
export function newKeyPair(): { privateKey: string; publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  return {
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

export function saveSecrets(file: string, secrets: KeptSecrets): void {
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
}
