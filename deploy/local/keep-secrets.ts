import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Values that must stay the same across starts: created once, readable only by the owner. */
export interface KeptSecrets {
  rootApiKey: string;
  identity: { privateKey: string; publicKey: string };
  webhookKey: string;
  /** The demo company's key, once it exists. */
  demoApiKey?: string;
}

/** Reads the secrets in `file`; creates and stores them if there are none. */
export function keepSecrets(file: string): KeptSecrets {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets;
  const secrets = {
    rootApiKey: `root_${randomBytes(32).toString('base64url')}`,
    identity: newKeyPair(),
    webhookKey: newWebhookKey(),
  };
  saveSecrets(file, secrets);
  return secrets;
}

/** A key that encrypts the secrets of webhooks, as the setting `WEBHOOK_KEY` expects it. */
export function newWebhookKey(): string {
  return randomBytes(32).toString('hex');
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
