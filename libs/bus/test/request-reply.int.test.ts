import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import { headers } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { type BusConnection, connectBus, requestRaw, serve, type ServedRequest } from '../src/index.ts';

const MIB = 1024 * 1024;
const logger = pino({ level: 'silent' });
let asker: BusConnection;
let responder: BusConnection;
beforeAll(async () => {
  asker = await connectBus({ url: natsUrlOfThisFile(), name: 'asker', logger });
  responder = await connectBus({ url: natsUrlOfThisFile(), name: 'responder', logger });
});
afterAll(async () => {
  await asker?.close();
  await responder?.close();
});

function toPlatformError(error: unknown): PlatformError {
  return error instanceof PlatformError ? error : new PlatformError('INTERNAL_ERROR', 'broken', { cause: error });
}

/** An endpoint of this test only. */
async function answering(
  handle: (request: ServedRequest) => Promise<string | Uint8Array> | string | Uint8Array,
  {
    timeoutMs = 5_000,
    ...options
  }: { timeoutMs?: number; inFlightMax?: number; toPlatformError?: (error: unknown) => PlatformError } = {},
) {
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs };
  const stop = serve(responder, endpoint, { group: 'test', inFlightMax: 100, toPlatformError, ...options }, handle);
  await responder.nats.flush();
  return { endpoint, stop, ask: (body: Uint8Array | string) => requestRaw(asker, endpoint, body, { requestId: 'r1' }) };
}

test.each([0, 1, 512 * 1024, 512 * 1024 + 1, 2 * MIB, 20 * MIB])(
  'a request and a reply of %i bytes arrive unchanged',
  async (bytes) => {
    const { ask, stop } = await answering(({ body }) => Buffer.from(body).toReversed());
    const body = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += 4_093) body[at] = at % 251;
    const { status, body: answer } = await ask(body);
    expect(status).toBe(200);
    expect(Buffer.compare(body.toReversed(), answer)).toBe(0);
    await stop();
  },
);

test('many large replies on one subject do not mix', async () => {
  const others = serve(responder, { subject: 'rpc.test.shared', timeoutMs: 5_000 }, groupOptions(), ({ body }) =>
    JSON.stringify({ data: String(body[0]).repeat(1.5 * MIB) }),
  );
  const same = serve(asker, { subject: 'rpc.test.shared', timeoutMs: 5_000 }, groupOptions(), ({ body }) =>
    JSON.stringify({ data: String(body[0]).repeat(1.5 * MIB) }),
  );
  await Promise.all([asker.nats.flush(), responder.nats.flush()]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const body = Buffer.alloc(MIB, n % 10);
      return await requestRaw(asker, { subject: 'rpc.test.shared', timeoutMs: 5_000 }, body, { requestId: 'r' });
    }),
  );
  for (const [n, { body }] of answers.entries()) {
    const { data } = JSON.parse(Buffer.from(body).toString()) as { data: string };
    expect(data === String(n % 10).repeat(1.5 * MIB)).toBe(true);
  }
  await Promise.all([others(), same()]);
});

function groupOptions() {
  return { group: 'test', inFlightMax: 100, toPlatformError };
}

