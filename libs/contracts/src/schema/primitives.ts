import { isCurrencyCode, isExactPercent } from '@event-commerce/money';
import { z } from 'zod';
import { invalidInput } from '../errors/errors.ts';
import { issueText } from './issue-text.ts';
import { memberNotes } from './member-notes.ts';

// Every schema is built from these, so that errors have our own wording.
z.config({ customError: issueText });

export const OPAQUE_LENGTH_MAX = 256;

/** Written out, because many readers of JSON Schema do not support \\p{Cc}. */
// oxlint-disable-next-line no-control-regex
const PLAIN = /^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]*$/u;

export function plain(text: z.ZodString): z.ZodString {
  return text.regex(PLAIN, 'must not have control characters or broken Unicode');
}

/**
 * A string that others chose and that the platform only compares: an id, a tag, a segment. Pasted ones may have blanks.
 */
export const externalId = plain(z.string().trim().min(1).max(OPAQUE_LENGTH_MAX));

/** An id that a caller chooses for a record of the platform: it is a segment of the record's path. */
export const recordId = externalId.regex(
  /^(?!\.\.)(?!\.$)(?!.*\.\.$)[^/\\%]*$/,
  'must not contain /, \\ or %, be ".", or begin or end with "..": it is part of a URL path',
);

/** The version of a record in a response. */
export const recordVersion = z.int().describe('Counts changes; the ETag begins with it.');

/** An id in a path. A malformed one finds nothing, like any unknown id. */
export const pathId = z.string().trim();

export const name = plain(z.string().trim().min(1).max(256)).refine(isVisible, 'must have a visible character');
/** Whether `text` is visible: not only blanks and characters without width. */
function isVisible(text: string): boolean {
  return /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** A single-line text. Control characters could affect the terminal of a reader. */
export const line = (lengthMax: number) => plain(z.string().trim().max(lengthMax));
/** A text that may have several lines. */
export const text = z.string().max(4096);

/** A company's own name for a kind of thing: `Early bird`, `zurückgelegt`. */
export const label = plain(z.string().trim().min(1).max(64));

/** A slug: `discount-coupon`, `early_bird`. */
export const slug = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, 'must begin with a letter or digit and have only letters, digits, _, . and -');

export const currencyCode = z
  .string()
  .trim()
  .refine(isCurrencyCode, 'must be an ISO 4217 currency code, such as EUR')
  .meta({ description: 'ISO 4217.', pattern: '^[A-Z]{3}$', examples: ['EUR'] });

/** The most units of one thing in an order, a rule or a redemption. */
export const QUANTITY_MAX = 1_000_000;
/** The highest price of one unit, and the largest amount off it or on it (minor units). */
export const PRICE_MAX = 1_000_000_000_000;
/**
 * The most that a line, or a cart, may cost at list prices (minor units): leaves room for any surcharge within exact
 * integers.
 */
export const SUBTOTAL_MAX = 100_000_000_000_000;

/** A count of things, at least one. */
export const positive = z.int().min(1).max(QUANTITY_MAX);

/** Whole minor units (cents), never negative. */
export const minorUnits = z.int().min(0).describe('Minor units (cents).');

export const money = z.object(
  { amount: minorUnits, currency: currencyCode },
  {
    error: ({ code, input }) =>
      code === 'invalid_type' && input !== undefined
        ? 'must be {amount, currency}, with amount in minor units'
        : undefined,
  },
);
/** Money in a condition: a member that is misspelt is refused. */
export const strictMoney = z.strictObject(money.shape);
export type Money = z.output<typeof money>;

/** 0 < p <= `max` with at most four decimals. */
export function percentUpTo(max: number) {
  return z.number().gt(0).max(max).refine(isExactPercent, 'must have at most four decimals');
}
export const percent = percentUpTo(100).describe('At most four decimals.');

/** A zone of the IANA database, such as Europe/Berlin; not an offset, which has no daylight saving time. */
export const timezone = z
  .string()
  .max(64)
  .trim()
  .refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin')
  .meta({ examples: ['Europe/Berlin'] });

