import { z } from 'zod';

/** What is known about a request's object beyond the members that it accepts. */
export interface MemberNotes {
  /**
   * The shape of the response about the same record. A caller may send it back: its other members are ignored, unless
   * they are `related`.
   */
  answer?: () => Readonly<Record<string, unknown>>;
  /** Members of related records that callers may expect here, each with its replacement: `conditions.minQuantity`. */
  related?: () => Readonly<Record<string, string>>;
  /** A merge patch: null does not mean absent, but removes a member, or is refused for one that cannot be removed. */
  isPatch?: true;
  /** For a list's query: the names that a caller may mistake for filters. They are refused, not ignored. */
  listed?: () => readonly string[];
}

/** Notes on request schemas; `schema.register(memberNotes, {...})` adds them. */
export const memberNotes = z.registry<MemberNotes>();

/** `related` names, each with its replacement. */
export function placed(members: readonly string[], placeOf: (member: string) => string): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, placeOf(member)]));
}
