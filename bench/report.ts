import type { Measured } from './measurements.ts';
import type { Bar } from './picture.ts';

export const PLAIN_INSERTS = 'plain inserts, same driver';
export const SAME_EVALUATION = 'evaluate, 100 adjustments, all clients the same';
export const GATEWAY_ALONE = 'gateway before a static answer, GET';
export const SAME_LIST = 'GET a list, all clients the same';
export const OTHER_LISTS = 'GET a list, each client a different one';
export const CART_READ = 'GET a priced cart that does not change';
export const PURCHASES = 'purchases: cart, coupon, order';
export const PENDING_ORDERS = 'pending orders, two tickets, one redemption';
export const CONFIRMED_ORDERS = 'the same, and confirmed';
export const CHANGED_ORDERS = 'orders of the same, and one ticket returned';
/** Whole purchases, by how many clients make them at the same time. */
export const PURCHASES_BY_CLIENTS = new Map([1, 16, 64].map((clients) => [clients, `purchases, ${clients} at a time`]));
/** Processes that take less CPU time (ms) for one request or insert are left out. */
const CPU_SHOWN_MS = 0.01;
export const ORDERS_OF_TICKETS = 'orders, one ticket, 10 offerings of one event';
export const ORDERS_OF_TEN_LINES = 'orders of ten lines, a ticket of each of these offerings';
export const ORDERS_OF_TEN_LINES_WITH_CODE = 'the same with a redemption';

type Goal = [what: string, value: number, target?: number];

/**
 * The run as Markdown: what was measured, and the ratios with their targets; and the ratios to bare libraries as bars.
 * `rules`: json-rules-engine's time to the cascade's.
 */
export function report(
  measured: ReadonlyMap<string, Measured>,
  run: {
    seconds: number;
    connections: number;
    writers: number;
    profiled: boolean;
    rules: { count: number; ratio: number };
    startUpSeconds: number;
    memory: { name: string; resident: number; own: number }[];
  },
): { text: string; bars: Bar[] } {
  const { seconds, connections, writers, rules, startUpSeconds, memory } = run;
  const ratioOf = (name: string, base: string) =>
    (measured.get(name)?.perSecond ?? Number.NaN) / (measured.get(base)?.perSecond ?? Number.NaN);
  const goals: Goal[] = [
    ['evaluate with 100 adjustments to the bare proxy', ratioOf('evaluate, 100 adjustments', 'bare http-proxy'), 1],
    ['the same evaluation for all clients to the bare proxy', ratioOf(SAME_EVALUATION, 'bare http-proxy'), 1],
    [
      'evaluate with 10,000 to evaluate with 100',
      ratioOf('evaluate, 10000 adjustments', 'evaluate, 100 adjustments'),
      0.67,
    ],
    ['GET with key, limit and identity to the bare proxy', ratioOf(GATEWAY_ALONE, 'bare http-proxy, GET'), 0.65],
    ['GET of the same list by all clients to the bare proxy', ratioOf(SAME_LIST, 'bare http-proxy, GET'), 0.4],
    ['GET of a different list by each client to the bare proxy', ratioOf(OTHER_LISTS, 'bare http-proxy, GET')],
    ['read of a priced cart to the bare proxy', ratioOf(CART_READ, 'bare http-proxy, GET')],
    ['orders with one redemption to plain inserts', ratioOf('orders, one redemption, 50 codes', PLAIN_INSERTS), 0.33],
    ['the same with one code for all', ratioOf('orders, one redemption, one code', PLAIN_INSERTS)],
    ['orders with one ticket of an event with a capacity to plain inserts', ratioOf(ORDERS_OF_TICKETS, PLAIN_INSERTS)],
    ['orders of ten lines to orders with one ticket', ratioOf(ORDERS_OF_TEN_LINES, ORDERS_OF_TICKETS)],
    ['orders without redemption to plain inserts', ratioOf('orders, no redemption', PLAIN_INSERTS)],
    // Two thirds: confirming costs half as much as placing.
    ['pending orders that are confirmed to pending orders', ratioOf(CONFIRMED_ORDERS, PENDING_ORDERS), 0.67],
    ['orders that are changed to pending orders', ratioOf(CHANGED_ORDERS, PENDING_ORDERS)],
    ['cart changes to plain inserts', ratioOf('cart changes', PLAIN_INSERTS), 0.6],
    ['purchases (cart, coupon, order) to plain inserts', ratioOf(PURCHASES, PLAIN_INSERTS)],
    [`json-rules-engine's time for ${rules.count} adjustments to the cascade's`, rules.ratio, 500],
  ];
  const lines = [
    `# One run, ${connections} connections (${writers} for orders, carts and inserts), in turns of ${seconds} s`,
    '',
    ...(run.profiled
      ? ['Profiled: the profiler takes its share of the time, so the ratios are not those of the platform.', '']
      : []),
    '| What | a second | p50 ms | p99 ms | failed |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...[...measured.values()].map(
      (m) =>
        `| ${m.name} | ${m.perSecond.toFixed(0)} | ${m.p50Ms.toFixed(1)} | ${m.p99Ms.toFixed(1)} | ${m.failures} |`,
    ),
    '',
    'A whole purchase: a cart with an item, a coupon, and the order of that cart.',
    '',
    '| Clients | purchases a second | ms each | p99 ms of a step |',
    '| ---: | ---: | ---: | ---: |',
    ...[...PURCHASES_BY_CLIENTS].flatMap(([clients, name]) => {
      const m = measured.get(name);
      if (m === undefined) return [];
      // Each client begins the next one when it has finished the last.
      const each = (1_000 * clients) / m.perSecond;
      return [`| ${clients} | ${m.perSecond.toFixed(0)} | ${each.toFixed(0)} | ${m.p99Ms.toFixed(0)} |`];
    }),
    '',
    'CPU time of each process for one request or insert, ms:',
    '',
    ...[...measured.values()].filter(({ turns }) => turns > 1).map((m) => `- ${m.name}: ${cpuOf(m)}`),
    '',
    '| Ratio | measured | target, at least | met |',
    '| --- | ---: | ---: | --- |',
    ...goals.map(([what, value, target]) =>
      target === undefined
        ? `| ${what} | ${short(value)} | | |`
        : `| ${what} | ${short(value)} | ${short(target)} | ${value >= target ? 'yes' : 'no'} |`,
    ),
    '',
    `Start-up of the five processes: ${startUpSeconds.toFixed(1)} s. Memory after the run: ` +
      `${memory.map(({ name, resident }) => `${name} ${resident.toFixed(0)} MiB`).join(', ')}; together ` +
      `${memory.reduce((sum, { own }) => sum + own, 0).toFixed(0)} MiB, with shared pages counted once.`,
    '',
  ];
  const toBare = goals.filter(([what]) => what.endsWith('bare proxy') || what.endsWith('plain inserts'));
  return { text: lines.join('\n'), bars: toBare.map(([label, ratio, target]) => ({ label, ratio, target })) };
}

function cpuOf({ cpuMs }: Measured): string {
  const parts = [...cpuMs].filter(([, ms]) => ms >= CPU_SHOWN_MS).toSorted(([, a], [, b]) => b - a);
  const sum = parts.reduce((total, [, ms]) => total + ms, 0);
  return `${short(sum)} (${parts.map(([name, ms]) => `${name} ${short(ms)}`).join(', ')})`;
}

function short(ratio: number): string {
  return ratio.toFixed(ratio < 10 ? 2 : 0);
}