function isTimeZone(zone: string): boolean {
  try {
    // `Intl` accepts more names, such as PST, in which `instantIn` cannot read a time.
    const { timeZoneId } = new Temporal.ZonedDateTime(0n, zone);
    return !/^[+-]/.test(timeZoneId);
  } catch {
    return false;
  }
}

/** A time without a zone: only digits after the T. `PlainDateTime` would ignore an offset or zone. */
const IS_LOCAL = /T[\d:.,]*$/i;
/** A date and a time in their usual form, whether or not they exist. */
const IS_TIME = /^\d{4}-\d\d-\d\dT\d\d:[\d:.,]+(?:Z|[+-]\d\d:?\d\d)?$/i;
/** A time whose offset lost its plus sign in a URL, where that means a blank. */
const LACKS_PLUS = /T[\d:.,]+ \d\d:?\d\d$/i;
const IS_DATE = /^\d{4}-?\d\d-?\d\d$/;

/**
 * A date with a time: ISO 8601 in (`Z`, `+02:00`, `+0200`, `[Europe/Berlin]`; UTC without a zone), RFC 3339 in UTC with
 * milliseconds out.
 */
export const instant = timeOf((given) => instantIn(given, 'UTC'), 'UTC');

/** An `instant`, or a time without a zone, which is kept as it is until `instantIn` gives it its zone. */
export const localTime = timeOf(
  (given) =>
    isLocal(given)
      ? Temporal.PlainDateTime.from(given).toString({ fractionalSecondDigits: 3 })
      : instantIn(given, 'UTC'),
  'local time',
);

/** Whether a `localTime` has no zone. */
export function isLocal(time: string): boolean {
  return IS_LOCAL.test(time);
}

/**
 * The zone of a record's local times, given the time zones of the events that it names: theirs if all agree, UTC if it
 * names none. Undefined if they differ. An event without a time zone is in UTC, as its own local times are.
 */
export function sharedZone(zones: Iterable<string | undefined>): string | undefined {
  const [first = 'UTC', ...others] = new Set(Array.from(zones, (zone = 'UTC') => zone));
  const zoneOf = (id: string) => new Temporal.ZonedDateTime(0n, id);
  // A zone has several names, such as Asia/Kolkata and Asia/Calcutta.
  return others.every((other) => zoneOf(other).equals(zoneOf(first))) ? first : undefined;
}

/** How a `localTime` is read in a record that names what it applies to. */
export const LOCAL_TIME_OF_NAMED =
  'Without a zone: local time of the events, series, venues and offerings that this applies to, if they are in one time zone; UTC if it names none.';

/**
 * A `localTime` of a record as a `timestamp`. Without a zone it is in the zone of what the record names, given in
 * `zones`. `path`: the field that has it.
 *
 * @throws {PlatformError} VALIDATION_FAILED if it needs a zone, because there are several
 */
export function zonedTime(time: string, zones: readonly string[], path: string): string {
  const zone = isLocal(time) ? sharedZone(zones) : 'UTC';
  if (zone !== undefined) return instantIn(time, zone);
  const [written] = time.split('.');
  const named = zones.slice(0, 5).join(', ');
  throw invalidInput(path, `must name a zone, such as ${written}[${zones[0]}]: what this applies to is in ${named}`);
}

/**
 * `time` as a `timestamp`. Without a zone it is local time in `zone`. A time that the clocks there skip is read as if
 * they had not; one that they show twice means the first.
 *
 * @throws {RangeError} if there is no such time, for example if its offset is not that of its zone
 */
export function instantIn(time: string, zone: string): string {
  if (isLocal(time)) return timestampOf(Temporal.PlainDateTime.from(time).toZonedDateTime(zone).toInstant());
  return timestampOf(time.endsWith(']') ? Temporal.ZonedDateTime.from(time).toInstant() : Temporal.Instant.from(time));
}

/**
 * `at` as a `timestamp`, whose years have four digits: the last one for any later time, such as `9999-12-31T23:59:59`
 * in New York, and the first one for any earlier time.
 */
export function timestampOf(at: Temporal.Instant): string {
  const shown = at.toString({ fractionalSecondDigits: 3 });
  if (shown.startsWith('+')) return '9999-12-31T23:59:59.999Z';
  return shown.startsWith('-') ? '0000-01-01T00:00:00.000Z' : shown;
}

