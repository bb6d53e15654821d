const DAY_MS = 86_400_000;
/** Every time zone in use today is a multiple of this from UTC, so hours and days of each are whole quarters. */
const QUARTER_MS = 15 * 60_000;

/** The day of a time in UTC, and the quarter of an hour in it, from 0 to 95. */
export function quarterAt(time: Date): { day: Date; quarter: number } {
  const sinceMidnightMs = ((time.getTime() % DAY_MS) + DAY_MS) % DAY_MS;
  return {
    day: new Date(time.getTime() - sinceMidnightMs),
    quarter: Math.floor(sinceMidnightMs / QUARTER_MS),
  };
}

/** When a quarter of an hour begins, epoch milliseconds. */
export function startOfQuarter(day: Date, quarter: number): number {
  return day.getTime() + quarter * QUARTER_MS;
}
