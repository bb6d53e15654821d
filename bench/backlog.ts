import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo } from '@event-commerce/service-kit';
import { type ApiClient, orderBody } from '@event-commerce/test-kit';
import { copyRecord } from './copy-record.ts';
import type { MeasuredPlatform } from './measured-platform.ts';

const LOOKED_EVERY_MS = 100;
/** If it takes longer, something is wrong. */
const DRAINED_WITHIN_MS = 600_000;

/**
 * Measures how fast the events of `count` orders leave after an outage: commerce is paused while they are written, so
 * that nothing has left when it continues. The other services handle them meanwhile.
 */
export async function measureBacklog(
  { platform, infrastructure, dbNameOf }: MeasuredPlatform,
  { api, companyId }: { api: ApiClient; companyId: string },
  count: number,
): Promise<{ seconds: number; perSecond: number }> {
  const { id } = (await api.post('/v1/orders', orderBody(companyId))).body.data.order;
  const mongo = await connectMongo(infrastructure.mongoUrl, { dbName: dbNameOf('commerce'), appName: 'bench' });
  platform.kill('commerce', 'SIGSTOP');
  try {
    await copyRecord({ infrastructure, dbNameOf }, 'commerce', 'orders', id, count, (n, _like, createdAt) => ({
      orderNumber: `WAITING-${n}`,
      createdAt,
      outbox: [{ id: randomUUID(), type: 'order.placed', at: createdAt }],
    }));
  } finally {
    platform.kill('commerce', 'SIGCONT');
  }
  const beganMs = performance.now();
  const elapsedMs = () => performance.now() - beganMs;
  while ((await mongo.collection('orders').findOne({ companyId, 'outbox.0': { $exists: true } })) !== null) {
    if (elapsedMs() > DRAINED_WITHIN_MS) throw new Error(`events of ${count} orders still wait`);
    await delay(LOOKED_EVERY_MS);
  }
  const seconds = elapsedMs() / 1000;
  await mongo.close();
  return { seconds, perSecond: count / seconds };
}
