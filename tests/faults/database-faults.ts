import { orderBody, type Reply } from '@event-commerce/test-kit';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_STREAM } from '@event-commerce/bus';
import { until } from '@event-commerce/service-kit';
import { jetstreamManager } from '@nats-io/jetstream';
import { type Fault, finding, type Form } from './fault.ts';
import { judgeOrders, listAll } from './judge-orders.ts';
import { startOrders } from './order-stream.ts';
import type { TestBed, TestCompany } from './test-bed.ts';
import { statusesOf } from './traffic.ts';

const GROUPS = 16;
const REFUSALS = 5;
/**
 * Some databases exit when their disk is full. A service then responds after 5 s, and the gateway of the test bed gives
 * up before that, with 504.
 */
const REFUSED = [503, 504];
const NOTHING_STORED_MS = 1_000;
const BY_ITSELF_MS: Record<Form, number> = { short: 2_000, usual: 10_000, long: 60_000 };
const LARGE_ITEMS = 300;

const killedMidWrite: Fault = {
  id: '43',
  name: 'the database is killed in the middle of writes',
  expected: 'each order with its redemption, and each merge of two groups, is stored completely or not at all',
  async run(bed) {
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 30 });
    const groups = await startGroups(company);
    const orders = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    await until('orders are placed', 20_000, () => orders.placed() > orders.workers);
    const firstMerged = Promise.withResolvers<void>();
    const merging = groups.mergeAll(() => firstMerged.resolve());
    await firstMerged.promise;
    await bed.kill9('mongo');
    await bed.restart('mongo');
    const merged = await merging;
    const answers = await orders.finish();
    const wrong = [...(await judgeOrders(bed, company, [coupon], answers)), ...(await groups.judge(merged))];
    return finding(`orders: ${answers.placed.size}, merges answered: ${merged.size} of ${GROUPS / 2}`, wrong);
  },
};

/** Purchase groups to merge in pairs. */
async function startGroups({ api }: TestCompany) {
  const event = await api.post('/v1/events', { name: 'Gala' });
  const url = `/v1/events/${event.body.data.id}/purchase-groups`;
  const made: { id: string; size: number }[] = await Promise.all(
    Array.from(
      { length: GROUPS },
      async (_, n) => (await api.post(url, { name: `Group ${n}`, size: n + 1 })).body.data,
    ),
  );
  const total = made.reduce((sum, { size }) => sum + size, 0);
  const pairs = Array.from({ length: GROUPS / 2 }, (_, n) => made.slice(2 * n, 2 * n + 2) as [Group, Group]);
  type Group = (typeof made)[number];
  return {
    /** Merges every pair at once. Returns the groups that clients were told are gone. */
    async mergeAll(onFirst: () => void): Promise<Set<string>> {
      const merged = new Set<string>();
      const merge = async ([target, source]: [Group, Group]) => {
        const body = { sourceGroupId: source.id, combinedSize: target.size + source.size, note: 'together' };
        const reply = await api.post(`${url}/${target.id}/merge`, body).catch(() => undefined);
        onFirst();
        if (reply?.status === 200) merged.add(source.id);
      };
      await Promise.all(pairs.map(merge));
      return merged;
    },
    async judge(told: ReadonlySet<string>): Promise<string[]> {
      const stored = new Map((await listAll(api, url)).map((group) => [group.id as string, group]));
      const active = [...stored.values()].filter(({ status }) => status === 'active');
      const half = pairs.filter(([target, source]) => {
        const [into, from] = [stored.get(target.id), stored.get(source.id)];
        const whole =
          from.status === 'merged' && from.mergedInto === target.id && into.size === target.size + source.size;
        const untouched = from.status === 'active' && from.size === source.size && into.size === target.size;
        return !whole && !untouched;
      });
      return [
        ...(active.reduce((sum, { size }) => sum + size, 0) === total ? [] : ['members lost or doubled']),
        ...(half.length === 0 ? [] : [`${half.length} merges half done`]),
        ...([...told].every((id) => stored.get(id).status === 'merged') ? [] : ['an acknowledged merge is lost']),
      ];
    },
  };
}

const databaseFull: Fault = {
  id: '46',
  name: "the database's disk is full",
  expected:
    '503 with Retry-After and no false acknowledgement; recovers when there is space, at the latest after a restart of the database',
  async run(bed, form) {
    if (typeof bed.disks === 'string') return { skipped: bed.disks };
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 10 });
    const orders = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    await until('orders are placed', 20_000, () => orders.placed() > orders.workers);
    bed.disks.database.fill();
    const large = await placeLarge(
      company,
      (replies) => replies.filter(({ status }) => REFUSED.includes(status)).length >= REFUSALS,
    );
    bed.disks.database.free();
    const how = await backByItself(bed, 'mongo', form, orders.placed);
    const answers = await orders.finish();
    const wrong = [
      ...refusedWell(large.replies, [201, ...REFUSED]),
      ...(await judgeOrders(bed, company, [coupon], { placed: answers.placed.union(large.placed) })),
    ];
    return finding(
      `while full ${statusesOf(large.replies)}; then ${how}; orders: ${answers.placed.size + large.placed.size}`,
      wrong,
    );
  },
};

