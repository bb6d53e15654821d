import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig as gateway } from '../../gateway/src/config.ts';
import { loadConfig as cart } from '../../services/cart/src/config.ts';
import { loadConfig as commerce } from '../../services/commerce/src/config.ts';
import { loadConfig as events } from '../../services/events/src/config.ts';
import { loadConfig as pricing } from '../../services/pricing/src/config.ts';

const load = { gateway, pricing, commerce, cart, events };
const repository = path.resolve(import.meta.dirname, '../..');

export type ProcessName = keyof typeof load;
export const SERVICES = ['pricing', 'commerce', 'cart', 'events'] as const satisfies ProcessName[];
export const PROCESSES = ['gateway', ...SERVICES] as const satisfies ProcessName[];

/**
 * What the process `name` makes of the environment that a deployment gives it.
 * @throws ConfigError if it would not start with it
 */
export function settingsOf(name: ProcessName, env: Record<string, string>): object {
  const before = process.env;
  process.env = { ...env };
  try {
    return load[name]();
  } finally {
    process.env = before;
  }
}

/** The names in `env` that the process `name` never reads, such as misspelt ones. */
export function unknownTo(name: ProcessName, env: Record<string, string>): string[] {
  const folders = [name === 'gateway' ? 'gateway' : `services/${name}`, 'libs/service-kit'];
  const schemas = folders
    .map((folder) => readFileSync(path.join(repository, folder, 'src/config.ts'), 'utf8'))
    .join('\n');
  return Object.keys(env).filter((key) => !new RegExp(`^ +${key}: `, 'm').test(schemas));
}
