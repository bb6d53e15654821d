import type { SettleOrderReply, Tenant } from '@event-commerce/contracts';
import type { CustomerUsageRepository } from '../store/customer-usage.repository.ts';
import type { Page, Position } from '../store/sweep-page.ts';
import type { HeldClaim } from '../store/usage-record.ts';
import { confirmClaim, type SettleDeps } from './settle-claims.ts';

const AT_ONCE = 50;
/** When one run leaves the rest to the next: whoever cannot be asked may take long to say so. */
const RUN_MS_MAX = 2_000;

export interface ClaimSweepDeps extends SettleDeps {
  customers: CustomerUsageRepository;
  ttlMs: number;
  /** Asks commerce, for good, whether the order was written, and with what. */
  settleOrder: (orderId: string) => Promise<SettleOrderReply>;
}

/**
 * Ends claims that stayed pending too long: asks whoever knows whether the order exists, then confirms or releases. Whoever cannot be
 * asked now is asked again: a claim is never released on a guess. Ends too what a crash left with customers, and returns that it cut short.
 */
export function createClaimSweep(deps: ClaimSweepDeps): () => Promise<void> {
  const endClaim = async (claim: HeldClaim): Promise<void> => {
    if (claim.settledBy === 'commerce') {
      const { outcome, redemptionIds } = await deps.settleOrder(claim.orderId);
      // One that the order does not have was claimed by a copy of it that came too late to be the order.
      if (outcome === 'placed' && (redemptionIds?.includes(claim.id) ?? true)) return await confirmClaim(deps, claim);
    }
    const now = deps.clock();
    const ending = await deps.redemptions.settle({ claim, status: 'lapsed', now });
    if (ending === 'confirmed') await deps.usage.countConfirmed({ claim, now });
    else await deps.usage.forget(claim, ending === 'lapsed' ? 'lapsed' : 'cancelled', now);
  };

  /** A crash may leave a claim that has ended with its customer, whose place it would take for good. */
  const endForCustomer = async (claim: HeldClaim): Promise<void> => {
    // The adjustment lets go of a claim last: then the ledger says all there is to say.
    if (await deps.usage.isPending(claim)) return;
    if ((await deps.redemptions.endingOf(claim.id)) !== 'confirmed') return await deps.customers.forget(claim);
    for (const error of (await deps.customers.countConfirmed([claim])).values()) throw error;
  };

  const sweeps = [
    overdueSweep(deps, async (from) => deps.usage.pending(from), endClaim),
    overdueSweep(deps, async (from) => deps.customers.pending(from), endForCustomer),
    overdueSweep(
      deps,
      async (from) => deps.usage.releasing(from),
      async ({ companyId, redemptionId, by, adjustmentId }) =>
        deps.redemptions.endRelease(companyId, { id: redemptionId, by, adjustmentId }, deps.clock()),
    ),
  ];
  return async () => {
    for (const sweep of sweeps) await sweep();
  };
}

interface Seen {
  sinceMs: number;
  tries: number;
}

/**
 * Ends what is found to have been there for the time that claims have. How long is by this process's steady clock, so that a wrong wall
 * clock ends nothing. Each run goes on where the last one stopped, and begins with what was tried least, of each company in turn: what
 * cannot be ended holds up nothing else.
 */
function overdueSweep<One extends { id: string; companyId: Tenant }>(
  { ttlMs, logger }: Pick<ClaimSweepDeps, 'ttlMs' | 'logger'>,
  read: (from: Position | undefined) => Promise<Page<One>>,
  end: (one: One) => Promise<void>,
): () => Promise<void> {
  /** Of this round, which began with the first page, and of the one before. */
  let round = new Map<string, Seen>();
  let before = new Map<string, Seen>();
  let next: Position | undefined;

  const endOne = async (one: One): Promise<void> => {
    try {
      await end(one);
    } catch (err) {
      logger.warn({ err, claim: one.id }, 'a claim could not be settled yet');
    }
  };

  return async () => {
    const page = await read(next);
    const nowMs = performance.now();
    const seen = page.found.map((one) => ({ one, seen: before.get(one.id) ?? { sinceMs: nowMs, tries: 0 } }));
    for (const each of seen) round.set(each.one.id, each.seen);
    next = page.next;
    if (next === undefined) [before, round] = [round, new Map()];

    const overdue = seen.filter(({ seen: { sinceMs } }) => nowMs - sinceMs >= ttlMs);
    const ordered = inTurns(overdue.toSorted((a, b) => a.seen.tries - b.seen.tries));
    for (let done = 0; done < ordered.length && performance.now() - nowMs < RUN_MS_MAX; done += AT_ONCE) {
      const some = ordered.slice(done, done + AT_ONCE);
      for (const each of some) each.seen.tries += 1;
      await Promise.all(some.map(async ({ one }) => endOne(one)));
    }
  };
}

/** The first of each company, then the second of each, and so on. */
function inTurns<Each extends { one: { companyId: Tenant } }>(all: readonly Each[]): Each[] {
  const turns: Each[][] = [];
  for (const ofCompany of Map.groupBy(all, ({ one }) => one.companyId).values()) {
    for (const [turn, each] of ofCompany.entries()) (turns[turn] ??= []).push(each);
  }
  return turns.flat();
}
