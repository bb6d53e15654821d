import { couponInput, type CouponInput, invalidInput, PlatformError } from '@event-commerce/contracts';
import { type Caller, makeOnce, validate } from '@event-commerce/service-kit';
import { BLANK, changeDefinition, type CouponDefinition, isEffective } from '../domain/coupon.ts';
import { codeTaken, type CouponRecord, type CouponRepository } from '../store/coupon.repository.ts';

/** The pricing service, as a coupon needs it. */
export interface CodeHolders {
  /** Whether a live adjustment, other than that of coupon `couponId`, holds `code`. */
  isHeld(caller: Caller, code: string, couponId: string | undefined): Promise<boolean>;
}

export interface CouponDeps {
  coupons: CouponRepository;
  codes: CodeHolders;
  clock: () => Date;
}

const ATTEMPTS_MAX = 10;

/** @throws {PlatformError} VALIDATION_FAILED, COUPON_CODE_TAKEN; SERVICE_UNAVAILABLE when nobody can say who holds the code */
export async function createCoupon(deps: CouponDeps, caller: Caller, input: CouponInput): Promise<CouponRecord> {
  const definition = changeDefinition(BLANK, withDiscount(BLANK, input));
  return await makeOnce(caller, 'cpn', {
    find: (id) => deps.coupons.find(caller.tenant, id),
    make: async (id) => {
      await refuseHeldCode(deps, caller, definition, undefined);
      return await deps.coupons.create(caller, id, definition, deps.clock());
    },
  });
}

/**
 * Changes a coupon; setting it active brings an archived one back.
 *
 * @throws {PlatformError} COUPON_NOT_FOUND, VALIDATION_FAILED, COUPON_CODE_TAKEN, VERSION_CONFLICT, SERVICE_UNAVAILABLE
 */
export async function changeCoupon(
  deps: CouponDeps,
  caller: Caller,
  id: string,
  input: CouponInput,
): Promise<CouponRecord> {
  return await retried(deps, caller, id, async (current) => {
    const definition = changeDefinition(current.definition, withDiscount(current.definition, input));
    const archived = current.archived && input.status !== 'active';
    if (!archived) await refuseHeldCode(deps, caller, definition, id);
    return { definition, archived };
  });
}

/** Takes a coupon out of use for good. Archiving what is archived changes nothing. */
export async function archiveCoupon(deps: CouponDeps, caller: Caller, id: string): Promise<CouponRecord> {
  return await retried(deps, caller, id, async (current) =>
    current.archived ? undefined : { definition: { ...current.definition, enabled: false }, archived: true },
  );
}

export function couponNotFound(id: string): PlatformError {
  return new PlatformError('COUPON_NOT_FOUND', `There is no coupon ${id}.`);
}

/** `input` with a `discountValue` that stands alone as the discount that it changes: the one in `input`, else that of the coupon. */
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

async function retried(
  deps: CouponDeps,
  caller: Caller,
  id: string,
  next: (current: CouponRecord) => Promise<{ definition: CouponDefinition; archived: boolean } | undefined>,
): Promise<CouponRecord> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const current = await deps.coupons.find(caller.tenant, id);
    if (current === undefined) throw couponNotFound(id);
    const change = await next(current);
    if (change === undefined) return current;
    const changed = await deps.coupons.replace(caller, current, change, deps.clock());
    if (changed !== undefined) return changed;
  }
  throw new PlatformError('VERSION_CONFLICT', 'The coupon is being changed by others; read it and try again.');
}

/** Pricing may learn of a code between this look and the write; the coupon then ends in conflict, never two with one code. */
async function refuseHeldCode(
  deps: CouponDeps,
  caller: Caller,
  definition: CouponDefinition,
  couponId: string | undefined,
): Promise<void> {
  if (!isEffective(definition) || definition.code === undefined) return;
  if (await deps.codes.isHeld(caller, definition.code, couponId)) throw codeTaken(definition.code);
}
