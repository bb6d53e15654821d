import type { components } from '@event-commerce/client';
import { listedIn } from '../data/listed-in.ts';
import { type Weekday, WEEKDAYS } from '../format/weekdays.ts';

type DatesByRule = components['schemas']['DatesByRule'];

export const REPEATS = [
  ['once', 'Only once'],
  ['1', 'Every week'],
  ['2', 'Every second week'],
  ['3', 'Every third week'],
  ['4', 'Every fourth week'],
  ['first', 'Every month, the first'],
  ['second', 'Every month, the second'],
  ['third', 'Every month, the third'],
  ['fourth', 'Every month, the fourth'],
  ['last', 'Every month, the last'],
] as const;
export type Repeats = (typeof REPEATS)[number][0];
const OF_THE_MONTH: Partial<Record<Repeats, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: -1 };

/** The dates to add, as the form holds them. Days and times are those of the series' zone. */
export interface RuleDraft {
  from: string;
  time: string;
  repeats: Repeats;
  /** None: the weekday of the first day. */
  weekdays: readonly Weekday[];
  until: string;
  /** Days without a date, separated by commas. */
  except: string;
  capacity: string;
  offerings: 'copy' | 'none';
}

export type RuleProblems = Partial<Record<keyof RuleDraft, string>>;

/** Where the value of each field is in the body. */
export const RULE_PATHS = {
  until: 'rule',
  from: 'startsAt',
  except: 'exclude',
  capacity: 'capacity',
  offerings: 'offerings',
} as const;

/** What cannot be sent, and what to write instead. What is not filled in yet is no problem. */
export function ruleProblems({ from, until, repeats, except, capacity }: RuleDraft): RuleProblems {
  const problems: RuleProblems = {};
  if (repeats !== 'once' && from !== '' && until !== '' && until < from)
    problems.until = 'It must not be before the first day.';
  if (listedIn(except).some((day) => !/^\d{4}-\d{2}-\d{2}$/.test(day)))
    problems.except = 'Write days as 2027-12-24, separated by commas.';
  if (!/^\d*$/.test(capacity)) problems.capacity = 'Enter a whole number, 0 or more.';
  return problems;
}

/** The days of the week that dates are on. */
export function weekdaysOf({ weekdays, from }: RuleDraft): readonly Weekday[] {
  if (weekdays.length > 0) return WEEKDAYS.filter((day) => weekdays.includes(day));
  const first = WEEKDAYS[(new Date(`${from}T00:00Z`).getUTCDay() + 6) % 7];
  return first === undefined ? [] : [first];
}

/** The rule as RFC 5545 writes it; undefined while something is missing. */
export function ruleOf(draft: RuleDraft): string | undefined {
  const { from, time, repeats, until } = draft;
  if (from === '' || time === '') return undefined;
  if (repeats === 'once') return 'FREQ=DAILY;COUNT=1';
  if (until === '') return undefined;
  const end = `UNTIL=${until.replaceAll('-', '')}`;
  const days = weekdaysOf(draft).map((day) => day.slice(0, 2).toUpperCase());
  const ofTheMonth = OF_THE_MONTH[repeats];
  if (ofTheMonth !== undefined)
    return `FREQ=MONTHLY;BYDAY=${days.map((day) => `${ofTheMonth}${day}`).join(',')};${end}`;
  const interval = repeats === '1' ? '' : `INTERVAL=${repeats};`;
  return `FREQ=WEEKLY;${interval}BYDAY=${days.join(',')};${end}`;
}

/** What a draft without problems asks for; undefined while something is missing. */
export function datesOf(draft: RuleDraft): DatesByRule | undefined {
  const rule = ruleOf(draft);
  if (rule === undefined) return undefined;
  const exclude = listedIn(draft.except);
  return {
    rule,
    startsAt: `${draft.from}T${draft.time}`,
    ...(exclude.length === 0 ? {} : { exclude }),
    ...(draft.capacity === '' ? {} : { capacity: Number(draft.capacity) }),
    ...(draft.offerings === 'copy' ? { offerings: 'copy' as const } : {}),
  };
}
