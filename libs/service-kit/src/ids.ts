import { typeidUnboxed } from 'typeid-js';

/** The prefixes of the platform's own ids. */
export type IdPrefix = 'cpn' | 'adj' | 'rdm' | 'tkt' | 'cs' | 'ord' | 'evt' | 'off' | 'pg' | 'tbl' | 'key' | 'req';

/** A new TypeID: time-ordered, so that sorting by id sorts by creation. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}
