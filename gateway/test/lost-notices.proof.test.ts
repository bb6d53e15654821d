import { apiClient } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEchoingGateway, type TestGateway } from './gateway-fixture.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startEchoingGateway();
});
afterAll(async () => gateway?.stop());

const works = async (key: string, url: string) =>
  (await apiClient(url, { authorization: `Bearer ${key}` }).get('/coupons')).status === 200;

test.each([
  ['right', 0],
  ['ten minutes ahead', 600_000],
  ['ten minutes behind', -600_000],
])(
  'a revoked key stops working within five seconds on a replica whose notice was lost, with a clock that is %s',
  async (_, aheadMs) => {
    const deaf = await gateway.replica({ NATS_URL: natsUrlOfThisFile() }, () => Date.now() + aheadMs);
    try {
      const { key, id } = await gateway.createKey();
      expect(await works(key, deaf.url)).toBe(true);
      await gateway.root.post(`/admin/keys/${id}/revoke`);
      await vi.waitFor(async () => expect(await works(key, deaf.url)).toBe(false), { timeout: 5_000, interval: 100 });
    } finally {
      await deaf.stop();
    }
  },
);