test('a reply or a request above 64 MiB is refused, and the next one, of almost that, is served', async () => {
  const { ask, stop } = await answering(({ body }) => Buffer.alloc((body.length === 0 ? 65 : 63) * MIB));
  const refused = await ask('');
  expect(refused.status).toBe(413);
  await expect(ask(Buffer.alloc(65 * MIB))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const { status, body } = await ask('1');
  expect([status, body.length]).toEqual([200, 63 * MIB]);
  await stop();
});

test('a caller that stops fetching a large reply delays nobody', async () => {
  const { endpoint, ask, stop } = await answering(() => Buffer.alloc(2 * MIB), { inFlightMax: 2 });
  const first = await asker.nats.request(endpoint.subject, '', { timeout: 5_000 });
  expect(first.data.length).toBeLessThan(2 * MIB);
  expect((await ask('')).body).toHaveLength(2 * MIB);
  await stop();
});

test('a reply whose responder disappears after its first part is SERVICE_UNAVAILABLE', async () => {
  const own = await connectBus({ url: natsUrlOfThisFile(), name: 'leaving', logger });
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs: 5_000 };
  own.nats.subscribe(endpoint.subject, {
    callback: (_, message) => {
      const head = headers();
      head.set('body-bytes', String(2 * MIB));
      message.respond(Buffer.alloc(MIB), { reply: own.newInbox(), headers: head });
    },
  });
  await own.nats.flush();
  await expect(requestRaw(asker, endpoint, '', { requestId: 'r' })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  await own.close();
});

test.each([
  ['a large message', () => new PlatformError('VALIDATION_FAILED', 'x'.repeat(3 * MIB)), 400],
  [
    'large details',
    () => new PlatformError('VALIDATION_FAILED', 'no', { details: [{ path: 'a', message: 'x'.repeat(3 * MIB) }] }),
    400,
  ],
  [
    'details that are no JSON',
    () => new PlatformError('VALIDATION_FAILED', 'no', { details: [{ path: 'a', message: 'b', n: 1n }] }),
    400,
  ],
  ['nothing at all', () => undefined, 500],
])('a handler that throws %s results in a small error', async (_, makeError, expected) => {
  const { ask, stop } = await answering(() => {
    throw makeError();
  });
  const { status, body } = await ask('');
  expect(status).toBe(expected);
  expect(body.length).toBeLessThan(1_000);
  expect(JSON.parse(Buffer.from(body).toString()).error.requestId).toBe('r1');
  await stop();
});

test('a handler whose error or reply cannot be sent breaks nothing', async () => {
  const untold = await answering(
    () => {
      throw new Error('first');
    },
    {
      toPlatformError: () => {
        throw new Error('second');
      },
    },
  );
  const none = await answering(() => undefined as never);
  expect((await untold.ask('')).status).toBe(500);
  expect((await none.ask('')).status).toBe(500);
  await Promise.all([untold.stop(), none.stop()]);
});

describe('a responder that works for longer than the time-out', () => {
  const timeoutMs = 300;

  test.each([10, 3 * MIB])('is waited for, whatever the size of the bodies (%i bytes)', async (bytes) => {
    const { ask, stop } = await answering(({ body }) => delay(4 * timeoutMs, body), { timeoutMs });
    expect((await ask(Buffer.alloc(bytes, 'a'))).body).toHaveLength(bytes);
    await stop();
  });

  test('may refuse the request after all', async () => {
    const refuse = () => {
      throw new PlatformError('SOLD_OUT', 'Nothing is left.');
    };
    const { ask, stop } = await answering(() => delay(4 * timeoutMs).then(refuse), { timeoutMs });
    expect((await ask('')).status).toBe(409);
    await stop();
  });

  test('sends only its reply to a caller that does not ask for progress', async () => {
    const { endpoint, stop } = await answering(() => delay(4 * timeoutMs, '{}'), { timeoutMs });
    expect((await asker.nats.request(endpoint.subject, '', { timeout: 5_000 })).string()).toBe('{}');
    await stop();
  });

  test.each([
    ['falls silent', 'UPSTREAM_TIMEOUT', async () => await Promise.resolve()],
    ['goes away', 'SERVICE_UNAVAILABLE', async (own: BusConnection) => await own.close()],
  ])('and then %s is not waited for any longer', async (_, code, end) => {
    const own = await connectBus({ url: natsUrlOfThisFile(), name: 'leaving', logger });
    const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs };
    const inbox = own.newInbox();
    if (code === 'UPSTREAM_TIMEOUT') own.nats.subscribe(inbox, { callback: () => {} });
    own.nats.subscribe(endpoint.subject, {
      callback: (__, message) => {
        const head = headers();
        head.set('status', '102');
        message.respond(undefined, { reply: inbox, headers: head });
        end(own).catch(() => undefined);
      },
    });
    await own.nats.flush();
    await expect(requestRaw(asker, endpoint, '', { requestId: 'r' })).rejects.toMatchObject({ code });
    await own.close().catch(() => undefined);
  });

  test('is waited for six seconds in all, however long it works', async () => {
    const { promise: work, resolve } = Promise.withResolvers<string>();
    const { ask, stop } = await answering(() => work, { timeoutMs });
    const askedAtMs = performance.now();
    await expect(ask('')).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(performance.now() - askedAtMs).toBeGreaterThan(5_900);
    resolve('{}');
    await stop();
  });
});

test('a request in flight gets its reply while its responder stops, and later ones go to another replica', async () => {
  const [{ promise: work, resolve }, begun] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const { endpoint, ask, stop } = await answering(() => {
    begun.resolve();
    return work;
  });
  const asked = ask('');
  await begun.promise;
  const stopOther = serve(asker, endpoint, groupOptions(), () => 'of the other');
  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await Promise.all([asker.nats.flush(), responder.nats.flush()]);
  for (let n = 0; n < 10; n++) expect(Buffer.from((await ask('')).body).toString()).toBe('of the other');
  expect(hasStopped).toBe(false);
  resolve('of the first');
  expect(Buffer.from((await asked).body).toString()).toBe('of the first');
  await Promise.all([stopped, stopOther()]);
});

test('requests above the limit are refused at once', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { ask, stop } = await answering(() => promise, { inFlightMax: 1 });
  const first = ask('');
  const second = await ask('');
  expect([second.status, second.retryAfterSeconds]).toEqual([503, 1]);
  resolve('{}');
  expect((await first).status).toBe(200);
  await stop();
});
