import { type EventOverrides, wordsOf } from '@event-commerce/contracts';

/** The search term for each property that an event can be found by. */
export const term = {
  name: (word: string) => `n ${word}`,
  description: (word: string) => `d ${word}`,
  start: (period: string) => `s ${period}`,
  status: (status: string) => `t ${status}`,
};

/** The lengths of the date prefixes that are periods: from a millennium to a day. */
const PERIODS = [1, 2, 3, 4, 7, 10];
const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';
const AFTER_ALL = ':';

/** An event's own fields: those of an instance without what it inherits. */
type Searched = Pick<EventOverrides, 'name' | 'description' | 'status'> & { startsAt?: Date };

/** All search terms of an event, each once: the words of its texts, its status, and the periods in which it starts. */
export function searchTerms({ name = '', description = '', status, startsAt }: Searched): string[] {
  const day = startsAt === undefined ? undefined : dayOf(startsAt);
  return [
    ...new Set([
      ...wordsOf(name).map(term.name),
      ...wordsOf(description).map(term.description),
      ...(status === undefined ? [] : [term.status(status)]),
      ...(day === undefined ? [] : PERIODS.map((length) => term.start(day.slice(0, length)))),
    ]),
  ];
}

/** For each word of `q`, the prefixes of the terms that an event has if its name, or its description, has the word. */
export function searchedFor(q: string): { name: string; description: string }[] {
  return wordsOf(q).map((word) => ({ name: term.name(word), description: term.description(word) }));
}

/**
 * An event that starts between `from` and `to` has exactly one of these terms: a few long periods, not many days. An
 * event that starts outside but on the same day has one too.
 */
export function startTerms(from?: Date, to?: Date): string[] {
  const [first, last] = [from && dayOf(from), to && dayOf(to)];
  const within = (period: string): string[] => {
    const [begin, end] = [first?.slice(0, period.length) ?? '', last?.slice(0, period.length) ?? AFTER_ALL];
    if (period < begin || period > end) return [];
    const isWhole = period > begin && period < end;
    return isWhole || period.length === LAST_DAY.length ? [term.start(period)] : partsOf(period).flatMap(within);
  };
  return partsOf('').flatMap(within);
}

/** The next shorter periods within one: years end in a digit, months and days have two. */
function partsOf(period: string): string[] {
  if (period.length < 4) return Array.from({ length: 10 }, (_, digit) => `${period}${digit}`);
  const count = period.length === 4 ? 12 : 31;
  return Array.from({ length: count }, (_, n) => `${period}-${String(n + 1).padStart(2, '0')}`);
}

/** A time zone can move a time out of the four-digit years. */
function dayOf(time: Date): string {
  const day = time.toISOString();
  if (day.startsWith('-')) return FIRST_DAY;
  return day.startsWith('+') ? LAST_DAY : day.slice(0, LAST_DAY.length);
}
