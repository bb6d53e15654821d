import {
  type CodeHolder,
  codeTaken,
  contextKindOf,
  couponInput,
  type CouponDefinition,
  type CouponInput,
  couponNotFound,
  couponProblems,
  type CouponState,
  type CouponStatus,
  type FollowCouponReply,
  hasCode,
  invalidInput,
  isLocal,
  zonedTime,
} from '@event-commerce/contracts';
import {
  type Caller,
  changedMembers,
  type IfMatch,
  makeOnce,
  refuseOtherVersion,
  retryOnConflict,
  validate,
  versionConflict,
  type TimeZonesOf,
} from '@event-commerce/service-kit';
import { BLANK, canBeEffective, changeDefinition, hasEnded, isEffective } from './domain/coupon.ts';
import type { CouponRecord } from './coupon-record.ts';
import type { CouponRepository, WrittenCoupon } from './coupon.repository.ts';

/** The part of the pricing service that coupons need. */
export interface CouponAdjustments {
  /**
   * The adjustment that holds `code`, unless it is that of coupon `couponId`.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  holderOf(caller: Caller, code: string, couponId: string | undefined): Promise<CodeHolder | undefined>;
  /**
   * Whether the company has a budget.
   *
   * @throws {PlatformError} SERVICE_UNAVAILABLE
   */
  hasBudget(caller: Caller, budgetId: string): Promise<boolean>;
  /**
   * Updates the coupon's adjustment to match the coupon. Resolves once every evaluation and every order uses it.
   *
   * @throws {PlatformError} QUOTA_EXCEEDED, SERVICE_UNAVAILABLE
   */
  follow(caller: Caller, state: CouponState): Promise<FollowCouponReply>;
}

export interface CouponDeps {
  coupons: CouponRepository;
  adjustments: CouponAdjustments;
  timeZones: TimeZonesOf;
  clock: () => Date;
}

/** `undone`: its creation failed and is undone. */
interface NextCoupon {
  definition: CouponDefinition;
  archived: boolean;
  undone?: boolean;
}

/**
 * Creates a coupon. It is in effect when this resolves.
 *
 * @throws {PlatformError} VALIDATION_FAILED, COUPON_CODE_TAKEN, QUOTA_EXCEEDED; SERVICE_UNAVAILABLE if pricing cannot
 * be reached. Then no coupon is left that would block another attempt.
 */
export async function createCoupon(deps: CouponDeps, caller: Caller, input: CouponInput): Promise<CouponRecord> {
  const definition = await settleTimes(deps, caller, changeDefinition(BLANK, withDiscount(BLANK, input)));
  refuseContradictions(definition);
  await refuseUnknownBudget(deps, caller, definition);
  return await retryOnConflict(async () => createOnce(deps, caller, definition), versionConflict('The coupon'));
}

/** Resolves with undefined if an earlier attempt with the same Idempotency-Key has just undone the coupon. */
async function createOnce(
  deps: CouponDeps,
  caller: Caller,
  definition: CouponDefinition,
): Promise<CouponRecord | undefined> {
  let written: WrittenCoupon | undefined;
  const made = await makeOnce<CouponRecord>(caller, 'cpn', {
    find: (id) => deps.coupons.find(caller.tenant, id),
    make: async (id) => {
      await refuseHeldCode(deps, caller, definition, undefined);
      written = await deps.coupons.create(caller, id, definition, deps.clock());
      return written;
    },
  });
  if (made.undone) {
    // An earlier attempt with the same Idempotency-Key failed: this one restores its coupon.
    written = await deps.coupons.replace(caller, made, { definition, archived: false }, deps.clock());
    if (written === undefined) return undefined;
  }
  const undone = { definition: { ...definition, enabled: false }, archived: true, undone: true };
  if (written === undefined) {
    // An earlier attempt created it, but may not have heard from pricing. Later changes stay.
    await takeEffect(deps, caller, made, made.version === 1 ? undone : made);
    // That attempt may still be waiting for pricing, and would undo the coupon that this one returns.
    return (await deps.coupons.keep(caller.tenant, made)) ? made : undefined;
  }
  try {
    await takeEffect(deps, caller, written, undone);
  } catch (error) {
    if (!hasCode(error, 'COUPON_CODE_TAKEN')) await undo(deps, caller, written, undone);
    throw error;
  } finally {
    written.publish();
  }
  return written;
}

