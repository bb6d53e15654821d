/** In a run with kills, a place is free again only once the processes are back. */
export const FREE_AFTER_KILLS_MS = 20_000;

/** How many places an order takes, by pool: those of a coupon, an event, an offering. None: it is cancelled. */
export type Places = Readonly<Record<string, number>>;

/** A client's request, the time it took, retries included, and the final response. */
export type Entry = {
  /** The order that the request is about. A client sends one request about an order after the other. */
  order: string;
  beganMs: number;
  endedMs: number;
} & (
  | {
      /** Places an order, changes or cancels it. */
      what: 'write';
      /** What the order takes if the request succeeds. */
      takes: Places;
      /** `full`: refused since too little is left. `refused`: for another reason. */
      told: 'done' | 'full' | 'refused';
    }
  | { what: 'read'; told: Places | 'unknown' }
);

type Write = Extract<Entry, { what: 'write' }>;
type Read = Extract<Entry, { what: 'read' }>;

interface Model {
  /** How many places each pool has. */
  caps: Places;
  /** A place that was given up, or never became an order's, is free after this time at the latest. */
  freeAfterMs: number;
}

/**
 * What clients were told that contradicts every order of events under the caps, in words: more places are taken than a
 * pool has, a request is refused although there was room throughout, or a read contradicts an earlier response.
 */
export function contradictions(history: readonly Entry[], { caps, freeAfterMs }: Model): string[] {
  const writes = history.filter((entry) => entry.what === 'write');
  const orders = [...Map.groupBy(writes, ({ order }) => order).values()].map(
    (own) => new OrderWrites(own, freeAfterMs),
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  const sum = (each: (order: OrderWrites) => number) => orders.reduce((total, order) => total + each(order), 0);

  const exceeded = writes.flatMap(({ takes, told, endedMs }) =>
    Object.keys(told === 'done' ? takes : {}).flatMap((pool) => {
      const [taken, cap] = [sum((order) => order.surely(pool, endedMs)), caps[pool] ?? Infinity];
      return taken > cap ? [`${taken} places of ${pool} were taken at ${endedMs.toFixed(0)} ms, it has ${cap}`] : [];
    }),
  );
  const refusedWrongly = writes.flatMap((refused) => {
    if (refused.told !== 'full') return [];
    const { order, beganMs, endedMs, takes } = refused;
    // Places are taken at the beginning of a request, so one of these moments, or its own beginning, is the fullest.
    const moments = [beganMs, ...writes.map((write) => write.beganMs)].filter(
      (atMs) => beganMs <= atMs && atMs <= endedMs,
    );
    const fullest = Object.entries(takes).map(([pool, wanted]) => {
      const others = (atMs: number) =>
        sum((each) => each.perhaps(pool, atMs, refused)) - (byId.get(order)?.surely(pool, atMs) ?? 0);
      const most = Math.max(...moments.map(others));
      return { pool, wanted, most, isFull: most + wanted > (caps[pool] ?? Infinity) };
    });
    if (fullest.some(({ isFull }) => isFull)) return [];
    const found = fullest.map(({ pool, wanted, most }) => `${wanted} of ${pool} with at most ${most} of ${caps[pool]}`);
    return [`order ${order} was refused ${found.join(', ')} places taken by others`];
  });
  const denied = history.flatMap((read) => {
    if (read.what !== 'read') return [];
    const possible = byId.get(read.order)?.valuesDuring(read) ?? ['unknown'];
    if (possible.some((value) => isSame(value, read.told))) return [];
    return [`order ${read.order} was read as ${said(read.told)}, and can only be ${possible.map(said).join(' or ')}`];
  });
  return [...exceeded, ...refusedWrongly, ...denied];
}

/** What the writes of one order say about it at a moment. */
class OrderWrites {
  readonly id: string;
  private readonly refused: Write[];
  /** The writes that succeeded, and when the next one had: by then, what it took is given up. */
  private readonly done: (Write & { untilMs: number })[];
  private readonly freeAfterMs: number;

  constructor(own: readonly Write[], freeAfterMs: number) {
    this.id = own[0]?.order ?? '';
    this.freeAfterMs = freeAfterMs;
    const inOrder = own.toSorted((a, b) => a.beganMs - b.beganMs);
    this.refused = inOrder.filter(({ told }) => told !== 'done');
    this.done = inOrder
      .filter(({ told }) => told === 'done')
      .map((write, n, all) => ({ ...write, untilMs: all[n + 1]?.endedMs ?? Infinity }));
  }

  /** At least this much is taken. */
  surely(pool: string, atMs: number): number {
    const values = this.valuesDuring({ beganMs: atMs, endedMs: atMs });
    return Math.min(...values.map((value) => (value === 'unknown' ? 0 : (value[pool] ?? 0))));
  }

  /** At most this much is taken, except by the write `without`. */
  perhaps(pool: string, atMs: number, without: Write): number {
    const gone = (ms: number) => ms + this.freeAfterMs < atMs;
    const holding = [
      ...this.done.filter(({ beganMs, untilMs }) => beganMs <= atMs && !gone(untilMs)),
      ...this.refused.filter((write) => write !== without && write.beganMs <= atMs && !gone(write.endedMs)),
    ];
    return Math.max(0, ...holding.map(({ takes }) => takes[pool] ?? 0));
  }

  /** What a read at that time may show. */
  valuesDuring({ beganMs, endedMs }: Pick<Read, 'beganMs' | 'endedMs'>): Read['told'][] {
    const before = this.done.findLast((write) => write.endedMs <= beganMs);
    const meanwhile = this.done.filter((write) => write.beganMs <= endedMs && write.endedMs > beganMs);
    return [before?.takes ?? 'unknown', ...meanwhile.map(({ takes }) => takes)];
  }
}

function isSame(one: Read['told'], other: Read['told']): boolean {
  if (one === 'unknown' || other === 'unknown') return one === other;
  const pools = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...pools].every((pool) => (one[pool] ?? 0) === (other[pool] ?? 0));
}

function said(value: Read['told']): string {
  return value === 'unknown' ? value : JSON.stringify(value);
}
