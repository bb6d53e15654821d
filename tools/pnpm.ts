import { readFileSync } from 'node:fs';
import path from 'node:path';

export const REPOSITORY = path.resolve(import.meta.dirname, '..');

/** The version of pnpm that installs the dependencies, for npx. */
export function pnpm(): string {
  const bootstrap = readFileSync(path.join(REPOSITORY, 'deploy/local/bootstrap.mjs'), 'utf8');
  const found = /'(pnpm@[\d.]+)'/.exec(bootstrap)?.[1];
  if (found === undefined) throw new Error('deploy/local/bootstrap.mjs names no version of pnpm.');
  return found;
}
