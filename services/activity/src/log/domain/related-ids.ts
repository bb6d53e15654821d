import type { RecordChange } from '@event-commerce/contracts';

const RELATED_MAX = 50;
/** Members that are ids of records; lists of them end in `Ids`. */
const ID = /(?:^i|I)ds?$/;
/** Not a record that anybody looks for. */
const NOT_RECORDS = new Set(['companyId', 'lineId']);
/** Members that only services need, and whose ids the API does not know. */
const INTERNAL = new Set(['tickets', 'sale']);

/**
 * The ids of the records that `data` names, or named before `changes`, without its own: the values of members whose
 * names say that they are ids. Ids outside lists come first, so that long lists leave none of them out.
 */
export function relatedIds(data: unknown, subject: string, changes: readonly RecordChange[] = []): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, member: string): void => {
    if (found.size >= RELATED_MAX) return;
    if (typeof value === 'string') {
      if (ID.test(member) && !NOT_RECORDS.has(member) && value !== subject) found.add(value);
    } else if (Array.isArray(value)) {
      for (const each of value) visit(each, member);
    } else if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).filter(([name]) => !INTERNAL.has(name));
      const isList = (each: unknown) => Number(Array.isArray(each));
      for (const [name, each] of members.toSorted(([, a], [, b]) => isList(a) - isList(b))) visit(each, name);
    }
  };
  for (const { path, before } of changes) if (typeof before === 'string') visit(before, lastOf(path));
  visit(data, '');
  return [...found];
}

/** The member that a path leads to. */
function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
