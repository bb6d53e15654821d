import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@event-commerce/service-kit';
import type { Infrastructure } from '../../deploy/local/infrastructure.ts';
import { type Platform, PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { seededRandom } from '../faults/seeded-random.ts';
import { withOwnPlatform } from '../harness/own-platform.ts';
import { ask, buy, type Outcome, type Plan } from './buyer.ts';
import { judgeSale, type SaleReport } from './judge-sale.ts';
import { settled } from './settled.ts';
import { openSale, type Sale, type Supply } from './sale.ts';

const BUYERS_AT_ONCE = 32;
const REPLICAS = 2;
const BETWEEN_KILLS_MS = 1_500;
const CLAIM_TTL_MS = 2_000;
const RECOVERY_TIMEOUT_MS = 60_000;

const VICTIMS = [...PROCESS_NAMES, 'nats', 'mongo'] as const;
type Victim = (typeof VICTIMS)[number];

interface SaleOptions {
  buyers: number;
  kills: number;
  seed: number;
  supply: Supply;
  /** Whether some pending orders are left to expire, which takes at least a minute. */
  expiries: boolean;
  progress: (line: string) => void;
}

/**
 * Many buyers want few tickets, at two replicas of everything, while processes and servers are killed. Once everyone
 * has an answer, latecomers buy what orders returned, until nothing is left. The same seed makes the same plans and
 * kills the same victims in the same order.
 */
export async function saleRun(options: SaleOptions): Promise<SaleReport> {
  const env = {
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    CLAIM_TTL_MS: String(CLAIM_TTL_MS),
    LOG_LEVEL: 'warn',
  };
  const { progress } = options;
  return await withOwnPlatform({ name: 'sale', replicas: REPLICAS, progress, env }, async (own) => {
    const sale = await openSale(own, options.supply);
    const outcomes: Outcome[] = [];
    let buying = true;
    const crowd = sellToCrowd(sale, options, outcomes).finally(() => (buying = false));
    const [kills] = await Promise.all([killRandomly(own.replicas, own.infrastructure, options, () => buying), crowd]);
    progress(`${outcomes.length} buyers have their answer`);
    await sellTheRest(own, sale, options, outcomes);
    return { kills, ...(await judgeSale(own, sale, outcomes)) };
  });
}

async function sellToCrowd(sale: Sale, options: SaleOptions, outcomes: Outcome[]): Promise<void> {
  const random = seededRandom(options.seed);
  const plans = Array.from({ length: options.buyers }, () => randomPlan(sale, random, options.expiries));
  let next = 0;
  const buyer = async () => {
    for (let n = next++; n < plans.length; n = next++) {
      outcomes.push(await buy(sale, `buyer-${n}`, n, plans[n] as Plan));
      if (outcomes.length % 500 === 0) options.progress(`${outcomes.length} of ${plans.length} buyers`);
    }
  };
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, buyer));
}

function randomPlan({ offeringIds }: Sale, random: () => number, expiries: boolean): Plan {
  const oneIn = (n: number) => random() < 1 / n;
  const pending = oneIn(3);
  const steps: Plan['steps'][number][] = [];
  if (pending && !(expiries && oneIn(4))) steps.push(oneIn(3) ? 'cancel' : 'confirm');
  else if (!pending && oneIn(6)) steps.push('cancel');
  if (steps.includes('cancel') && oneIn(2)) steps.push('reopen');
  const anyOffering = () => offeringIds[Math.floor(random() * offeringIds.length)] as string;
  const fewTickets = () => 1 + Math.floor(random() * 3);
  // Before the other steps or after them; a cancelled order cannot be changed.
  const change = { change: { offeringId: anyOffering(), quantity: fewTickets() } };
  if (oneIn(3)) steps.splice(steps.includes('cancel') ? 0 : Math.round(random()) * steps.length, 0, change);
  return {
    offeringId: anyOffering(),
    quantity: oneIn(2) ? 1 : fewTickets(),
    wantsSeat: oneIn(5),
    wantsDiscount: oneIn(2),
    clicks: oneIn(4) ? 2 : 1,
    pending,
    steps,
  };
}

async function killRandomly(
  replicas: readonly Platform[],
  infrastructure: Infrastructure,
  { kills: count, seed, progress }: SaleOptions,
  buying: () => boolean,
): Promise<Record<Victim, number>> {
  const random = seededRandom(seed + 1);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const kills = Object.fromEntries(VICTIMS.map((victim) => [victim, 0])) as Record<Victim, number>;
  for (let n = 1; n <= count && buying(); n++) {
    await delay(random() * BETWEEN_KILLS_MS);
    const victim = pick(VICTIMS);
    const platform = pick(replicas);
    kills[victim] += 1;
    progress(`kill ${n} of ${count}: ${victim}`);
    if (victim === 'nats' || victim === 'mongo') {
      await infrastructure.servers[victim].kill9();
      await infrastructure.servers[victim].restart();
    } else {
      platform.kill(victim, 'SIGKILL');
      await until(`${victim} is back`, RECOVERY_TIMEOUT_MS, async () => platform.ready(victim).then(() => true));
    }
  }
  return kills;
}

/**
 * What cancelled and expired orders returned is sold to latecomers. Those who can choose take the discount and a seat
 * while there are any; for the remaining discounts and seats, orders without them are cancelled.
 */
async function sellTheRest(
  own: Parameters<typeof settled>[0],
  sale: Sale,
  options: SaleOptions,
  outcomes: Outcome[],
): Promise<void> {
  let n = 0;
  const late = async (plan: Partial<Plan>): Promise<Outcome> => {
    n += 1;
    const rest = {
      wantsSeat: false,
      wantsDiscount: false,
      clicks: 1,
      pending: false,
      steps: [],
      offeringId: '',
      quantity: 1,
    };
    const outcome = await buy(sale, `late-${n}`, n, { ...rest, ...plan });
    outcomes.push(outcome);
    return outcome;
  };
  const max = options.supply.capacity * 4;
  const sellAll = async (plan: Partial<Plan>) => {
    for (const offeringId of sale.offeringIds) {
      while (n < max && 'told' in (await late({ ...plan, offeringId })));
    }
  };
  // A cart keeps its seat when its order expires, for as long as the cart lives: these buyers leave.
  for (const sessionId of (await settled(own)).idle) {
    await ask(() => sale.apiOf(n).post(`/v1/cart/sessions/${sessionId}/leave-table`));
  }
  await sellAll({ wantsDiscount: true, wantsSeat: true });
  for (;;) {
    const { discounts, seats, plain } = await settled(own);
    const [discountsLeft, seatsLeft] = [options.supply.redemptions - discounts, options.supply.seats - seats];
    const swapped = plain.slice(0, Math.max(discountsLeft, seatsLeft, 0));
    if (n >= max || swapped.length === 0) return;
    for (const { id } of swapped) {
      const beganMs = performance.now();
      await sale.apiOf(n).post(`/v1/orders/${id}/cancel`, {});
      const owner = outcomes.find((outcome) => 'told' in outcome && outcome.told.orderId === id);
      if (owner === undefined || !('told' in owner)) continue;
      owner.told.state = 'cancelled';
      owner.history.push({ what: 'write', order: id, takes: {}, told: 'done', beganMs, endedMs: performance.now() });
    }
    await settled(own);
    for (const [index, { offeringId }] of swapped.entries()) {
      await late({ offeringId, wantsDiscount: index < discountsLeft, wantsSeat: index < seatsLeft });
    }
    // A cancelled order may have had more than one ticket.
    await sellAll({});
  }
}
