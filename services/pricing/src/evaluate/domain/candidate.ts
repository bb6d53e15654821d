import type { Modifier } from '@event-commerce/contracts';
import type { CompiledAdjustment } from '../../snapshot/domain/compiled-adjustment.ts';
import { tagsMatch } from './eligibility/tags.ts';
import type { Comparisons } from './price-bounds.ts';

/** One line of the priced cart. A single offering is a cart of one line. */
export interface Line {
  /** Its index among the lines that are priced together. */
  index: number;
  offeringId: string;
  /** Its contexts, each as `<kind>/<id>`: its event, and that event's series, venue and organization. */
  contexts: readonly string[];
  tags: readonly string[] | undefined;
  /** The price of one ticket before any adjustment, minor units. */
  readonly basePrice: number;
  /** For a line of an order: its place there, which decides before its content. */
  rank?: number;
  /** The list price of one ticket: the base price until the at-listing adjustments are applied. Minor units. */
  listPrice: number;
  quantity: number;
}

/** An adjustment that targets something in the cart, with the part of the cart that it applies to. */
export interface Candidate {
  readonly adjustment: CompiledAdjustment;
  /** The lines with its target and tags that have at least one ticket, by index. */
  readonly lines: readonly Line[];
  /** Tickets that it applies to: on those lines, or more if it is limited. */
  readonly quantity: number;
  /** How many of them it counts for, if not for all. Its lines are then these tickets: see `ticketGroups`. */
  readonly limited?: Limited;
  /** The most that it takes off, if its budget has no more left. */
  readonly most?: number;
  /** Whether any targeted line has a requested tag, even one without tickets. */
  readonly tagged: boolean;
}

/** As in a modifier. */
export type Limited = NonNullable<Modifier['limited']>;

/** How many tickets it changes the price of, if it changes any. */
export function ticketsChangedBy({ adjustment: { effect }, quantity, limited }: Candidate): number {
  return limited?.units ?? effect.unitsTaken?.(quantity) ?? quantity;
}

/** What `adjustment` applies to among the lines that it targets, by index. */
export function candidateOn(
  adjustment: CompiledAdjustment,
  targeted: readonly Line[],
  comparisons: Comparisons,
): Candidate {
  const { tags } = adjustment.conditions;
  const hasTag = (wanted: ReadonlySet<string>, line: Line): boolean => {
    comparisons.add('tag', line.tags?.length ?? 0);
    return tagsMatch(wanted, line.tags);
  };
  const tagged = tags === undefined ? targeted : targeted.filter((line) => hasTag(tags, line));
  const lines = withTickets(tagged);
  return { adjustment, lines, quantity: ticketsOf(lines), tagged: tagged.length > 0 };
}

export function withTickets(lines: readonly Line[]): readonly Line[] {
  return lines.every(({ quantity }) => quantity > 0) ? lines : lines.filter(({ quantity }) => quantity > 0);
}

export function ticketsOf(lines: readonly Line[]): number {
  let tickets = 0;
  for (const { quantity } of lines) tickets += quantity;
  return tickets;
}
