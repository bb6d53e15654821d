import { type Adjustment, type AdjustmentInput, codeKey } from '@event-commerce/contracts';

/** The fields of a compiled adjustment that an evaluation or a claim needs: each stored field costs memory. */
export type KeptAdjustment = StoredFields & {
  /** The issued code that redeems it in this request. */
  issued?: IssuedCode;
};

/** A code that was issued for a coupon's adjustment, as it was read. */
export interface IssuedCode {
  code: string;
  /** How many orders may redeem it; 0 if it was revoked. */
  limit: number;
  /** The version of its pool's definition. */
  version: number;
}

type StoredFields = Pick<
  Adjustment,
  | 'id'
  | 'name'
  | 'type'
  | 'category'
  | 'origin'
  | 'priority'
  | 'status'
  | 'conditions'
  | 'effect'
  | 'couponId'
  | 'created'
  | 'version'
>;

/** A buyer as limits per customer see one: the e-mail address is the key of its share. */
export interface CountedBuyer {
  customerId?: string | undefined;
  customerEmail?: string | undefined;
}

/** The keys of the shares that an adjustment's limits per customer look at; none for an unknown buyer. */
export function sharesFor(
  { perCustomerBy }: Pick<Adjustment['conditions'], 'perCustomerBy'>,
  { customerId, customerEmail }: CountedBuyer,
): string[] {
  const byEmail = perCustomerBy === 'email' && customerEmail !== undefined ? [customerEmail] : [];
  return [...(customerId === undefined ? [] : [customerId]), ...byEmail];
}

/**
 * Whether `after` stays scheduled with the code of `before`. It then claims no code, even if another adjustment holds
 * it by now.
 */
export function keepsScheduledCode(
  before: Pick<AdjustmentInput, 'status' | 'conditions'>,
  after: Pick<AdjustmentInput, 'status' | 'conditions'>,
): boolean {
  const areScheduled = before.status === 'scheduled' && after.status === 'scheduled';
  return areScheduled && keyOf(before) === keyOf(after);
}

/** Whether it has ended: then it never applies again unless changed, and holds no code. */
export function hasEnded({ conditions: { endsAt } }: Pick<Adjustment, 'conditions'>, now: Date): boolean {
  return endsAt !== undefined && Date.parse(endsAt) <= now.getTime();
}

function keyOf({ conditions: { code } }: Pick<AdjustmentInput, 'conditions'>): string | undefined {
  return code === undefined ? undefined : codeKey(code);
}
