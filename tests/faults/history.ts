/** A client's request, the time it took, retries included, and the final response. */
export type Entry = {
  /** The order that the request is about. */
  order: string;
  beganMs: number;
  endedMs: number;
} & (
  | { what: 'place'; told: 'placed' | 'refused' }
  | { what: 'cancel'; told: 'cancelled' }
  | { what: 'read'; told: 'placed' | 'cancelled' | 'unknown' }
);

type Placing = Extract<Entry, { what: 'place' }>;

interface Model {
  /** How many orders may stand at a time. */
  cap: number;
  /** A place that was given up, or never became an order, is free after this time at the latest. */
  freeAfterMs: number;
}

/**
 * What clients were told that contradicts every order of events under a cap, in words: more orders stand than allowed,
 * one is refused although places were free throughout, or a read contradicts an earlier response.
 */
export function contradictions(history: readonly Entry[], { cap, freeAfterMs }: Model): string[] {
  const places = history.filter((entry) => entry.what === 'place');
  const cancels = new Map(history.flatMap((entry) => (entry.what === 'cancel' ? [[entry.order, entry]] : [])));
  const placed = new Map(places.flatMap((entry) => (entry.told === 'placed' ? [[entry.order, entry]] : [])));

  const standsSurely = (entry: Placing, atMs: number): boolean =>
    entry.told === 'placed' && entry.endedMs <= atMs && atMs < (cancels.get(entry.order)?.beganMs ?? Infinity);
  const holdsPerhaps = (entry: Placing, atMs: number): boolean => {
    const goneMs = entry.told === 'placed' ? (cancels.get(entry.order)?.endedMs ?? Infinity) : entry.endedMs;
    return entry.beganMs <= atMs && atMs <= goneMs + freeAfterMs;
  };

  const passed = [...placed.values()].flatMap(({ endedMs }) => {
    const standing = places.filter((entry) => standsSurely(entry, endedMs)).length;
    return standing > cap ? [`${standing} orders stood at ${endedMs.toFixed(0)} ms, ${cap} may`] : [];
  });
  const refusedWrongly = places.flatMap((refused) => {
    if (refused.told !== 'refused') return [];
    const others = places.filter((entry) => entry !== refused);
    // Places are taken at the beginning of a request, so one of these moments, or its own beginning, is the fullest.
    const moments = [refused.beganMs, ...others.map(({ beganMs }) => beganMs)].filter(
      (atMs) => refused.beganMs <= atMs && atMs <= refused.endedMs,
    );
    const most = Math.max(...moments.map((atMs) => others.filter((entry) => holdsPerhaps(entry, atMs)).length));
    return most < cap ? [`order ${refused.order} was refused with at most ${most} of ${cap} places taken`] : [];
  });
  const denied = history.flatMap((read) => {
    if (read.what !== 'read') return [];
    const { order, told } = read;
    const [placing, cancel] = [placed.get(order), cancels.get(order)];
    if (placing === undefined || read.beganMs < placing.endedMs) return [];
    if (told === 'unknown') return [`order ${order} was placed and then unknown`];
    if (told === 'placed' && cancel !== undefined && cancel.endedMs <= read.beganMs) {
      return [`order ${order} was cancelled and then placed`];
    }
    return told === 'cancelled' && (cancel === undefined || read.endedMs < cancel.beganMs)
      ? [`order ${order} was cancelled without a request`]
      : [];
  });
  return [...passed, ...refusedWrongly, ...denied];
}
