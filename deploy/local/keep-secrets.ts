import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** What has to be the same at the next start: made once, kept where only the owner can read it. */
export interface KeptSecrets {
  rootApiKey: string;
  identity: { privateKey: string; publicKey: string };
  /** The demo company's key, once it was made. */
  demoApiKey?: string;
}

/** The secrets kept in `file`; makes and keeps them when there are none. */
export async function keepSecrets(file: string): Promise<KeptSecrets> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as KeptSecrets;
  // Needed once, and half a second to load.
  const { generateIdentityKeys } = await import('@event-commerce/service-kit');
  const secrets = { rootApiKey: `root_${randomBytes(32).toString('base64url')}`, identity: generateIdentityKeys() };
  saveSecrets(file, secrets);
  return secrets;
}

export function saveSecrets(file: string, secrets: KeptSecrets): void {
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
}
