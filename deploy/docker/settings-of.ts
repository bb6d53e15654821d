import * as gateway from '../../gateway/src/config.ts';
import * as activity from '../../services/activity/src/config.ts';
import * as cart from '../../services/cart/src/config.ts';
import * as commerce from '../../services/commerce/src/config.ts';
import * as events from '../../services/events/src/config.ts';
import * as pricing from '../../services/pricing/src/config.ts';

const processes = { gateway, pricing, commerce, cart, events, activity };

type ProcessName = keyof typeof processes;
export const SERVICES = ['pricing', 'commerce', 'cart', 'events', 'activity'] as const satisfies ProcessName[];
export const PROCESSES = ['gateway', ...SERVICES] as const satisfies ProcessName[];

/**
 * Parses the environment that a deployment gives to the process `name`.
 * @throws ConfigError if the process would not start with it
 */
export function settingsOf(name: ProcessName, env: Record<string, string>): object {
  const before = process.env;
  process.env = { ...env };
  try {
    return processes[name].loadConfig();
  } finally {
    process.env = before;
  }
}

/** The names in `env` that the process `name` never reads, such as misspelt ones. */
export function unknownTo(name: ProcessName, env: Record<string, string>): string[] {
  return Object.keys(env).filter((key) => !Object.hasOwn(processes[name].settings.shape, key));
}
