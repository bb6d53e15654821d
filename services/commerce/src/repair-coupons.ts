import { instant } from '@event-commerce/contracts';
import { connectMongo, readConfig } from '@event-commerce/service-kit';
import { readCommandLine, refuseCommandLine, SCRIPT } from '@event-commerce/service-kit/command-line';
import { settings } from './config.ts';
import { commerceModels } from './models.ts';
import { republishCoupons } from './coupons/republish-coupons.ts';

const USAGE = `Usage: node ${SCRIPT} [--since TIME]

Publishes the present state of coupons again, so that pricing applies what it missed. For after events were lost.
Safe while services run: they publish it.

  --since TIME  only coupons that were changed at TIME or later, such as 2027-07-10T18:00:00Z
`;

const { values } = readCommandLine(USAGE, { options: { since: { type: 'string', default: '1970-01-01T00:00:00Z' } } });
const since = instant.safeParse(values.since);
if (!since.success) refuseCommandLine(USAGE, `"${values.since}" is not a time.`);
const config = readConfig(settings.pick({ MONGO_URL: true, MONGO_DB_PREFIX: true }), process.env);
const dbName = `${config.MONGO_DB_PREFIX}_commerce`;
const mongo = await connectMongo(config.MONGO_URL, { dbName, appName: 'commerce repair' });
const told = await republishCoupons(commerceModels(mongo), { since: new Date(since.data), now: new Date() });
await mongo.close();
process.stdout.write(`${told} coupons are published again. It is done when outbox_lag_seconds is 0.\n`);
