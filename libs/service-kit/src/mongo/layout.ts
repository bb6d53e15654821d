import type { Connection } from 'mongoose';
import { updateOrInsert } from './mongo.ts';

/** The layout of the records in every database. A change that older records do not survive raises it. */
const LAYOUT = 2;

interface LayoutDocument {
  _id: 'layout';
  version: number;
}

/**
 * Makes sure that the records in the database are of the layout that this version reads. There is no release yet, so
 * records of an older one are not converted.
 *
 * @throws {Error} that says how to start afresh
 */
export async function ensureLayout(connection: Connection): Promise<void> {
  const layouts = connection.collection<LayoutDocument>('layout');
  const isCurrent = async () => (await layouts.countDocuments({ _id: 'layout', version: LAYOUT })) > 0;
  if (await isCurrent()) return;
  if (!(await hasRecords(connection))) {
    await updateOrInsert(layouts, { _id: 'layout' }, { $setOnInsert: { version: LAYOUT } });
    return;
  }
  // A replica that started at the same time may have stored the layout since.
  if (await isCurrent()) return;
  throw new Error(
    `The records in the database ${connection.name} are of another layout, which this version cannot read. ` +
      'To start afresh, delete them: the folder .data of npm start, the volumes of Compose ' +
      '(docker compose down --volumes), or the database itself.',
  );
}

async function hasRecords(connection: Connection): Promise<boolean> {
  const collections = (await connection.db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  const first = await Promise.all(
    collections.map(async ({ name }) => connection.collection(name).findOne({}, { projection: { _id: 1 } })),
  );
  return first.some((document) => document !== null);
}
