import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { processSettings, serviceSettings } from '@event-commerce/service-kit';
import { readCommandLine } from '@event-commerce/service-kit/command-line';
import { z } from 'zod';
import { settings as gateway } from '../gateway/src/config.ts';
import { settings as cart } from '../services/cart/src/config.ts';
import { settings as activity } from '../services/activity/src/config.ts';
import { settings as commerce } from '../services/commerce/src/config.ts';
import { settings as events } from '../services/events/src/config.ts';
import { settings as pricing } from '../services/pricing/src/config.ts';

const USAGE = `Usage: npm run settings

Writes docs/settings.md from the schemas of the processes' environment.
`;

export const SETTINGS_FILE = path.resolve(import.meta.dirname, '../docs/settings.md');

/** Settings that `npm start` fills in, in addition to the required ones. */
const CHOSEN = new Set(['METRICS_PORT', 'MONGO_INDEXES']);

const HEAD = `# Settings

Every setting is an environment variable; an empty one counts as absent. If a setting is missing or wrong, the process does not start and
names it. \`npm start\` fills in the settings marked \\*.

In place of a setting \`NAME\`, \`NAME_FILE\` may name a file that has its value, as Docker and secret stores mount secrets. A process reads it when it starts.

This page is generated from the schemas in the \`config.ts\` files: \`npm run settings\` writes it.
`;

/** The text of docs/settings.md. */
export function settingsDocument(): string {
  const shared = Object.keys(processSettings.shape);
  const ofServices = Object.keys(serviceSettings.shape);
  return [
    HEAD,
    section('Every process', processSettings, []),
    section('Every service', serviceSettings, shared),
    section('Gateway', gateway, shared),
    ...Object.entries({ Pricing: pricing, Commerce: commerce, Cart: cart, Events: events, Activity: activity }).map(
      ([name, schema]) => section(name, schema, ofServices),
    ),
  ].join('\n');
}

function section(title: string, schema: z.ZodObject, without: readonly string[]): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(properties)
    .filter(([name]) => !without.includes(name))
    .map(([name, about]) => {
      const { default: byDefault, description = '' } = about as z.core.JSONSchema.JSONSchema;
      const mark = required.includes(name) || CHOSEN.has(name) ? ' \\*' : '';
      return [`\`${name}\`${mark}`, shown(byDefault, required.includes(name)), description];
    });
  return `## ${title}\n\n${table([['Setting', 'Default', 'Meaning'], ...rows])}`;
}

function shown(byDefault: unknown, required: boolean): string {
  if (required) return 'required';
  if (byDefault === undefined || byDefault === '') return '';
  const text = typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault);
  return text.includes(' ') ? text : `\`${text}\``;
}

function table([head = [], ...rows]: readonly string[][]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('');
}

if (import.meta.main) {
  readCommandLine(USAGE, {});
  writeFileSync(SETTINGS_FILE, settingsDocument());
}
