import type { Budget } from '@event-commerce/contracts';
import { poolOfBudget } from '../../adjustments/domain/pools-of.ts';
import { offsetSpanAt } from '../../evaluate/domain/windows/zone-offsets.ts';

/** The fields of a budget that an evaluation or a claim needs. */
export type KeptBudget = Pick<Budget, 'id' | 'limit' | 'per' | 'timezone' | 'onExhausted' | 'version'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The pool that orders draw on at `nowMs`. */
export function poolAt({ id, per, timezone }: Pick<Budget, 'id' | 'per' | 'timezone'>, nowMs: number): string {
  return poolOfBudget(id, per === 'day' ? dayAt(timezone, nowMs) : undefined);
}

/** The day in `zone` at `nowMs`: `2027-07-05`. */
export function dayAt(zone: string, nowMs: number): string {
  return new Date(nowMs + offsetSpanAt(zone, nowMs).offsetMs).toISOString().slice(0, '2027-07-05'.length);
}

/** The days that a process may take for the current one, whatever its clock. */
export function daysAround(zone: string, nowMs: number): string[] {
  return [nowMs - DAY_MS, nowMs, nowMs + DAY_MS].map((atMs) => dayAt(zone, atMs));
}

/** When the next day begins in `zone`: epoch milliseconds. */
export function nextDayMs(zone: string, nowMs: number): number {
  return Temporal.PlainDate.from(dayAt(zone, nowMs)).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
}
