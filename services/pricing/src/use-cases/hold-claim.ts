import { setTimeout as delay } from 'node:timers/promises';
import type { AdjustmentRecord } from '../store/adjustment.repository.ts';
import type { HoldOutcome } from '../store/claim-writer.ts';
import type { HeldClaim } from '../store/usage-record.ts';
import type { UsageRepository } from '../store/usage.repository.ts';
import { keepsChanging } from './claim-refusals.ts';

type Followed = Pick<AdjustmentRecord, 'id' | 'version' | 'conditions' | 'origin' | 'couponId' | 'customersSince'>;

/** How long a claim is tried again while others keep changing what it depends on: less than those who ask wait for an answer. */
export const CLAIM_WITHIN_MS = 2_000;
/** On a slow machine a few tries take all of that time, and are made nevertheless. */
const ATTEMPTS_MIN = 5;
const DELAY_MAX_MS = 100;

/**
 * Runs `attempt` until it answers something; undefined means that what it depends on was changed meanwhile.
 *
 * @throws {PlatformError} what `attempt` throws, or SERVICE_UNAVAILABLE after `untilMs` of the steady clock and a few attempts
 */
export async function untilAnswered<T>(untilMs: number, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
    if (attempts >= ATTEMPTS_MIN && performance.now() > untilMs) throw keepsChanging();
    await delay(Math.random() * Math.min(2 ** attempts, DELAY_MAX_MS));
  }
}

/**
 * Holds `claim` under `adjustment` as it is known here, if it has not changed since and its cap leaves room. Undefined when others kept
 * changing the usage: ask again.
 */
export async function holdClaim(
  usage: UsageRepository,
  claim: HeldClaim,
  adjustment: Followed,
): Promise<HoldOutcome | undefined> {
  const under = { version: adjustment.version, maxRedemptions: adjustment.conditions.maxRedemptions };
  let outcome = await usage.hold({ claim, under });
  if (outcome === undefined) return undefined;
  const admitted = outcome.held || outcome.standing !== undefined;
  if (!admitted && (outcome.usage?.definitionVersion ?? 0) < adjustment.version) {
    // The first claim ever, or a crash came between a change of the adjustment and its usage.
    await usage.follow(claim.companyId, adjustment);
    outcome = await usage.hold({ claim, under });
  }
  return outcome;
}

/** Whether a claim was not admitted because the adjustment had been changed. */
export function isOutdated(adjustment: Pick<Followed, 'version'>, outcome: HoldOutcome): boolean {
  return outcome.usage?.definitionVersion !== adjustment.version;
}

/** Whether a claim on `adjustment` is counted for its customer: also while no cap asks for it, so that none is missing when one does. */
export function countsCustomer(
  { conditions, customersSince }: Pick<AdjustmentRecord, 'conditions' | 'customersSince'>,
  customerId: string | undefined,
): boolean {
  return (
    customerId !== undefined && (conditions.maxRedemptionsPerCustomer !== undefined || customersSince !== undefined)
  );
}
