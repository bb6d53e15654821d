import { type EvaluateCartRequest, type EvaluateRequest, type PriceBasis, codeKey } from '@event-commerce/contracts';
import type { Line } from './candidate.ts';
import { compareText } from './compare-text.ts';

/** The contexts of an event. */
export interface EventContexts {
  seriesId?: string | undefined;
  venueId?: string | undefined;
  organizerId?: string | undefined;
}

/** What is known about a request's events; an event that is missing here stands alone. */
export type KnownEvents = ReadonlyMap<string, EventContexts>;

/** A cart's lines: as they were sent, and the same ones in the order of the cascade. */
export interface CartLines {
  cart: readonly Line[];
  lines: readonly Line[];
}

/** The lines of a cart as the cascade prices them. */
export function linesOf({ lines }: Pick<EvaluateCartRequest, 'lines'>, events: KnownEvents): Line[] {
  return lines.map(({ offering, quantity }, index) => ({
    index,
    offeringId: offering.id,
    contexts: contextsOf(offering, events),
    tags: offering.tags,
    basePrice: offering.price.amount,
    listPrice: offering.price.amount,
    quantity,
  }));
}

/** The lines of an order in `cart`, and the id of each; `lineIds` has their ids in the same order. */
export function linesOfOrder(
  cart: Pick<EvaluateCartRequest, 'lines'>,
  events: KnownEvents,
  lineIds: readonly string[],
  rankIn?: (lineId: string) => number,
): { idOf: (line: Line) => string; inCascade: CartLines } {
  const placed = linesOf(cart, events);
  const ids = new Map(placed.map((line, index) => [line, lineIds[index] ?? '']));
  const idOf = (line: Line): string => ids.get(line) ?? '';
  if (rankIn !== undefined) for (const line of placed) line.rank = rankIn(idOf(line));
  return { idOf, inCascade: { cart: placed, lines: inOrderOfContent(placed) } };
}

/** The places that lines had in the cascade; a line that is new comes after all of them. */
export function ranksIn({ lines }: PriceBasis): (lineId: string) => number {
  const ranks = new Map(lines.map((lineId, rank) => [lineId, rank]));
  return (lineId) => ranks.get(lineId) ?? ranks.size;
}

/**
 * Sorts the lines by their content, and renumbers them, so that ties go to the same line wherever the buyer put it. For
 * an order's lines, the rank decides before the content.
 */
export function inOrderOfContent(cart: readonly Line[]): Line[] {
  const contentOf = contents();
  const lines = cart.toSorted(
    (a, b) =>
      a.basePrice - b.basePrice ||
      a.quantity - b.quantity ||
      rankOf(a) - rankOf(b) ||
      compareText(contentOf(a), contentOf(b)) ||
      // Last: an order's line without an offering is named by its position.
      compareText(a.offeringId, b.offeringId),
  );
  for (const [index, line] of lines.entries()) line.index = index;
  return lines;
}

/**
 * The lines in an order of tickets: the same however the buyer spreads them over lines. How many tickets a line has
 * decides only between lines that are alike.
 */
export function inOrderOfTickets(lines: readonly Line[]): Line[] {
  const contentOf = contents();
  return lines.toSorted(
    (a, b) =>
      a.basePrice - b.basePrice ||
      rankOf(a) - rankOf(b) ||
      compareText(contentOf(a), contentOf(b)) ||
      compareText(a.offeringId, b.offeringId) ||
      a.quantity - b.quantity,
  );
}

function rankOf({ rank = 0 }: Line): number {
  return rank;
}

/** The content of lines, computed once for each: a line is compared with many others. */
function contents(): (line: Line) => string {
  const known = new Map<Line, string>();
  return (line) => {
    let content = known.get(line);
    if (content === undefined) {
      content = JSON.stringify([line.contexts, line.tags]);
      known.set(line, content);
    }
    return content;
  };
}

function contextsOf({ eventId, ...given }: EvaluateRequest['offering'], events: KnownEvents): string[] {
  const event: EventContexts | undefined = eventId === undefined ? undefined : events.get(eventId);
  const seriesId = event?.seriesId;
  const venueId = event?.venueId ?? given.venueId;
  const organizerId = event?.organizerId ?? given.organizerId;
  const contexts: string[] = [];
  // A target that names a series as an event, or as a series, includes its instances.
  if (eventId !== undefined) contexts.push(`event/${eventId}`, `series/${eventId}`);
  if (seriesId !== undefined) contexts.push(`event/${seriesId}`, `series/${seriesId}`);
  if (venueId !== undefined) contexts.push(`venue/${venueId}`);
  if (organizerId !== undefined) contexts.push(`organization/${organizerId}`);
  return contexts;
}

/** The keys of the codes that a request presents. */
export function codesOf({ codes }: EvaluateCartRequest['cartContext']): ReadonlySet<string> {
  return new Set(codes?.map(codeKey));
}
