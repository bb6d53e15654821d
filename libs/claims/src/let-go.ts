import { batched } from '@event-commerce/service-kit';
import { type Batch, endingUnder, leavingTo, type Reliance } from './changes.ts';
import type { Claim } from './claim.ts';
import type { PoolStore } from './pool-store.ts';

/** How often a batch retries what others keep changing. A claim that is left then lapses. */
const ROUNDS_MAX = 8;

/**
 * Ends the reliance of a request on a claim, and the claim with it if no other request relies on it. Resolves with
 * whether the claim ended. Concurrent calls are batched: what many give up of one pool is written once.
 */
export function createLetGo(store: PoolStore): (one: { claim: Claim; attempt: string }) => Promise<boolean> {
  const letGoAll = async (asks: readonly { claim: Claim; attempt: string }[]): Promise<(boolean | Error)[]> => {
    const outcomes = new Map<string, boolean | Error>();
    // At first as if no other request relied on the claims.
    let ending = reliancesOf(asks);
    let leaving: Reliance[] = [];
    for (let round = 1; ending.length + leaving.length > 0 && round <= ROUNDS_MAX; round++) {
      const made = new Map([
        ...(await store.changeEach<Reliance, Batch<Reliance>>(byPool(ending), endingUnder)),
        ...(await store.changeEach<Reliance, Batch<Reliance>>(leaving.map(alone), leavingTo)),
      ]);
      const ended = new Set(ending);
      const waiting = [...ending, ...leaving].filter((one) => {
        const outcome = made.get(one);
        if (outcome !== 'unknown') outcomes.set(one.claim.id, outcome instanceof Error ? outcome : ended.has(one));
        return outcome === 'unknown';
      });
      const poolIds = [...new Set(waiting.map(({ poolId }) => poolId))];
      const pools = poolIds.length === 0 ? new Map() : await store.read(poolIds, { outbox: 0, recent: 0 });
      [ending, leaving] = [[], []];
      for (const one of waiting) {
        const pending: Pick<Claim, 'id' | 'attempts'>[] = pools.get(one.poolId)?.pending ?? [];
        const relying = pending.find(({ id }) => id === one.claim.id)?.attempts ?? [];
        const attempts = one.attempts.filter((attempt) => relying.includes(attempt));
        if (attempts.length === 0) continue;
        (attempts.length === relying.length ? ending : leaving).push({ ...one, attempts });
      }
    }
    return asks.map(({ claim }) => outcomes.get(claim.id) ?? false);
  };
  return batched(letGoAll, { key: ({ claim }) => claim.poolId });
}

function reliancesOf(asks: readonly { claim: Claim; attempt: string }[]): Reliance[] {
  const reliances = new Map<string, Reliance & { attempts: string[] }>();
  for (const { claim, attempt } of asks) {
    const known = reliances.get(claim.id);
    if (known === undefined) reliances.set(claim.id, { poolId: claim.poolId, claim, attempts: [attempt] });
    else if (!known.attempts.includes(attempt)) known.attempts.push(attempt);
  }
  return [...reliances.values()];
}

function byPool(reliances: readonly Reliance[]): Batch<Reliance>[] {
  return [...Map.groupBy(reliances, ({ poolId }) => poolId)].map(([poolId, members]) => ({ poolId, members }));
}

function alone(reliance: Reliance): Batch<Reliance> {
  return { poolId: reliance.poolId, members: [reliance] };
}
