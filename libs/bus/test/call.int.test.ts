import { randomUUID } from 'node:crypto';
import { PlatformError, type RpcEndpoint, tryAgainShortly } from '@event-commerce/contracts';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusConnection, call, connectBus, serve, type ServedRequest } from '../src/index.ts';

let bus: BusConnection;
beforeAll(async () => {
  bus = await connectBus({ url: natsUrlOfThisFile(), name: 'test', logger: pino({ level: 'silent' }) });
});
afterAll(async () => bus?.close());

const UNANSWERED = 'The order cannot be priced now; send the order again.';

function newEndpoint(timeoutMs = 5_000): RpcEndpoint {
  return { subject: `rpc.test.${randomUUID()}`, timeoutMs } as unknown as RpcEndpoint;
}

function serving(endpoint: RpcEndpoint, handle: (request: ServedRequest) => string) {
  return serve(
    bus,
    endpoint,
    { group: 'test', inFlightMax: 1, toPlatformError: (error) => error as PlatformError },
    handle,
  );
}

test('a call with a large request returns the data of a large reply', async () => {
  const endpoint = newEndpoint();
  const stop = serving(endpoint, ({ body }) => `{"data":${Buffer.from(body).toString()}}`);
  const request = Array.from({ length: 200_000 }, (_, n) => `offering ${n}`);
  expect(await call(bus, endpoint, request, { requestId: 'r' })).toEqual(request);
  await stop();
});

test.each(['nobody listens', 'the responder is silent'])(
  'a call that gets no reply fails in the words of its caller: %s',
  async (why) => {
    const endpoint = newEndpoint(100);
    if (why === 'the responder is silent') bus.nats.subscribe(endpoint.subject, { callback: () => {} });
    for (const [unanswered, message] of [
      [UNANSWERED, UNANSWERED],
      [undefined, 'The test service is not available; try again shortly.'],
    ]) {
      const outage = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1, message };
      await expect(call(bus, endpoint, {}, { requestId: 'r' }, unanswered)).rejects.toMatchObject(outage);
    }
  },
);

test.each([
  ['cannot respond now', tryAgainShortly('Too many orders wait; try again shortly.', { seconds: 5 })],
  ['refuses it', new PlatformError('SOLD_OUT', 'Nothing is left.')],
])('a call to a service that %s fails in the words of that service', async (_what, error) => {
  const endpoint = newEndpoint();
  const stop = serving(endpoint, () => {
    throw error;
  });
  const { code, message, retryAfterSeconds } = error;
  const refusal = { code, message, retryAfterSeconds };
  await expect(call(bus, endpoint, {}, { requestId: 'r' }, UNANSWERED)).rejects.toMatchObject(refusal);
  await stop();
});
