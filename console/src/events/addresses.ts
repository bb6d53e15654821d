/** What an event's page shows. */
export type Part = 'event' | 'dates';

/** The page of an event. `of` narrows the dates of a series to a year and a day. */
export function eventAddress(id: string, part: Part = 'event', of: { year?: number; day?: string } = {}): string {
  const query = new URLSearchParams({
    ...(part === 'event' ? {} : { show: part }),
    ...(of.year === undefined ? {} : { year: String(of.year) }),
    ...(of.day === undefined ? {} : { day: of.day }),
  }).toString();
  return `/console/events/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`;
}

/** The page of an event, asking whether to call it off. */
export function callOffAddress(id: string): string {
  return `${eventAddress(id)}?call-off`;
}

/** The sales of an event. */
export function salesAddress(id: string): string {
  return `/console/sales?event=${encodeURIComponent(id)}`;
}
