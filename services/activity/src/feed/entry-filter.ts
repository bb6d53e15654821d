import {
  type ActivityStreamQuery,
  allows,
  kindNotReadable,
  kindOf,
  readableKinds,
  type Scope,
  scopeToRead,
} from '@event-commerce/contracts';
import { term } from '../log/domain/terms.ts';
import type { EntryFilter } from '../log/log.repository.ts';

/**
 * What a caller with `scopes` is looking for, among what it may read.
 *
 * @throws {PlatformError} FORBIDDEN if it names a type that it may not read
 */
export function entryFilter(query: Omit<ActivityStreamQuery, 'after'>, scopes: readonly Scope[]): EntryFilter {
  const { type: types = ['*'], subject, related, actor } = query;
  const kinds = readableKinds(scopes);
  const wanted = types.flatMap((type) => {
    if (type === '*') return kinds.map(term.kind);
    const kind = kindOf(type);
    const needed = scopeToRead(kind);
    if (needed !== undefined && !allows(scopes, needed)) throw kindNotReadable(type, needed);
    // A kind that is not known has no entries that anybody could read.
    return type.endsWith('.*') ? [term.kind(kind)] : [term.type(type)];
  });
  return {
    terms: [
      ...(subject === undefined ? [] : [[term.subject(subject)]]),
      ...(related === undefined ? [] : [[term.related(related)]]),
      ...(actor === undefined ? [] : [[term.actor(actor)]]),
      [...new Set(wanted)],
    ],
  };
}
