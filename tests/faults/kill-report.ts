import { connectBus } from '@event-commerce/bus';
import { connectMongo, createLogger, until } from '@event-commerce/service-kit';
import type { ApiClient } from '@event-commerce/test-kit';
import type { Infrastructure } from '../../deploy/local/infrastructure.ts';
import { finding, type Verdict } from './fault.ts';
import { contradictions, FREE_AFTER_KILLS_MS } from './history.ts';
import type { Answers } from './order-stream.ts';
import { eventsInStream } from './stream-events.ts';

/** What may be killed. The supervisor restarts the services and the gateway, this run the servers. */
export const VICTIMS = ['pricing', 'commerce', 'gateway', 'nats', 'mongo'] as const;
export type Victim = (typeof VICTIMS)[number];

/** How often the capped code may be redeemed. */
export const CAP = 30;
export const SETTLE_TIMEOUT_MS = 90_000;

/** The findings of a run. Every list of faults is empty after a good run. */
export interface KillReport {
  kills: Record<Victim, number>;
  ordersPlaced: number;
  ordersRefused: number;
  /** A client was told that it was placed, but it is not stored. */
  lostOrders: string[];
  /** Stored, but no client was told that it was placed. */
  strayOrders: string[];
  /** Orders whose stored status is not what the last response about them said. */
  otherStates: string[];
  /** Redemptions that a stored order names and the ledger does not confirm. */
  lostRedemptions: string[];
  /** Redemptions that the ledger confirms and no stored order names. */
  strayRedemptions: string[];
  /** Caps that were exceeded, in words. */
  exceededCaps: string[];
  /** Responses that no order of events explains, in words. */
  contradictions: string[];
  /** Counters that differ from the ledger's sum, in words. */
  wrongCounters: string[];
  /** Pools and shares with claims that are not settled, or are being moved. */
  pendingClaims: number;
  /** Redemptions that are still held, though every order was confirmed or cancelled. */
  unconfirmed: number;
  /** Redemptions of cancelled orders that were not released. */
  unreturned: number;
  unpublishedEvents: number;
  /** Stored orders for which the stream has neither `order.placed` nor `order.confirmed`. */
  unheardOrders: string[];
}

export interface TestCompany {
  companyId: string;
  api: ApiClient;
  adjustments: { id: string; code: string; cap?: number; perCustomer?: number }[];
}

