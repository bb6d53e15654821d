import {
  amendmentExpired,
  type AmendmentState,
  amendmentStatusConflict,
  type AmendmentWithBefore,
  type PlatformError,
} from '@event-commerce/contracts';
import type { Outcome } from './order-life.ts';

export type AmendmentTransition = 'confirm' | 'cancel';

/** The life of an amendment. An applied one is not undone: the order can be amended again. */
export const AMENDMENT_LIFE: Readonly<Record<AmendmentState, Readonly<Record<AmendmentTransition, Outcome>>>> = {
  pending: { confirm: 'moves', cancel: 'moves' },
  applied: { confirm: 'stays', cancel: 'refused' },
  cancelled: { confirm: 'refused', cancel: 'stays' },
  expired: { confirm: 'refused', cancel: 'stays' },
};

/** Whether the time of an order's pending amendment is over. `now` is the time of the process that decides. */
export function hasOverdueAmendment(
  { pendingAmendment }: { pendingAmendment: { expiresAt: Date } | undefined },
  now: Date,
): boolean {
  return pendingAmendment !== undefined && pendingAmendment.expiresAt <= now;
}

/** Why an amendment in this state cannot make `transition`; undefined if it can, or has made it. */
export function whyNotAmended(
  transition: AmendmentTransition,
  { id, state, expiresAt, created }: Pick<AmendmentWithBefore, 'id' | 'state' | 'expiresAt' | 'created'>,
): PlatformError | undefined {
  if (AMENDMENT_LIFE[state][transition] !== 'refused') return undefined;
  if (state === 'expired') return amendmentExpired(id, Date.parse(expiresAt ?? created));
  return amendmentStatusConflict(id, state, transition === 'cancel' ? 'amend the order back instead' : 'make it again');
}
