import { z } from 'zod';

/** What is known of a request's object beyond the members that it takes. */
export interface MemberNotes {
  /**
   * The shape of the answer about the same record. A caller may send it back: its other members are ignored, unless
   * they are `related`.
   */
  answer?: () => Readonly<Record<string, unknown>>;
  /** Members of related records that would be missed here, each with what takes its place: `conditions.minQuantity`. */
  related?: () => Readonly<Record<string, string>>;
  /** A merge patch: null is not absence here, it removes, or is refused for what cannot be removed. */
  isPatch?: true;
  /** For a list's query: the names that a caller may take for filters. They are refused, not ignored. */
  listed?: () => readonly string[];
}

/** Notes on request schemas; `schema.register(memberNotes, {...})` adds them. */
export const memberNotes = z.registry<MemberNotes>();

/** `related` names, each with what takes its place. */
export function placed(members: readonly string[], placeOf: (member: string) => string): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, placeOf(member)]));
}