/** The findings of a run, and whether it passed. */
export function judgeKills({ kills, ordersPlaced, ordersRefused, ...found }: KillReport): Verdict {
  const wrong = Object.entries(found).flatMap(([what, value]) => {
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${what}: ${value.slice(0, 5).join(', ')}`];
    return value === 0 ? [] : [`${what}: ${value}`];
  });
  const victims = Object.entries(kills).map(([victim, times]) => `${victim} ${times}`);
  return finding(`${ordersPlaced} orders placed, ${ordersRefused} refused; killed ${victims.join(', ')}`, wrong);
}

/** Waits until everything has settled, and compares what clients were told with what is stored. */
export async function compare(
  infrastructure: Infrastructure,
  prefix: string,
  company: TestCompany,
  answers: Answers,
): Promise<Omit<KillReport, 'kills'>> {
  const logger = createLogger({ service: 'kill run', level: 'silent' });
  const mongo = await connectMongo(infrastructure.mongoUrl, { dbName: `${prefix}_commerce`, appName: 'kill run' });
  const bus = await connectBus({ url: infrastructure.natsUrl, name: 'kill run', logger });
  try {
    const commerce = mongo.getClient().db(`${prefix}_commerce`);
    const pricing = mongo.getClient().db(`${prefix}_pricing`);
    // One after the other, as one leads to the next: what is 0 stays 0 once everything before it is.
    const count = async () => {
      const orders = await commerce.collection('orders').countDocuments({ 'outbox.0': { $exists: true } });
      const pending = await pricing.collection('usages').countDocuments({ 'pending.0': { $exists: true } });
      const cancelled = await commerce.collection('orders').find({ status: 'cancelled' }).toArray();
      const unreturned = await pricing
        .collection('redemptions')
        .countDocuments({ _id: { $in: claimsOf(cancelled) }, status: { $in: ['held', 'confirmed'] } } as never);
      const held = await pricing.collection('redemptions').countDocuments({ status: 'held' });
      const transitions = await pricing.collection('usages').countDocuments({ 'transitions.0': { $exists: true } });
      const usages = await pricing.collection('usages').countDocuments({ 'outbox.0': { $exists: true } });
      // Last: a claim leaves its pool first, and after a kill in between the sweep removes it from the share.
      const inShares = await pricing.collection('customer_usage').countDocuments({ 'pending.0': { $exists: true } });
      return {
        pendingClaims: pending + transitions + inShares,
        unconfirmed: held,
        unpublishedEvents: orders + usages,
        unreturned,
      };
    };
    await until(
      'all claims are settled, all events published, and all cancelled redemptions released',
      SETTLE_TIMEOUT_MS,
      async () => {
        return Object.values(await count()).every((left) => left === 0);
      },
    ).catch(() => undefined);

    const orders = await commerce.collection('orders').find({ companyId: company.companyId }).toArray();
    const ledger = await pricing.collection('redemptions').find({ status: 'confirmed' }).toArray();
    const states = new Map(orders.map((order) => [String(order._id), order['status'] as string]));
    const stored = new Set(states.keys());
    const toldOf = (id: string) => (answers.cancelled.has(id) ? 'cancelled' : 'placed');
    const named = new Set(claimsOf(orders.filter(({ status }) => status !== 'cancelled')));
    const confirmed = new Set(ledger.map((entry) => String(entry._id)));
    const told = [...(await eventsInStream(bus, 'order.placed')), ...(await eventsInStream(bus, 'order.confirmed'))];
    const heard = new Set(told.map(({ subject }) => subject));
    const { exceededCaps, wrongCounters } = await judgeUsage(pricing, company, ledger);
    return {
      ordersPlaced: answers.placed.size,
      ordersRefused: answers.refused,
      lostOrders: [...answers.placed.difference(stored)],
      strayOrders: [...stored.difference(answers.placed)],
      otherStates: [...answers.placed]
        .filter((id) => stored.has(id) && states.get(id) !== toldOf(id))
        .map((id) => `${id} is ${states.get(id)}, not ${toldOf(id)}`),
      lostRedemptions: [...named.difference(confirmed)],
      strayRedemptions: [...confirmed.difference(named)],
      exceededCaps,
      contradictions: contradictions(answers.histories.get('CAPPED') ?? [], {
        caps: { CAPPED: CAP },
        freeAfterMs: FREE_AFTER_KILLS_MS,
      }),
      wrongCounters,
      ...(await count()),
      unheardOrders: [...stored.difference(heard)],
    };
  } finally {
    await bus.close();
    await mongo.close();
  }
}

function claimsOf(orders: readonly Record<string, any>[]): string[] {
  return orders.flatMap((order) => order['claims'].map((claim: any) => claim.redemptionId as string));
}

type Database = ReturnType<ReturnType<Awaited<ReturnType<typeof connectMongo>>['getClient']>['db']>;

async function judgeUsage(pricing: Database, company: TestCompany, ledger: Record<string, any>[]) {
  const exceededCaps: string[] = [];
  const wrongCounters: string[] = [];
  for (const { id, code, cap, perCustomer } of company.adjustments) {
    const entries = ledger.filter((entry) => entry['adjustmentId'] === id);
    if (cap !== undefined && entries.length > cap) exceededCaps.push(`${code}: ${entries.length} of ${cap}`);
    const total = await pricing.collection('usages').findOne({ _id: id } as never);
    const [confirmed, claimed] = [total?.['confirmed'] ?? 0, total?.['claimed'] ?? 0] as number[];
    if (confirmed !== entries.length || claimed !== entries.length) {
      wrongCounters.push(`${code}: confirmed ${confirmed}, claimed ${claimed}, ledger ${entries.length}`);
    }
    for (const [customerId, own] of Map.groupBy(entries, (entry) => entry['customerId'] as string)) {
      if (perCustomer === undefined) continue;
      if (own.length > perCustomer) exceededCaps.push(`${code} for ${customerId}: ${own.length} of ${perCustomer}`);
      const usage = await pricing.collection('customer_usage').findOne({ _id: `${id}\n${customerId}` } as never);
      if (usage?.['claimed'] !== own.length) {
        wrongCounters.push(`${code} for ${customerId}: ${JSON.stringify(usage)}, ledger ${own.length}`);
      }
    }
  }
  return { exceededCaps, wrongCounters };
}
