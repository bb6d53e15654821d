import {
  type AmendmentPreview,
  type AmendmentPreviewInput,
  type JudgedAmendment,
  PlatformError,
} from '@event-commerce/contracts';
import { amendmentToPrice, fewerSeats, shownAmendment, withStatedTotal } from './amended-order.ts';
import { askedLines } from './domain/asked-lines.ts';
import { type AmendOrderDeps, mayStatePrices, refuseUnamendable } from './amend-order.ts';
import { type Actor, orderFor } from './move-order.ts';

/**
 * What an amendment would come to in each mode, or why it would be refused. Takes and changes nothing, so others may
 * buy meanwhile what it adds.
 *
 * @throws {PlatformError} ORDER_NOT_FOUND, ORDER_STATUS_CONFLICT, AMENDMENT_PENDING; VALIDATION_FAILED and NOT_FOR_SALE
 * for what no mode allows; FORBIDDEN for a placed order with `ofKey`; SERVICE_UNAVAILABLE
 */
export async function previewAmendment(
  deps: Pick<AmendOrderDeps, 'orders' | 'clock' | 'offerings' | 'purchases'>,
  by: Actor,
  id: string,
  input: AmendmentPreviewInput,
): Promise<AmendmentPreview> {
  const record = await orderFor(deps, by, id);
  refuseUnamendable(record);
  const { order } = record;
  const asked = askedLines(order.items, input.items, record.amended.linesMade);
  const seats = fewerSeats(record, input);
  const ids = [...order.items, ...asked.added].flatMap(({ offeringId }) => offeringId ?? []);
  const offerings = await deps.offerings.find(by.caller, ids);
  const toPrice = amendmentToPrice(record, asked, input, { mayStatePrices: mayStatePrices(by), offerings });
  const { total: _total, ...costs } = toPrice.costs;
  const revision = record.revision + 1;
  const judged = await deps.purchases.previewAmendment(by.caller, { ...toPrice, costs, orderId: record.id, revision });
  const show = (one: JudgedAmendment): AmendmentPreview['keep'] => {
    if ('refusal' in one) {
      const { code, message, details } = one.refusal;
      return { code, message, ...(details === undefined ? {} : { details }) };
    }
    try {
      const amendment = withStatedTotal(toPrice, one);
      return shownAmendment(record, amendment, asked.added, seats);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return { code: error.code, message: error.message };
    }
  };
  return { keep: show(judged.keep), reprice: show(judged.reprice) };
}
