import {
  ARRAY_LENGTH_MAX,
  BUDGETS_OF_ORDER_MAX,
  type DropReason,
  invalidInput,
  codeKey,
  drawnBy,
  modifiersOf,
  type PlatformError,
  priceChanged,
  priceReasons,
  type PurchaseRequest,
  storedCode,
} from '@event-commerce/contracts';
import { exactAmount } from '../evaluate/domain/exact-amount.ts';
import type { CartPrice } from '../evaluate/domain/price.ts';
import type { CompanyAdjustments } from '../snapshot/domain/snapshot.ts';
import { adjustmentGone, codeGone, refused } from './claim-refusals.ts';

/** The reasons for a code to lose against others: the order has the best price without it. */
export const LOST: ReadonlySet<DropReason> = new Set([
  'replaced-within-category',
  'excluded-by-exclusive',
  'combination-is-cheaper',
  'no-effect',
  'code-counts-once',
]);

/**
 * Why an order cannot be placed at `price`: something that it names does not count, or it does not cost what was
 * expected.
 *
 * @throws {AmountTooLargeError} if the total is not exact
 */
export function quoteRefusal(
  {
    codes,
    adjustmentIds,
    charges,
    expectedTotal,
    expectedPath: path,
  }: Pick<PurchaseRequest, 'codes' | 'adjustmentIds' | 'charges' | 'expectedTotal' | 'expectedPath'>,
  snapshot: CompanyAdjustments,
  price: CartPrice,
): PlatformError | undefined {
  const presented = new Set(codes.map(codeKey));
  for (const { code, status, adjustmentId = '', reason, detail = '' } of price.codes) {
    if (!presented.has(codeKey(code))) continue;
    if (status === 'unknown') return codeGone(snapshot, code);
    if (reason === undefined || LOST.has(reason)) continue;
    return refused({ reason, detail }, { adjustmentId, code: storedCode(code) });
  }
  const redeemed = new Set(Array.from(modifiersOf(price), ({ adjustmentId }) => adjustmentId));
  for (const id of adjustmentIds) {
    if (redeemed.has(id)) continue;
    const drop =
      price.droppedAdjustments.find(({ adjustmentId }) => adjustmentId === id) ?? snapshot.compiled(id)?.targetMismatch;
    if (drop === undefined) return adjustmentGone(snapshot, id);
    const { reason, detail } = drop;
    if (!LOST.has(reason)) return refused({ reason, detail }, { adjustmentId: id });
  }
  const tooMany = redeemsTooMany(redeemed.size) ?? drawsOnTooMany(drawnBy(modifiersOf(price)).size);
  if (tooMany !== undefined) return tooMany;
  const { total: priced, currency } = price.summary;
  const total = exactAmount(priced + charges);
  if (expectedTotal === undefined || expectedTotal === total) return undefined;
  return priceChanged({ expectedTotal, path, total, currency, reasons: priceReasons(price) });
}

/** Each budget is claimed separately. */
function drawsOnTooMany(budgets: number): PlatformError | undefined {
  if (budgets <= BUDGETS_OF_ORDER_MAX) return undefined;
  const problem = `would draw on ${budgets} budgets, and one order can draw on at most ${BUDGETS_OF_ORDER_MAX}; split it into several orders`;
  return invalidInput('order.items', problem);
}

/** One request must hold all claims of an order, to release them and to claim them again when it is reopened. */
export function redeemsTooMany(adjustments: number): PlatformError | undefined {
  if (adjustments <= ARRAY_LENGTH_MAX) return undefined;
  const problem = `would redeem ${adjustments} adjustments, and one order can redeem at most ${ARRAY_LENGTH_MAX}; split it into several orders`;
  return invalidInput('order.items', problem);
}