/** `unzoned`: how `read` understands a time without a zone. */
function timeOf(read: (given: string) => string, unzoned: 'UTC' | 'local time') {
  return z
    .string()
    .trim()
    .transform((given, ctx) => {
      try {
        if (/^\d{4}[\d-]*T/i.test(given)) return read(given);
        if (IS_DATE.test(given)) {
          ctx.addIssue({ code: 'custom', message: needsTime(Temporal.PlainDate.from(given), unzoned) });
          return z.NEVER;
        }
      } catch {
        if (IS_TIME.test(given)) {
          ctx.addIssue({ code: 'custom', message: 'must be a date and time that exist' });
          return z.NEVER;
        }
      }
      if (LACKS_PLUS.test(given)) {
        ctx.addIssue({ code: 'custom', message: 'has a space instead of +; write + as %2B in a URL' });
        return z.NEVER;
      }
      ctx.addIssue({ code: 'custom', message: 'must be a date and time, such as 2027-05-01T18:00:00Z' });
      return z.NEVER;
    })
    .meta({ format: 'date-time' });
}

/** A date alone may mean the beginning or the end of the day, here or in UTC: only the caller knows. */
function needsTime(date: Temporal.PlainDate, unzoned: string): string {
  const ways = `${String(date)}T00:00:00 for the beginning of that day or ${String(date)}T23:59:59.999 for its end`;
  return `must have a time of day: send ${ways} (${unzoned}; add Z, or an offset such as +02:00, to name a zone)`;
}

/** A time as the platform returns it: RFC 3339 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

export const ARRAY_LENGTH_MAX = 500;
const PAGE_LIMIT_MAX = 200;
const PAGE_LIMIT_DEFAULT = 50;

/** The longest id, of characters that have four bytes each, with the name of its list, in base64. */
const CURSOR_LENGTH_MAX = 2_048;

/** The query of every list. `cursor` is what an earlier page returned in `page.next`. */
const pageQuery = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(PAGE_LIMIT_MAX)
    .default(PAGE_LIMIT_DEFAULT)
    .describe('The most records on a page.'),
  cursor: z.string().min(1).max(CURSOR_LENGTH_MAX).optional().describe('`page.next` of the previous page.'),
});
export type PageQuery = z.output<typeof pageQuery>;

/** The names that some list can be filtered by, so that a caller may expect them of the others too. */
const FILTERS = new Set<string>();

/** A list's query: a page, and `filters` by what the listed `record` has. */
export function listQuery<T extends z.core.$ZodShape>(filters: T, record: () => z.ZodObject) {
  for (const filter of Object.keys(filters)) FILTERS.add(filter);
  return pageQuery.extend(filters).register(memberNotes, {
    listed: () => [...Object.keys(record().shape), ...FILTERS],
  });
}

/** What a list says about its page. */
export const pageOfList = z
  .object({
    next: z.string().nullable().describe('The cursor of the next page; null on the last one.'),
    limit: z.int(),
  })
  .meta({ id: 'Page' });

/** One page of a list as services return it. */
export interface Page<T> {
  data: T[];
  page: z.output<typeof pageOfList>;
}

/** The largest size of a caller's own object, as JSON. */
const FREE_BYTES_MAX = 64 * 1024;

/** Whether `value` is small enough to be stored with what the platform reads. */
export function isSmall(value: unknown): boolean {
  return fitsInto(FREE_BYTES_MAX, value);
}

/** Whether `value` has at most `bytes` as JSON. */
export function fitsInto(bytes: number, value: unknown): boolean {
  const json = JSON.stringify(value);
  // A character takes at most three bytes.
  if (json.length * 3 <= bytes) return true;
  return json.length <= bytes && new TextEncoder().encode(json).length <= bytes;
}

export const TOO_LARGE = `must have at most ${FREE_BYTES_MAX} bytes as JSON; keep what is larger elsewhere, and its address here`;

/** An object whose members the platform keeps but does not read. */
export const freeObject = z
  .record(z.string(), z.unknown())
  .refine(isSmall, TOO_LARGE)
  .describe(`Kept as it is sent; at most ${FREE_BYTES_MAX} bytes as JSON.`);
