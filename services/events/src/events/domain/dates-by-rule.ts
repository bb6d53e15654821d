import { instantIn, invalidInput, isLocal } from '@event-commerce/contracts';
import { RRuleTemporal } from 'rrule-temporal';

/** The most dates that one rule makes. */
export const DATES_MAX = 1_200;

/** Bounds the time for a rule that has few dates in many years, or none. */
const SEARCH_MAX = { maxIterations: 10_000, maxCandidateEvaluations: 50_000 };

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const PARTS = [
  'FREQ',
  'UNTIL',
  'COUNT',
  'INTERVAL',
  'BYDAY',
  'BYMONTH',
  'BYMONTHDAY',
  'BYYEARDAY',
  'BYWEEKNO',
  'BYHOUR',
  'BYMINUTE',
  'BYSETPOS',
  'WKST',
];

/** `20271231`, `20271231T200000` or `20271231T190000Z`. */
const UNTIL = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/;

/** Which dates a series gets. */
export interface DateRule {
  /** A recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20271231`. */
  rule: string;
  /** The earliest time of the first date, and the clock time of all dates for which the rule names no other. */
  startsAt: string;
  /** Days without a date: `2027-12-24`. */
  exclude?: readonly string[] | undefined;
}

/**
 * When the dates of a rule start, soonest first, as timestamps. A rule is about clock times in `zone`: 20:00 stays
 * 20:00 when the clocks change, and a time that the clocks skip is read as everywhere else, so that no date is lost. An
 * `UNTIL` without a time includes the whole day.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a rule that cannot be read, has no end, no dates or too many
 */
export function datesByRule({ rule, startsAt, exclude = [] }: DateRule, zone: string): string[] {
  const parts = partsOf(rule);
  // The rule counts clock times. In UTC every clock time exists, once.
  const dtstart = clockTimeOf(startsAt, zone).toZonedDateTime('UTC');
  const rruleString = [...parts].map(([part, value]) => `${part}=${part === 'UNTIL' ? until(value, zone) : value}`);
  let found: Temporal.PlainDateTime[];
  try {
    const recurrence = new RRuleTemporal({ rruleString: rruleString.join(';'), dtstart, strict: true, ...SEARCH_MAX });
    found = recurrence.all((_date, index) => index <= DATES_MAX).map((date) => date.toPlainDateTime());
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalidInput('rule', `cannot be used: ${why}`);
  }
  if (found.length > DATES_MAX) {
    throw invalidInput('rule', `gives more than ${DATES_MAX} dates; end it earlier with UNTIL or COUNT`);
  }
  const without = new Set(exclude);
  const dates = found.filter((date) => !without.has(date.toPlainDate().toString()));
  if (dates.length === 0) {
    throw invalidInput('rule', `gives no date from ${startsAt} on that is not excluded; check its days and its end`);
  }
  // Two clock times may be one moment in the night in which the clocks change.
  return [...new Set(dates.map((date) => instantIn(date.toString({ fractionalSecondDigits: 3 }), zone)))];
}

/** The parts of a rule by name, in its order. */
function partsOf(rule: string): Map<string, string> {
  const text = rule.trim().replace(/^RRULE:/i, '');
  const parts = new Map<string, string>();
  for (const part of text.split(';').filter((some) => some !== '')) {
    const [name = '', value = ''] = part.split('=').map((some) => some.trim().toUpperCase());
    if (!PARTS.includes(name)) {
      throw invalidInput('rule', `has ${JSON.stringify(name)}, and its parts can be ${PARTS.join(', ')}`);
    }
    if (parts.has(name)) throw invalidInput('rule', `has ${name} twice`);
    parts.set(name, value);
  }
  const frequency = parts.get('FREQ');
  if (frequency === undefined || !FREQUENCIES.includes(frequency)) {
    throw invalidInput('rule', `must have a FREQ of ${FREQUENCIES.join(', ')}, such as FREQ=WEEKLY;BYDAY=FR;COUNT=10`);
  }
  for (const name of ['COUNT', 'INTERVAL']) {
    const value = parts.get(name);
    if (value !== undefined && !/^[1-9]\d{0,5}$/.test(value)) {
      throw invalidInput('rule', `has ${name}=${value}, which must be a whole number from 1`);
    }
  }
  if (parts.has('UNTIL') === parts.has('COUNT')) {
    throw invalidInput('rule', 'must have an end: either UNTIL, such as UNTIL=20271231, or COUNT');
  }
  return parts;
}

/** The end of a rule as a clock time in `zone`, written as if it were in UTC. */
function until(value: string, zone: string): string {
  const [, year, month, day, hour, minute, second, isUtc] = UNTIL.exec(value) ?? [];
  if (year === undefined) {
    throw invalidInput(
      'rule',
      `has UNTIL=${value}, which must be a day such as 20271231, or a time such as 20271231T200000`,
    );
  }
  const date = `${year}-${month}-${day}`;
  const written = hour === undefined ? `${date}T23:59:59` : `${date}T${hour}:${minute}:${second}`;
  try {
    const clock =
      isUtc === 'Z' ? clockTimeOf(`${written}Z`, zone) : Temporal.PlainDateTime.from(written, { overflow: 'reject' });
    return `${clock.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}Z`;
  } catch {
    throw invalidInput('rule', `has UNTIL=${value}, and there is no such day or time`);
  }
}

/** What a clock in `zone` shows at `time`; a time without a zone is that already. */
function clockTimeOf(time: string, zone: string): Temporal.PlainDateTime {
  if (isLocal(time)) return Temporal.PlainDateTime.from(time);
  return Temporal.Instant.from(time).toZonedDateTimeISO(zone).toPlainDateTime();
}
