const RELATED_MAX = 50;
/** Members that are ids of records; lists of them end in `Ids`. */
const ID = /(?:^i|I)ds?$/;
/** Not a record that anybody looks for. */
const NOT_RECORDS = new Set(['companyId', 'lineId']);
/** Members that only services need, and whose ids the API does not know. */
const INTERNAL = new Set(['tickets']);

/** The ids of the records that `data` names, without its own: those of its members that are called ids. */
export function relatedIds(data: unknown, subject: string): string[] {
  const found = new Set<string>();
  const visit = (value: unknown, member: string): void => {
    if (found.size >= RELATED_MAX) return;
    if (typeof value === 'string') {
      if (ID.test(member) && !NOT_RECORDS.has(member) && value !== subject) found.add(value);
    } else if (Array.isArray(value)) {
      for (const each of value) visit(each, member);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) if (!INTERNAL.has(name)) visit(each, name);
    }
  };
  visit(data, '');
  return [...found];
}
