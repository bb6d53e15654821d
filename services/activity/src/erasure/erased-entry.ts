import type { EntryDocument } from '../models.ts';
import { bytesOf, changesIn } from '../log/entry-of-event.ts';
import { termsOf } from '../log/domain/terms.ts';

/** Members with the id of a customer. */
const CUSTOMER_ID = /(?:^|\.)(?:customerId|uid|customer\.id)$/;

type Erased = Pick<EntryDocument, 'data' | 'related' | 'terms' | 'bytes'> & { changes?: string };

/** An entry in which the ids of a customer are replaced with the pseudonym; undefined if it has none of them. */
export function erasedEntry(entry: EntryDocument, ids: readonly string[], pseudonym: string): Erased | undefined {
  const replaced = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') return CUSTOMER_ID.test(path) && ids.includes(value) ? pseudonym : value;
    if (Array.isArray(value)) return value.map((each) => replaced(each, path));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, replaced(each, path === '' ? name : `${path}.${name}`)]),
    );
  };
  const data = JSON.stringify(replaced(JSON.parse(entry.data), ''));
  const changes =
    entry.changes === undefined
      ? undefined
      : JSON.stringify(
          changesIn(entry.changes).map(({ path, ...sides }) => {
            const shown = Object.entries(sides).map(([side, value]) => [side, replaced(value, path)]);
            return { path, ...(Object.fromEntries(shown) as typeof sides) };
          }),
        );
  const related = [...new Set(entry.related.map((id) => (ids.includes(id) ? pseudonym : id)))];
  if (data === entry.data && changes === entry.changes && related.every((id, n) => id === entry.related[n])) {
    return undefined;
  }
  const terms = termsOf({ ...entry, related });
  const bytes = bytesOf({ data, changes, terms });
  return { data, related, terms, bytes, ...(changes === undefined ? {} : { changes }) };
}
