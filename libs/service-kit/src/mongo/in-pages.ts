import type { Collection, mongo } from 'mongoose';

/** The documents of one command: it ends soon, and they fit into memory, however many there are in all. */
const PAGE = 1_000;

/**
 * The documents that `filter` finds, in the order of `key`, which no two of them share and which an index must serve.
 * With `members`, only these of each document.
 */
export async function* inPages<
  Doc extends { _id: string },
  Key extends keyof Doc & string,
  Member extends keyof Doc & string = keyof Doc & string,
>(
  collection: Collection<Doc>,
  key: Key,
  { filter = {}, members }: { filter?: mongo.Filter<Doc>; members?: readonly Member[] } = {},
): AsyncGenerator<Pick<Doc, Key | Member>> {
  const projection = members && Object.fromEntries([key, ...members].map((name) => [name, 1]));
  const options: mongo.FindOptions = { sort: { [key]: 1 }, limit: PAGE, ...(projection && { projection }) };
  let after: mongo.Document = {};
  for (;;) {
    const page = await collection.find<Pick<Doc, Key | Member>>({ ...filter, ...after }, options).toArray();
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { [key]: { $gt: last[key] } };
  }
}
