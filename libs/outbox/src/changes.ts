import { isDeepStrictEqual } from 'node:util';
import type { RecordChange } from '@event-commerce/contracts';

const PATHS_MAX = 50;
const VALUE_LENGTH_MAX = 1024;
/** The most that the values of one event take: a document may hold hundreds of events that wait for the broker. */
const VALUES_LENGTH_MAX = 8 * 1024;

/** Members that are about people, or that callers fill freely: an event only says that they changed. */
const REDACTED = new Set([
  'customer',
  'customerEmail',
  'members',
  'notes',
  'history',
  'answers',
  'agreements',
  'meta',
  'forwarded',
  'context',
]);
/** Members that every write changes. */
const BOOKKEEPING = new Set(['version', 'changed', 'changedAt']);

/** What a write changed in a record, member by member; lists are compared as a whole. */
export function changesOf(before: object, after: object, redacted: readonly string[] = []): RecordChange[] {
  const found: RecordChange[] = [];
  let length = 0;
  const add = (path: string, sides: { before?: unknown; after?: unknown }) => {
    const kept = Object.entries(sides).filter(([, value]) => value !== undefined);
    const lengths = kept.map(([, value]) => JSON.stringify(value).length);
    const all = lengths.reduce((sum, one) => sum + one, 0);
    const isTooLarge = lengths.some((one) => one > VALUE_LENGTH_MAX) || length + all > VALUES_LENGTH_MAX;
    if (!isTooLarge) length += all;
    found.push(isTooLarge ? { path, truncated: true } : { path, ...Object.fromEntries(kept) });
  };
  const compare = (was: JsonObject, is: JsonObject, prefix: string): void => {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const [old, now] = [was[name], is[name]];
      if (found.length > PATHS_MAX || BOOKKEEPING.has(name) || isDeepStrictEqual(old, now)) continue;
      const path = `${prefix}${name}`;
      if (REDACTED.has(name) || redacted.includes(path)) found.push({ path, redacted: true });
      else if (isObject(old) && isObject(now)) compare(old, now, `${path}.`);
      else add(path, { before: old, after: now });
    }
  };
  compare(asJson(before), asJson(after), '');
  return found.length <= PATHS_MAX ? found : [...found.slice(0, PATHS_MAX - 1), { path: '*', truncated: true }];
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As the API shows it: dates as text, and no undefined members. */
function asJson(record: object): JsonObject {
  return JSON.parse(JSON.stringify(record)) as JsonObject;
}