/**
 * Changes a coupon; setting it active restores an archived one. The change is in effect when this resolves. A field
 * sent with its present value changes nothing.
 *
 * @throws {PlatformError} COUPON_NOT_FOUND, VALIDATION_FAILED, COUPON_CODE_TAKEN, QUOTA_EXCEEDED, VERSION_CONFLICT;
 * SERVICE_UNAVAILABLE if pricing cannot be reached. The change may already be stored, and then takes effect soon;
 * repeating the request makes sure of it.
 */
export async function changeCoupon(
  deps: CouponDeps,
  caller: Caller,
  id: string,
  input: CouponInput,
  ifMatch: IfMatch,
): Promise<CouponRecord> {
  return await change(deps, caller, id, ifMatch, async (current) => {
    const shown = current.shownAt(deps.clock());
    refuseComputedStatus(input, shown.status);
    const changes = changedMembers(withDiscount(current.definition, input), shown);
    if (Object.keys(changes).length === 0) return undefined;
    const definition = await settleTimes(deps, caller, changeDefinition(current.definition, changes));
    // Rules may have been added since it was stored: it must be possible to end a coupon that breaks them.
    if (Object.keys(changes).some((member) => member !== 'status')) refuseContradictions(definition);
    if (definition.budgetId !== current.definition.budgetId) await refuseUnknownBudget(deps, caller, definition);
    const archived = current.archived && changes.status !== 'active';
    if (!archived) await refuseHeldCode(deps, caller, definition, id);
    return { definition, archived };
  });
}

/**
 * Archives a coupon for good. Archiving an archived one changes nothing.
 *
 * @throws {PlatformError} as `changeCoupon`
 */
export async function archiveCoupon(
  deps: CouponDeps,
  caller: Caller,
  id: string,
  ifMatch: IfMatch,
): Promise<CouponRecord> {
  return await change(deps, caller, id, ifMatch, async (current) =>
    current.archived ? undefined : { definition: { ...current.definition, enabled: false }, archived: true },
  );
}

const TIMES = ['startsAt', 'expiresAt'] as const;

/**
 * `definition` with its window in UTC: a time without a zone is in the zone of what the coupon applies to.
 *
 * @throws {PlatformError} VALIDATION_FAILED if the coupon applies to several zones; SERVICE_UNAVAILABLE
 */
async function settleTimes(
  { timeZones }: CouponDeps,
  caller: Caller,
  definition: CouponDefinition,
): Promise<CouponDefinition> {
  const { contextIds, offeringIds } = definition;
  const local = TIMES.filter((time) => isLocal(definition[time] ?? ''));
  if (local.length === 0) return definition;
  const zones = await timeZones(caller, {
    eventIds: contextIds.filter((id) => contextKindOf(id) === 'event'),
    venueIds: contextIds.filter((id) => contextKindOf(id) === 'venue'),
    offeringIds,
  });
  const settled = { ...definition };
  for (const time of local) settled[time] = zonedTime(definition[time] ?? '', zones, time);
  return settled;
}

/** @throws {PlatformError} VALIDATION_FAILED if members of the coupon do not go together */
function refuseContradictions(definition: CouponDefinition): void {
  const [problem] = couponProblems(definition);
  if (problem !== undefined) throw invalidInput(problem.path, problem.message);
}

/** @throws {PlatformError} VALIDATION_FAILED if the company has no such budget, SERVICE_UNAVAILABLE */
async function refuseUnknownBudget({ adjustments }: CouponDeps, caller: Caller, { budgetId }: CouponDefinition) {
  if (budgetId === undefined || (await adjustments.hasBudget(caller, budgetId))) return;
  throw invalidInput(
    'budgetId',
    `names ${budgetId}, which is no budget of the company; GET /v1/pricing/budgets lists them`,
  );
}

/**
 * `input`, with its untyped `discountValue` turned into the discount that it changes: the one in `input`, else the
 * coupon's.
 */
