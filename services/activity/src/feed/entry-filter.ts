import {
  type ActivityStreamQuery,
  allows,
  kindNotReadable,
  kindOf,
  readableKinds,
  type Scope,
  scopeToRead,
} from '@event-commerce/contracts';
import { term, termOfType } from '../log/domain/terms.ts';
import type { EntryFilter } from '../log/log.repository.ts';

/**
 * What a caller with `scopes` is looking for, among what it may read.
 *
 * @throws {PlatformError} FORBIDDEN if it names a type that it may not read
 */
export function entryFilter(query: Omit<ActivityStreamQuery, 'after'>, scopes: readonly Scope[]): EntryFilter {
  const { type: types = ['*'], subject, related, actor } = query;
  for (const type of types) {
    const needed = scopeToRead(kindOf(type));
    if (needed !== undefined && !allows(scopes, needed)) throw kindNotReadable(type, needed);
  }
  return {
    terms: [
      ...(subject === undefined ? [] : [[term.subject(subject)]]),
      ...(related === undefined ? [] : [[term.related(related)]]),
      ...(actor === undefined ? [] : [[term.actor(actor)]]),
      wantedTerms(types, scopes),
    ],
  };
}

/** The terms of entries of `types`; `*` stands for everything that a caller with `scopes` may read. */
export function wantedTerms(types: readonly string[], scopes: readonly Scope[]): string[] {
  const wanted = types.flatMap((type) => {
    if (type === '*') return readableKinds(scopes).map(term.kind);
    // An unknown kind has no entries that anybody could read.
    return [termOfType(type)];
  });
  return [...new Set(wanted)];
}
