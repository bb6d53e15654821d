import { type AdjustmentInput, type CouponState, hasCode, recordKey, tryAgainShortly } from '@event-commerce/contracts';
import { batched, type Logger, newId, retryOnConflict, type Writer } from '@event-commerce/service-kit';
import { hasEnded } from './domain/adjustment.ts';
import type { AdjustmentRecord } from './adjustment-record.ts';
import type { AdjustmentRepository, CouponLink } from './adjustment.repository.ts';
import type { CouponStateRepository } from './coupon-state.repository.ts';

export interface FollowCouponDeps {
  adjustments: Pick<
    AdjustmentRepository,
    'create' | 'replace' | 'findByCoupon' | 'findHolder' | 'couponsInConflict' | 'makeKnown'
  >;
  couponStates: CouponStateRepository;
  clock: () => Date;
  logger: Logger;
}

interface Asked {
  writer: Writer;
  couponId: string;
}

const CODE_TAKEN = 'code-taken';

export type CouponFollower = ReturnType<typeof createCouponFollower>;

/** Keeps the adjustments of coupons in step with them. Waiting calls about one coupon share a run. */
export function createCouponFollower(deps: FollowCouponDeps) {
  /**
   * Updates the coupon's adjustment to the newest known state, whichever event brought it: the last of concurrent
   * handlers to finish sees everything that was stored, so the adjustment ends in the newest state. If another
   * adjustment holds the code, the adjustment stays paused and in conflict. Resolves once every replica uses the
   * adjustment.
   */
  const reconcile = batched(
    async (asked: readonly Asked[]) => {
      // All are about one coupon, and the last one stored the newest state.
      const { writer, couponId } = asked.at(-1) as Asked;
      const keepsChanging = () =>
        tryAgainShortly(`The adjustment of coupon ${couponId} keeps changing; try again shortly.`);
      // All callers that share the run get its error: none of them needs to retry alone.
      const followed = await retryOnConflict(async () => reconcileOnce(deps, writer, couponId), keepsChanging).then(
        ({ adjustment }) => adjustment,
        (error: Error) => error,
      );
      return asked.map(() => followed);
    },
    { key: ({ writer: { tenant }, couponId }) => recordKey(tenant, couponId), itemsMax: Infinity },
  );

  /**
   * A coupon that exceeds the company's quota keeps waiting: a change that frees quota also changes an adjustment, and
   * so leads to `retryConflicts` again.
   */
  const reconcileWhereRoom = async (writer: Writer, couponId: string): Promise<AdjustmentRecord | undefined> => {
    try {
      return await reconcile({ writer, couponId });
    } catch (err) {
      if (!hasCode(err, 'QUOTA_EXCEEDED')) throw err;
      deps.logger.info({ err, couponId }, 'a coupon keeps waiting: its company has reached a quota');
      return undefined;
    }
  };

  return {
    /**
     * Processes commerce's state of a coupon, and updates the coupon's adjustment to match. Safe to repeat and to
     * reorder. Resolves with the adjustment, which every replica uses then; with nothing if the coupon never had an
     * effect.
     */
    async follow(writer: Writer, state: CouponState): Promise<AdjustmentRecord | undefined> {
      await deps.couponStates.keepNewest(writer.tenant, state);
      return await reconcile({ writer, couponId: state.id });
    },

    /**
     * Finishes the work of a writer that may have been killed: a coupon's adjustment matches the newest state of the
     * coupon, and every replica uses it.
     */
    async finishChange(writer: Writer, written: AdjustmentRecord): Promise<void> {
      const { couponId } = written;
      const followed = couponId === undefined ? undefined : await reconcileWhereRoom(writer, couponId);
      if (followed === undefined) await deps.adjustments.makeKnown(written);
    },

    /**
     * Follows a coupon that changed to `version`. Calls `read` only if that version is unknown: commerce asks pricing
     * to follow a change before it publishes it.
     */
    async followChange(
      writer: Writer,
      { id, version }: Pick<CouponState, 'id' | 'version'>,
      read: () => Promise<CouponState | undefined>,
    ): Promise<void> {
      const known = await deps.couponStates.find(writer.tenant, id);
      const newest = known !== undefined && known.version >= version ? known : await read();
      if (newest !== undefined) await this.follow(writer, newest);
    },

    /** A code may have become free: retries for the company's coupons that wait for one. */
    async retryConflicts(writer: Writer): Promise<void> {
      for (const couponId of await deps.adjustments.couponsInConflict(writer.tenant)) {
        await reconcileWhereRoom(writer, couponId);
      }
    },
  };
}

