/** The API's last time: for ever, in a zone west of UTC, would be after it. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The instant at which a clock in `timeZone` shows `local` (`2027-06-01T18:00`), in RFC 3339; undefined if it is not a
 * time.
 */
export function instantOf(local: string, timeZone: string): string | undefined {
  const asIfUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asIfUtc)) return undefined;
  // The offset at a first guess may be that of the other side of a clock change; the second is right.
  const guess = asIfUtc - offsetMs(asIfUtc, timeZone);
  return new Date(Math.min(asIfUtc - offsetMs(guess, timeZone), LAST_MS)).toISOString();
}

/** What a clock in `timeZone` shows at `instant`, as an input of type `datetime-local` takes it. */
export function localOf(instant: string, timeZone: string): string {
  const ms = Date.parse(instant);
  return new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 16);
}

function offsetMs(instantMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts as Record<string, number>;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instantMs / 1000) * 1000;
}
