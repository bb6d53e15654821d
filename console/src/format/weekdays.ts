import type { components } from '@event-commerce/client';

export type Weekday = NonNullable<components['schemas']['ChangeManyDates']['filter']['weekdays']>[number];

/** The days of a week as the platform names them, in their order. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies readonly Weekday[];
