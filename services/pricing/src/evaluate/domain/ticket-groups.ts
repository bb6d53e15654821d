import { unitsOf } from '@event-commerce/contracts';
import { type Candidate, type Line, ticketsChangedBy } from './candidate.ts';
import { inOrderOfTickets } from './cart-lines.ts';
import type { TicketAllowance } from './eligibility/ticket-caps.ts';

/** Some tickets of a line of the cart, and the group that they are in. */
interface Piece {
  line: Line;
  group: Line;
  tickets: number;
}

/** The tickets of a cart in groups that the cascade prices in place of its lines. */
export interface TicketGroups {
  /** The groups, by index. */
  lines: readonly Line[];
  /** The lines that they were made of, in the order in which limited adjustments take their tickets. */
  inOrder: readonly Line[];
  /** The adjustments with the groups that they apply to. */
  candidates: readonly Candidate[];
  /** The same adjustment on the lines of the cart. */
  originalOf: (candidate: Candidate) => Candidate;
  pieces: readonly Piece[];
}

/**
 * Tickets of one price to which the same adjustments apply, one after the other in the order in which they are taken: no
 * rule can tell them apart.
 */
interface Alike {
  lines: Line[];
  tickets: number;
  /** After how many of them a limited adjustment ends. */
  ends: Set<number>;
}

/**
 * Splits the tickets of a cart so that each adjustment counts for all tickets of a group, or for none. One that may
 * count for `allowanceOf` tickets takes them by their prices before any adjustment, then by their content, whatever
 * competes there later. It adds one group at most. Undefined if every adjustment may count for all of its tickets: then
 * the lines stay as they are, unless the groups are needed `anyway`.
 */
export function ticketGroups(
  lines: readonly Line[],
  eligible: readonly Candidate[],
  allowanceOf: (candidate: Candidate) => TicketAllowance,
  anyway = false,
): TicketGroups | undefined {
  const limited = new Map(
    eligible.flatMap((candidate) => {
      const { units, reason } = allowanceOf(candidate);
      const wanted = ticketsChangedBy(candidate);
      return units < wanted ? [[candidate, { wanted, units, reason }] as const] : [];
    }),
  );
  if (limited.size === 0 && !anyway) return undefined;

  const inOrder = inOrderOfTickets(lines);
  const alike = alikeTickets(inOrder, eligible);
  const takenBy = new Map<Candidate, ReadonlyMap<Alike, number>>();
  for (const [candidate, { units }] of limited) {
    // A "buy x get y" finds its tickets itself.
    if (candidate.adjustment.effect.unitsTaken !== undefined) continue;
    const taken = take(units, candidate, alike.of(candidate));
    for (const [some, tickets] of taken) some.ends.add(tickets);
    takenBy.set(candidate, taken);
  }

  const groups: Line[] = [];
  const pieces: Piece[] = [];
  /** The groups of alike tickets, each with how many of these come before it. */
  const groupsOf = new Map<Alike, { group: Line; start: number }[]>();
  for (const some of alike.all) {
    const made = splitAlike(some, groups.length);
    groupsOf.set(some, made);
    groups.push(...made.map(({ group }) => group));
    pieces.push(...piecesOf(some, made));
  }

  const originals = new Map<Candidate, Candidate>();
  const candidates = eligible.map((candidate) => {
    const taken = takenBy.get(candidate);
    const applying = alike.of(candidate).flatMap((some) => {
      const made = groupsOf.get(some) ?? [];
      const counts = taken === undefined ? made : made.filter(({ start }) => start < (taken.get(some) ?? 0));
      return counts.map(({ group }) => group);
    });
    const limit = limited.get(candidate);
    const grouped = { ...candidate, lines: applying, ...(limit === undefined ? {} : { limited: limit }) };
    originals.set(grouped, candidate);
    return grouped;
  });
  return {
    lines: groups,
    inOrder,
    candidates,
    originalOf: (candidate) => originals.get(candidate) ?? candidate,
    pieces,
  };
}

function alikeTickets(inOrder: readonly Line[], eligible: readonly Candidate[]) {
  const applying = new Map<Line, number[]>(inOrder.map((line) => [line, []]));
  for (const [place, { lines }] of eligible.entries()) for (const line of lines) applying.get(line)?.push(place);
  const all: Alike[] = [];
  let lastKey: string | undefined;
  const on = eligible.map((): Alike[] => []);
  for (const [line, places] of applying) {
    const key = [line.basePrice, ...places].join();
    let some = key === lastKey ? all.at(-1) : undefined;
    if (some === undefined) {
      all.push((some = { lines: [], tickets: 0, ends: new Set() }));
      lastKey = key;
      for (const place of places) on[place]?.push(some);
    }
    some.lines.push(line);
    some.tickets += line.quantity;
  }
  const places = new Map(eligible.map((candidate, place) => [candidate, place]));
  return {
    all,
    /** The alike tickets that an adjustment applies to. */
    of: (candidate: Candidate): readonly Alike[] => on[places.get(candidate) ?? -1] ?? [],
  };
}

/** How many tickets of each of `from` an adjustment takes. */
function take(units: number, { adjustment }: Candidate, from: readonly Alike[]): ReadonlyMap<Alike, number> {
  const priceOf = ({ lines }: Alike) => lines[0]?.basePrice ?? 0;
  const ordered = takesDearest(adjustment) ? from.toSorted((a, b) => priceOf(b) - priceOf(a)) : from;
  const taken = new Map<Alike, number>();
  let left = units;
  for (const some of ordered) {
    if (left === 0) break;
    const tickets = Math.min(left, some.tickets);
    taken.set(some, tickets);
    left -= tickets;
  }
  return taken;
}

function takesDearest({ source }: Candidate['adjustment']): boolean {
  return unitsOf(source.effect)?.pick === 'dearest';
}

/** The groups of an adjustment in the order in which it takes their tickets. */
export function inTakingOrder({ adjustment, lines }: Candidate): readonly Line[] {
  return takesDearest(adjustment) ? lines.toSorted((a, b) => b.basePrice - a.basePrice) : lines;
}

function splitAlike({ lines: [line], tickets, ends }: Alike, firstIndex: number): { group: Line; start: number }[] {
  if (line === undefined) return [];
  const all = [...new Set([...ends, tickets])].toSorted((a, b) => a - b);
  return all.map((end, place) => {
    const start = place === 0 ? 0 : (all[place - 1] ?? 0);
    return { group: { ...line, index: firstIndex + place, quantity: end - start }, start };
  });
}

/** The lines of alike tickets take from their groups one after the other. */
function piecesOf({ lines }: Alike, made: readonly { group: Line; start: number }[]): Piece[] {
  let from = 0;
  return lines.flatMap((line) => {
    const [first, end] = [from, from + line.quantity];
    from = end;
    return made.flatMap(({ group, start }): Piece[] => {
      const tickets = Math.min(end, start + group.quantity) - Math.max(first, start);
      return tickets > 0 ? [{ line, group, tickets }] : [];
    });
  });
}

/** The pieces of each line. */
export function piecesByLine({ pieces }: TicketGroups): ReadonlyMap<Line, readonly Piece[]> {
  return Map.groupBy(pieces, ({ line }) => line);
}
