import type { components } from '@event-commerce/client';
import type { Weekday } from '../format/weekdays.ts';

type ChangeManyDates = components['schemas']['ChangeManyDates'];

/** A change of many dates as the form holds it: what is empty stays. Days and times are those of the series' zone. */
export interface ChangeDraft {
  from: string;
  to: string;
  /** None: all days. */
  weekdays: readonly Weekday[];
  startsAt: string;
  endsAt: string;
  capacity: string;
  name: string;
  /** Whether dates that were changed by hand are changed too, and those with tickets that are sold or held. */
  byHand: boolean;
  sold: boolean;
}

/** Where the value of each field is in the body. */
export const CHANGE_PATHS = {
  from: 'filter.from',
  to: 'filter.to',
  startsAt: 'change.startsAt',
  endsAt: 'change.endsAt',
  capacity: 'change.capacity',
  name: 'change.name',
} as const;

export type ChangeProblems = Partial<Record<keyof typeof CHANGE_PATHS, string>>;

/** What cannot be sent, and what to write instead. */
export function changeProblems({ from, to, capacity }: ChangeDraft): ChangeProblems {
  return {
    ...(from !== '' && to !== '' && to < from ? { to: 'It must not be before the first day.' } : {}),
    ...(/^\d*$/.test(capacity) ? {} : { capacity: 'Enter a whole number, 0 or more.' }),
  };
}

/** What a draft without problems asks for; undefined while it changes nothing. */
export function changeOf(draft: ChangeDraft): ChangeManyDates | undefined {
  const { from, to, weekdays, startsAt, endsAt, capacity, name, byHand, sold } = draft;
  const change = {
    ...(startsAt === '' ? {} : { startsAt }),
    ...(endsAt === '' ? {} : { endsAt }),
    ...(capacity === '' ? {} : { capacity: Number(capacity) }),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
  };
  if (Object.keys(change).length === 0) return undefined;
  const filter = {
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(weekdays.length === 0 ? {} : { weekdays: [...weekdays] }),
  };
  const include = [...(byHand ? (['overridden'] as const) : []), ...(sold ? (['sold'] as const) : [])];
  return { filter, change, ...(include.length === 0 ? {} : { include }) };
}
