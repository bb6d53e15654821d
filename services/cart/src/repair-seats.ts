import { connectBus } from '@event-commerce/bus';
import {
  brokerOf,
  connectMongo,
  createCallAsProcess,
  createLogger,
  NATS_SETTINGS,
  noQuotas,
  readConfig,
} from '@event-commerce/service-kit';
import { readCommandLine, SCRIPT } from '@event-commerce/service-kit/command-line';
import { sessionTimes, settings } from './config.ts';
import { commerceOrders } from './orders.ts';
import { cartModels } from './models.ts';
import { sessionOrders } from './sessions/session-orders.ts';
import { sessionRepository } from './sessions/session.repository.ts';
import { tableRepository } from './tables/table.repository.ts';
import { repairSeats } from './tables/repair-seats.ts';

const USAGE = `Usage: node ${SCRIPT} [--repair]

Finds table seats that cancelled orders still hold. Exits with 1 if one remains. Commerce must be running.

  --repair  frees them
`;

const { values } = readCommandLine(USAGE, { options: { repair: { type: 'boolean', default: false } } });
const needed = { ...NATS_SETTINGS, MONGO_URL: true, MONGO_DB_PREFIX: true, SERVICE_PRIVATE_KEY: true } as const;
const config = readConfig(settings.pick({ ...needed, CART_IDLE_DAYS: true, SEAT_HOLD_MINUTES: true }), process.env);
const dbName = `${config.MONGO_DB_PREFIX}_cart`;
const logger = createLogger({ service: 'cart repair', level: 'warn' });
const mongo = await connectMongo(config.MONGO_URL, { dbName, appName: 'cart repair' });
const bus = await connectBus({ ...brokerOf(config), name: 'cart', logger });
const models = cartModels(mongo);
/** The running services find the events written here, and publish them. */
const relay = { publish: () => {}, stop: async () => {} };
const deps = {
  sessions: sessionRepository(models, relay, sessionTimes(config), noQuotas),
  sessionOrders: sessionOrders(models, relay, sessionTimes(config).idleMs),
  tables: tableRepository(models, relay, noQuotas),
  orders: commerceOrders(createCallAsProcess(bus, 'cart', config.SERVICE_PRIVATE_KEY)),
  clock: () => new Date(),
};

let standing = 0;
for await (const seat of repairSeats(deps, { repair: values.repair })) {
  if (!seat.repaired) standing += 1;
  process.stdout.write(`${JSON.stringify(seat)}\n`);
}
await bus.close();
await mongo.close();
process.stdout.write(standing === 0 ? 'No cancelled order holds a seat.\n' : `${standing} seats are held.\n`);
process.exitCode = standing === 0 ? 0 : 1;
