/** The id or the address of a person: everything else in a path is the id of a record. */
const PERSON = /(?<=\/customers\/)[^/]+(?=\/erase\/?$)/;

/** The path of a request as traces show it: without the query, which may have search terms, and without people. */
export function shownPath(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.replace(PERSON, '-');
}
