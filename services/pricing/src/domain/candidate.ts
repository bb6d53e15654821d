import type { CompiledAdjustment } from './compiled-adjustment.ts';
import { tagsMatch } from './eligibility/tags.ts';

/** One line of the cart that is priced. A single offering is a cart of one line. */
export interface Line {
  index: number;
  offeringId: string;
  eventId: string | undefined;
  tags: readonly string[] | undefined;
  /** Minor units for one ticket. */
  listPrice: number;
  quantity: number;
}

/** An adjustment that targets something in the cart, with the part of the cart that it applies to. */
export interface Candidate {
  readonly adjustment: CompiledAdjustment;
  /** The lines with its target and tags that hold at least one ticket, in the order of the cart. */
  readonly lines: Line[];
  /** Tickets on those lines. */
  quantity: number;
  /** What those tickets cost at list prices. */
  listSubtotal: number;
  /** Whether any targeted line carries a tag asked for, even one without tickets. */
  tagged: boolean;
}

export function newCandidate(adjustment: CompiledAdjustment): Candidate {
  return { adjustment, lines: [], quantity: 0, listSubtotal: 0, tagged: false };
}

/** Counts a targeted line in, if its tags match. Lines must come in order; the same line again changes nothing. */
export function addLine(candidate: Candidate, line: Line): void {
  if (candidate.lines.at(-1) === line || !tagsMatch(candidate.adjustment, line.tags)) return;
  candidate.tagged = true;
  if (line.quantity === 0) return;
  candidate.lines.push(line);
  candidate.quantity += line.quantity;
  candidate.listSubtotal += line.listPrice * line.quantity;
}
