import {
  aboutAmendment,
  accepted,
  AMENDMENTS_MAX,
  type AmendmentPreview,
  type AmendmentPreviewInput,
  type JudgedAmendment,
  type ListedOffering,
  notForSale,
  orderAmendmentsFull,
  PlatformError,
  soldOut,
  tooFewLeft,
  whyNotForSale,
} from '@event-commerce/contracts';
import { amendmentToPrice, fewerSeats, shownAmendment, withoutStatedTotal, withStatedTotal } from './amended-order.ts';
import { type AskedLines, askedLines } from './domain/asked-lines.ts';
import { ticketsByEvent } from './domain/kept-claims.ts';
import {
  type AmendOrderDeps,
  mayStatePrices,
  offeringsOf,
  refuseUnamendable,
  remainingOf,
  returnedIn,
  throwAboutAmendment,
} from './amend-order.ts';
import { type Actor, orderFor } from './move-order.ts';
import type { OrderRecord } from './order-record.ts';

/**
 * What an amendment would come to in each mode, or why it would be refused. Claims and changes nothing, so others may
 * buy what it adds. Only the amendment itself checks how many tickets the customer may have.
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
  const { offerings, current } = await offeringsOf(deps, by.caller, record, asked);
  const toPrice = amendmentToPrice(record, asked, input, { mayStatePrices: mayStatePrices(by), offerings });
  const judged = await deps.purchases
    .previewAmendment(by.caller, { ...withoutStatedTotal(toPrice), revision: record.revision + 1 })
    .catch(throwAboutAmendment);
  const unavailable = refusalOf(record, asked, current, deps.clock());
  const show = (one: JudgedAmendment): AmendmentPreview['keep'] => {
    try {
      const priced = accepted(one);
      if (unavailable !== undefined) throw unavailable;
      return shownAmendment(record, withStatedTotal(toPrice, priced), asked.added, seats);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const { code, message, details } = aboutAmendment(error);
      return { code, message, ...(details === undefined ? {} : { details: [...details] }) };
    }
  };
  return { keep: show(judged.keep), reprice: show(judged.reprice) };
}

/** Why the order cannot get what it adds, in any mode. */
function refusalOf(
  { id, order: { items, amendments } }: OrderRecord,
  { remaining, added }: AskedLines,
  current: ReadonlyMap<string, ListedOffering>,
  now: Date,
): PlatformError | undefined {
  if (amendments === AMENDMENTS_MAX) return orderAmendmentsFull(id);
  const listed = added.flatMap((line) => {
    const offering = current.get(line.offeringId);
    return offering === undefined ? [] : [{ ...line, offering }];
  });
  const offSale = listed.flatMap(({ offeringId, index, quantity, offering }) => {
    const why = whyNotForSale(offering, remainingOf(items, remaining, offeringId) + quantity, now);
    return why === undefined ? [] : [{ offeringId, index, detail: why.detail }];
  });
  if (offSale.length > 0) return notForSale(offSale);
  const returned = ticketsByEvent(returnedIn(items, remaining));
  const wanted = ticketsByEvent(listed.map((line) => ({ ...line, eventId: line.offering.eventId })));
  const short = listed.flatMap(({ offeringId, index, quantity, offering: { availability, event, eventId } }) => {
    const ofOffering = availability.left ?? Infinity;
    // The event's tickets that the order returns are exchanged.
    const ofEvent = (event.left ?? Infinity) + (returned.get(eventId) ?? 0);
    const asked = wanted.get(eventId) ?? 0;
    const left = Math.min(ofOffering, ofEvent);
    if (ofOffering < quantity) return [{ offeringId, index, left, detail: tooFewLeft('has', left, quantity) }];
    if (ofEvent >= asked) return [];
    return [{ offeringId, index, left, detail: tooFewLeft('belongs to an event that has', ofEvent, asked) }];
  });
  return short.length === 0 ? undefined : soldOut(short);
}