/** Resolves with undefined if it must be retried with fresh reads. */
async function reconcileOnce(
  deps: FollowCouponDeps,
  writer: Writer,
  couponId: string,
): Promise<{ adjustment: AdjustmentRecord | undefined } | undefined> {
  const state = await deps.couponStates.find(writer.tenant, couponId);
  const current = await deps.adjustments.findByCoupon(writer.tenant, couponId);
  const unchanged = async () => {
    // The handler that wrote it may not have got this far.
    if (current !== undefined) await deps.adjustments.makeKnown(current);
    return { adjustment: current };
  };
  if (state === undefined) return await unchanged();
  const wanted = state.terms ?? archived(current);
  if (wanted === undefined || isSettled(current, state)) return await unchanged();
  // It never had an effect, perhaps because the company's quota was used up.
  if (current === undefined && wanted.status === 'archived') return { adjustment: undefined };
  const mustWait = current?.codeConflict === true && (await isHeldByAnother(deps, writer, current, wanted));
  const written = mustWait ? CODE_TAKEN : await put(deps, writer, state, current, wanted, false);
  if (written !== CODE_TAKEN) return written && { adjustment: written };
  if (current?.couponVersion === state.version && current.codeConflict === true) return await unchanged();
  // Retried if another handler has just created this coupon's adjustment.
  await put(deps, writer, state, current, { ...wanted, status: 'paused' }, true);
  // A handler that released the code before this was stored did not see that a coupon waits for it.
  return undefined;
}

function isSettled(current: AdjustmentRecord | undefined, state: CouponState): boolean {
  return current?.couponVersion === state.version && current.codeConflict !== true;
}

/** The new state of the adjustment of a coupon that no longer has an effect. */
function archived(current: AdjustmentRecord | undefined): AdjustmentInput | undefined {
  return current && { ...current, status: 'archived' };
}

/**
 * Whether an adjustment other than `current` holds the code that this waits for. A write would find out too, but would
 * use the company's quota meanwhile, and the company's own requests could be refused for that.
 */
async function isHeldByAnother(
  deps: FollowCouponDeps,
  { tenant }: Writer,
  current: AdjustmentRecord,
  wanted: AdjustmentInput,
): Promise<boolean> {
  const { status, conditions } = wanted;
  const now = deps.clock();
  if (status !== 'active' || conditions.code === undefined || hasEnded(wanted, now)) return false;
  const holder = await deps.adjustments.findHolder(tenant, conditions.code, now);
  return holder !== undefined && holder.id !== current.id;
}

/** Resolves with undefined if the adjustment was changed since `current` was read. */
async function put(
  deps: FollowCouponDeps,
  writer: Writer,
  state: CouponState,
  current: AdjustmentRecord | undefined,
  wanted: AdjustmentInput,
  codeConflict: boolean,
): Promise<AdjustmentRecord | typeof CODE_TAKEN | undefined> {
  const link: CouponLink = { couponId: state.id, couponVersion: state.version, codeConflict };
  const now = deps.clock();
  try {
    if (current === undefined) return await deps.adjustments.create(writer, newId('adj'), wanted, now, link);
    return await deps.adjustments.replace(writer, current, wanted, now, link);
  } catch (error) {
    if (hasCode(error, 'COUPON_CODE_TAKEN')) return CODE_TAKEN;
    throw error;
  }
}
