import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What has to be the same at the next start: made once, kept where only the owner can read it. */
export interface KeptSecrets {
  rootApiKey: string;
  identity: { privateKey: string; publicKey: string };
  /** The demo company's key, once it was made. */
  demoApiKey?: string;
}

/** The secrets kept in `file`; makes and keeps them when there are none. */
export function keepSecrets(file: string): KeptSecrets {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets;
  const secrets = { rootApiKey: `root_${randomBytes(32).toString('base64url')}`, identity: newKeyPair() };
  saveSecrets(file, secrets);
  return secrets;
}

/** An Ed25519 key pair in the encodings of the settings. */
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
