import { type EvaluateCartRequest, type EvaluateRequest, codeKey } from '@event-commerce/contracts';
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

/**
 * Sorts the lines by their content, and renumbers them, so that ties go to the same line wherever the buyer put it.
 * `rankOf`: for lines of an order, where it decides before their content does.
 */
export function inOrderOfContent(cart: readonly Line[], rankOf: (line: Line) => number = () => 0): Line[] {
  const contents = new Map<Line, string>();
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

  /** Computed once: a line is compared with many others. */
  function contentOf(line: Line): string {
    let content = contents.get(line);
    if (content === undefined) {
      content = JSON.stringify([line.contexts, line.tags]);
      contents.set(line, content);
    }
    return content;
  }
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
