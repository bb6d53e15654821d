import { kindOf } from '@event-commerce/contracts';

/** What entries are found by. */
export const term = {
  type: (type: string) => `type ${type}`,
  kind: (kind: string) => `kind ${kind}`,
  subject: (id: string) => `subject ${id}`,
  related: (id: string) => `related ${id}`,
  actor: (keyId: string) => `actor ${keyId}`,
} as const;

/** The term of entries of a type; for `kind.*`, of entries of all types of a kind. */
export function termOfType(type: string): string {
  return type.endsWith('.*') ? term.kind(kindOf(type)) : term.type(type);
}

export function termsOf(entry: {
  type: string;
  subject: string;
  related: readonly string[];
  keyId?: string;
}): string[] {
  return [
    term.type(entry.type),
    term.kind(kindOf(entry.type)),
    term.subject(entry.subject),
    ...entry.related.map(term.related),
    ...(entry.keyId === undefined ? [] : [term.actor(entry.keyId)]),
  ];
}
