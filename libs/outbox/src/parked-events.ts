import { parseArgs } from 'node:util';
import mongoose from 'mongoose';
import { listParked, replayParked } from './parked.ts';

// Lists the events of one service that could never be published, and puts them back once the cause is fixed: `node
// libs/outbox/src/parked-events.ts --service pricing [--replay] [--id EVENT_ID]`. Exits with 1 if any is left.

const { values } = parseArgs({
  options: { service: { type: 'string' }, replay: { type: 'boolean', default: false }, id: { type: 'string' } },
});
const { MONGO_URL, MONGO_DB_PREFIX = 'event_commerce' } = process.env;
if (values.service === undefined || MONGO_URL === undefined) {
  process.stderr.write('usage: MONGO_URL=... parked-events.ts --service NAME [--replay] [--id EVENT_ID]\n');
  process.exit(2);
}
const db = await mongoose.createConnection(MONGO_URL, { dbName: `${MONGO_DB_PREFIX}_${values.service}` }).asPromise();
let left = 0;
for (const event of await listParked(db, values.id)) {
  const replayed = values.replay && (await replayParked(db, event));
  if (!replayed) left += 1;
  process.stdout.write(`${JSON.stringify({ ...event, replayed })}\n`);
}
await db.close();
process.stdout.write(left === 0 ? 'No parked events are left.\n' : `${left} events are parked.\n`);
process.exitCode = left === 0 ? 0 : 1;
