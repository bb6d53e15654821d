import { newAttempt } from '@event-commerce/service-kit';
import type { Claim } from './claim.ts';
import type { Pools } from './create-pools.ts';

/** The order that claims are for, as the request to claim them says. */
export interface ClaimingOrder {
  orderId: string;
  key?: string | undefined;
  content?: string | undefined;
  attempt?: string | undefined;
  reopening?: number | undefined;
}

/** What the claims of one order have in common. */
export type OrdersClaim = Pick<
  Claim,
  'orderId' | 'status' | 'settledBy' | 'key' | 'content' | 'attempts' | 'reopening'
>;

/** `other-copy`: a copy of the order holds some claims for another order id; claim anew for that one. */
export type AllHeld = { kind: 'held'; orderId: string; claims: Claim[] } | { kind: 'other-copy'; orderId: string };

/**
 * Holds everything that an order wants: all, or nothing and the first obstacle. What one step has is claimed together,
 * and the steps one after another. A copy of the order that arrives while its claims are pending gets the same claims,
 * and the order id that they are held for: it never takes a second place. The first claim tells whether there is one,
 * so the first step has one alone.
 */
export async function holdAll<Wanted, Obstacle>(
  pools: Pick<Pools, 'letGo'>,
  { key, content, reopening, attempt = newAttempt(), ...order }: ClaimingOrder,
  steps: readonly (readonly Wanted[])[],
  hold: (wanted: Wanted, claim: OrdersClaim) => Promise<{ claim: Claim } | { obstacle: Obstacle }>,
): Promise<AllHeld | Obstacle> {
  const common: Omit<OrdersClaim, 'orderId'> = {
    status: 'pending',
    settledBy: 'commerce',
    ...(key === undefined ? {} : { key }),
    ...(content === undefined ? {} : { content }),
    attempts: [attempt],
    ...(reopening === undefined ? {} : { reopening }),
  };
  const claims: Claim[] = [];
  let { orderId } = order;
  let isComplete = false;
  try {
    for (const step of steps) {
      const outcomes = await Promise.allSettled(
        step.map(async (wanted) => {
          const outcome = await hold(wanted, { ...common, orderId });
          if ('claim' in outcome) claims.push(outcome.claim);
          return outcome;
        }),
      );
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') throw outcome.reason;
        if ('obstacle' in outcome.value) return outcome.value.obstacle;
        const { claim } = outcome.value;
        if (claim.orderId !== orderId && claims.length > 1) return { kind: 'other-copy', orderId: claim.orderId };
        ({ orderId } = claim);
      }
    }
    isComplete = true;
    return { kind: 'held', orderId, claims };
  } finally {
    // A claim that cannot be let go now lapses.
    if (!isComplete) await Promise.allSettled(claims.map((claim) => pools.letGo(claim, attempt)));
  }
}