const brokerFull: Fault = {
  id: '46',
  name: "the broker's disk is full",
  expected:
    'orders are placed or return 503; their events wait in the database, and are published once when there is space, at the latest after a restart of the broker',
  async run(bed, form) {
    if (typeof bed.disks === 'string') return { skipped: bed.disks };
    const company = await bed.newCompany();
    const coupon = await company.createCoupon({ maxRedemptions: 10 });
    const orders = startOrders(company, (n) => (n % 2 === 0 ? [coupon.code] : []));
    await until('orders are placed', 20_000, () => orders.placed() > orders.workers);
    bed.disks.broker.fill();
    const stored = storedEvents(bed);
    const large = await placeLarge(company, async () => stored.sameFor(NOTHING_STORED_MS));
    bed.disks.broker.free();
    const how = await backByItself(bed, 'nats', form, orders.placed);
    const answers = await orders.finish();
    const wrong = [
      ...refusedWell(large.replies, [201, 503]),
      ...(await judgeOrders(bed, company, [coupon], { placed: answers.placed.union(large.placed) })),
    ];
    return finding(
      `while full ${statusesOf(large.replies)}; then ${how}; orders: ${answers.placed.size + large.placed.size}`,
      wrong,
    );
  },
};

/** Places orders that take space until `enough`. */
async function placeLarge(
  { api, companyId }: TestCompany,
  enough: (replies: readonly Reply[]) => boolean | Promise<boolean>,
): Promise<{ replies: Reply[]; placed: Set<string> }> {
  const items = Array.from({ length: LARGE_ITEMS }, (_, n) => ({
    offeringId: `off_${n}`,
    name: `Ticket ${n} ${'x'.repeat(80)}`,
    quantity: 1,
    unitPrice: 5_000,
  }));
  const replies: Reply[] = [];
  const placed = new Set<string>();
  await until('the full disk shows', 30_000, async () => {
    const reply = await api.post('/v1/orders', orderBody(companyId, { items }));
    replies.push(reply);
    if (reply.status === 201) placed.add(reply.body.data.order.id);
    return await enough(replies);
  }).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}: ${statusesOf(replies)}`);
  });
  return { replies, placed };
}

function refusedWell(replies: readonly Reply[], expected: readonly number[]): string[] {
  const others = replies.filter(({ status }) => !expected.includes(status));
  const withoutRetryAfter = replies.filter(
    ({ status, headers }) => status === 503 && headers.get('retry-after') === null,
  );
  return [
    ...(others.length === 0 ? [] : [`answered ${statusesOf(others)}`]),
    ...(withoutRetryAfter.length === 0 ? [] : ['503 without Retry-After']),
  ];
}

/** Whether the platform recovers on its own once there is space, or only after an operator's restart of the server. */
async function backByItself(bed: TestBed, server: 'mongo' | 'nats', form: Form, placed: () => number): Promise<string> {
  const stored = storedEvents(bed);
  const placedBefore = placed();
  const well = async () => placed() > placedBefore && (await stored.grew());
  try {
    await until('it recovers on its own', BY_ITSELF_MS[form], well);
    return 'recovered on its own';
  } catch {
    await bed.restart(server);
    return `recovered after a restart of ${server}`;
  }
}

/** The number of events that the broker has received. */
function storedEvents(bed: TestBed) {
  const first = lastSequence(bed);
  let last: number | undefined;
  let sinceMs = performance.now();
  return {
    /** Whether there are more than at first. */
    grew: async () => (await lastSequence(bed)) > (await first),
    async sameFor(ms: number): Promise<boolean> {
      const now = await lastSequence(bed).catch(() => last);
      if (now !== last) sinceMs = performance.now();
      last = now;
      await delay(50);
      return performance.now() - sinceMs > ms;
    },
  };
}

async function lastSequence(bed: TestBed): Promise<number> {
  const manager = await jetstreamManager(bed.bus.nats);
  return (await manager.streams.info(EVENT_STREAM)).state.last_seq;
}

export const databaseFaults: readonly Fault[] = [killedMidWrite];
export const fullDisks: readonly Fault[] = [databaseFull, brokerFull];