function withDiscount(definition: CouponDefinition, { discountValue, ...input }: CouponInput): CouponInput {
  if (discountValue === undefined) return input;
  const discounts = ['percentOff', 'amountOff'] as const;
  const discount =
    discounts.find((one) => typeof input[one] === 'number') ??
    discounts.find((one) => input[one] === undefined && definition[one] !== undefined);
  if (discount === undefined) {
    throw invalidInput('discountValue', 'needs discountType beside it, because this coupon has no discount yet');
  }
  const discountType = discount === 'percentOff' ? 'percentage' : 'amount';
  const { percentOff, amountOff } = validate(couponInput, { [discount]: input[discount], discountType, discountValue });
  return { ...input, ...(discount === 'percentOff' ? { percentOff } : { amountOff }) };
}

/**
 * A computed status is ignored in a coupon that is sent back as read, like every field that the server controls. Sent
 * alone, it asks for something that cannot be set.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
function refuseComputedStatus({ status, ...others }: CouponInput, shown: CouponStatus): void {
  if (status === undefined || status === null || status === 'active' || status === 'inactive') return;
  if (status === shown || Object.keys(others).length > 0) return;
  throw invalidInput(
    'status',
    `can only be set to active or inactive, not to ${status}: that follows from the coupon's code, end and limit`,
  );
}

async function change(
  deps: CouponDeps,
  caller: Caller,
  id: string,
  ifMatch: IfMatch,
  next: (current: CouponRecord) => Promise<NextCoupon | undefined>,
): Promise<CouponRecord> {
  const { before, written } = await deps.coupons.changeInTurn(caller.tenant, id, async () => {
    const current = await deps.coupons.find(caller.tenant, id);
    if (current === undefined) throw couponNotFound(id);
    refuseOtherVersion(ifMatch, 'coupon', current.version);
    const wanted = await next(current);
    if (wanted === undefined) return { before: current };
    const replaced = await deps.coupons.replace(caller, current, wanted, deps.clock());
    return replaced && { before: current, written: replaced };
  });
  const changed = written ?? before;
  try {
    // Even if nothing changed: the previous writer may have failed before pricing responded.
    await takeEffect(deps, caller, changed, before);
  } finally {
    written?.publish();
  }
  return changed;
}

/**
 * Makes pricing apply `coupon` as it was just written. Its event is published afterwards: a consumer of the event finds
 * the change in the next price, and pricing does not do the same work twice at once. If another adjustment has taken
 * its code in the meantime, or pricing may not store more for the company, the coupon is reverted to `before`.
 *
 * @throws {PlatformError} COUPON_CODE_TAKEN, QUOTA_EXCEEDED, SERVICE_UNAVAILABLE
 */
async function takeEffect(deps: CouponDeps, caller: Caller, coupon: CouponRecord, before: NextCoupon): Promise<void> {
  // Pricing may still apply an older version: the writer of the newer one may have failed or been killed.
  if (coupon.version === 1 && !canBeEffective(coupon.definition)) return;
  const { couponVersion, codeConflict, codeHolder } = await deps.adjustments
    .follow(caller, coupon.state)
    .catch(async (error: unknown) => {
      if (hasCode(error, 'QUOTA_EXCEEDED')) await undo(deps, caller, coupon, before);
      throw error;
    });
  // The writer of a newer version handles its conflict.
  if (!codeConflict || couponVersion !== coupon.version) return;
  await undo(deps, caller, coupon, before);
  throw codeTaken(coupon.definition.code ?? '', 'code', codeHolder);
}

/** Writes `before` back, unless `coupon` was changed since. Pricing learns of this now, or from the event. */
async function undo(deps: CouponDeps, caller: Caller, coupon: CouponRecord, before: NextCoupon): Promise<void> {
  const undone = await deps.coupons.replace(caller, coupon, before, deps.clock());
  if (undone === undefined) return;
  await deps.adjustments.follow(caller, undone.state).catch(() => undefined);
  undone.publish();
}

/**
 * Refuses a code that is already held. If it is taken after this check, pricing finds out when it applies the coupon.
 * Pricing is asked even if the code stays the same: while it does not respond, no change is made that it would miss.
 */
async function refuseHeldCode(
  deps: CouponDeps,
  caller: Caller,
  definition: CouponDefinition,
  couponId: string | undefined,
): Promise<void> {
  if (!isEffective(definition) || definition.code === undefined) return;
  const holder = await deps.adjustments.holderOf(caller, definition.code, couponId);
  if (holder !== undefined && !hasEnded(definition, deps.clock())) throw codeTaken(definition.code, 'code', holder);
}
