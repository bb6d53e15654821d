import { connectMongo, firstIdAt, newId } from '@event-commerce/service-kit';
import type { MeasuredPlatform } from './measured-platform.ts';

const INSERTED_TOGETHER = 1_000;
const APART_MS = 1_000;
/** What follows the time in an id. */
const RANDOM_LENGTH = 16;

/**
 * Writes `count` copies of the record `id` straight to a process's database, as if one had been made every second until
 * now; the first is the oldest. `changes` returns what differs in each of them.
 */
export async function copyRecord(
  { infrastructure, dbNameOf }: Pick<MeasuredPlatform, 'infrastructure' | 'dbNameOf'>,
  service: string,
  collection: string,
  id: string,
  count: number,
  changes: (n: number, like: Record<string, unknown>, createdAt: Date) => Record<string, unknown>,
): Promise<void> {
  const mongo = await connectMongo(infrastructure.mongoUrl, { dbName: dbNameOf(service), appName: 'bench' });
  const documents = mongo.collection<Record<string, unknown> & { _id: string }>(collection);
  const like = (await documents.findOne({ _id: id })) as Record<string, unknown>;
  const prefix = id.slice(0, id.indexOf('_')) as Parameters<typeof newId>[0];
  const beganMs = Date.now() - count * APART_MS;
  const copyOf = (n: number) => {
    const createdMs = beganMs + n * APART_MS;
    return {
      ...like,
      _id: firstIdAt(prefix, createdMs) + newId(prefix).slice(-RANDOM_LENGTH),
      outbox: [],
      ...changes(n, like, new Date(createdMs)),
    };
  };
  for (let done = 0; done < count; done += INSERTED_TOGETHER) {
    const length = Math.min(INSERTED_TOGETHER, count - done);
    const copies = Array.from({ length }, (_, n) => copyOf(done + n));
    await documents.insertMany(copies, { ordered: false });
  }
  await mongo.close();
}
