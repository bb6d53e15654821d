import { connectBus, ensureStreams } from '@event-commerce/bus';
import { connectMongo, createIdentityVerifier, pingMongo, runProcess } from '@event-commerce/service-kit';
import { buildApp } from './app.ts';
import { loadConfig } from './config.ts';

await runProcess('cart', loadConfig, async (config, logger) => {
  const mongo = await connectMongo(config.MONGO_URL, { dbName: `${config.MONGO_DB_PREFIX}_cart`, appName: 'cart' });
  const bus = await connectBus({ url: config.NATS_URL, name: 'cart', logger });
  await ensureStreams(bus);

  const app = buildApp({
    logger,
    verifyIdentity: createIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, 'cart'),
    readiness: { mongo: () => pingMongo(mongo), nats: () => bus.check() },
  });
  await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ port: config.PORT }, 'cart is up');

  return async () => {
    await app.close();
    await bus.close();
    await mongo.close();
  };
});
