import { type BusConnection, call, connectBus } from '@event-commerce/bus';
import { AUDIENCE, companyIdOf, PlatformError, RPC } from '@event-commerce/contracts';
import { createLogger } from '@event-commerce/service-kit';
import { newCompanyId, testIdentity } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createIdentityVerifier, createProcessVerifier } from '../../libs/service-kit/src/identity.ts';
import { type RpcHandlers, serveRpc } from '../../libs/service-kit/src/process/serve-rpc.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
let bus: BusConnection;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(), name: 'test', logger });
});
afterAll(async () => bus?.close());

test('a company whose events are too many can claim nothing more, but give back and read', async () => {
  const identity = testIdentity();
  const [loud, calm] = [newCompanyId(), newCompanyId()];
  const claimTickets = vi.fn<() => Promise<object>>(async () => ({ orderId: 'ord_1', claims: [] }));
  const handlers = {
    claimTickets,
    cancelTickets: async () => ({ cancelled: 1 }),
    offeringsOfEvent: async () => ({ ids: [] }),
  } as unknown as RpcHandlers<'events'>;
  const stop = serveRpc(
    bus,
    'events',
    handlers,
    {
      identity: createIdentityVerifier([identity.publicKey], 'events'),
      process: createProcessVerifier([], 'events'),
    },
    {
      refuseBeyond: (tenant) => {
        if (companyIdOf(tenant) === loud) throw new PlatformError('RATE_LIMITED', 'too much', { retryAfterSeconds: 7 });
      },
    },
  );
  await bus.nats.flush();
  const by = (companyId: string) => ({
    identityToken: identity.token(companyId, AUDIENCE.commerce),
    requestId: 'test',
  });
  const claim = {
    orderId: 'ord_1',
    attempt: 'att_1',
    key: 'key_1',
    items: [{ index: 0, offeringId: 'off_1', quantity: 1 }],
  };
  const claimed = async (companyId: string) => call(bus, RPC.claimTickets, claim, by(companyId));

  await expect(claimed(loud)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 7 });
  expect(claimTickets).not.toHaveBeenCalled();
  const back = { orderId: 'ord_1', claims: [{ claimId: 'clm_1', poolId: 'pool_1', quantity: 1 }] };
  expect(await call(bus, RPC.cancelTickets, back, by(loud))).toEqual({ cancelled: 1 });
  expect(await call(bus, RPC.offeringsOfEvent, { eventId: 'evt_1', limit: 1 }, by(loud))).toEqual({ ids: [] });
  expect(await claimed(calm)).toMatchObject({ orderId: 'ord_1' });
  await stop();
});
