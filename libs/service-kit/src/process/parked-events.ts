import { listParked, replayParked } from '@event-commerce/outbox';
import mongoose from 'mongoose';
import { readCommandLine, refuseCommandLine, SCRIPT } from './command-line.ts';

const USAGE = `Usage: node ${SCRIPT} --service NAME [--replay] [--id EVENT_ID]

Lists the events of one process that could never be published. Exits with 1 if any is left.

  --service NAME   gateway, pricing, commerce, cart or events
  --replay         puts the events back, once the cause is fixed
  --id EVENT_ID    only this event

MONGO_URL and MONGO_DB_PREFIX name the databases.
`;

const { values } = readCommandLine(USAGE, {
  options: { service: { type: 'string' }, replay: { type: 'boolean', default: false }, id: { type: 'string' } },
});
const { MONGO_URL, MONGO_DB_PREFIX = 'event_commerce' } = process.env;
if (values.service === undefined) refuseCommandLine(USAGE, 'Name the service.');
if (MONGO_URL === undefined) refuseCommandLine(USAGE, 'Set MONGO_URL.');
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
