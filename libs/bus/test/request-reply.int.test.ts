import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import { headers } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { requestRaw, serve } from '../src/index.ts';
import { answering, comesBackReversed, connectAs, connectBoth, groupOptions, MIB } from './answering.ts';

const both = connectBoth();

test.each([0, 1, 512 * 1024, 512 * 1024 + 1, 2 * MIB])(
  'a request and a reply of %i bytes arrive unchanged',
  async (bytes) => {
    expect(await comesBackReversed(both, bytes)).toEqual({ status: 200, isReversed: true });
  },
);

test('a reply whose responder disappears after its first part is SERVICE_UNAVAILABLE', async () => {
  const own = await connectAs('leaving');
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs: 5_000 };
  own.nats.subscribe(endpoint.subject, {
    callback: (_, message) => {
      const head = headers();
      head.set('body-bytes', String(2 * MIB));
      message.respond(Buffer.alloc(MIB), { reply: own.newInbox(), headers: head });
    },
  });
  await own.nats.flush();
  await expect(requestRaw(both.asker, endpoint, '', { requestId: 'r' })).rejects.toMatchObject({
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
  const { ask, stop } = await answering(both, () => {
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
    both,
    () => {
      throw new Error('first');
    },
    {
      toPlatformError: () => {
        throw new Error('second');
      },
    },
  );
  const none = await answering(both, () => undefined as never);
  expect((await untold.ask('')).status).toBe(500);
  expect((await none.ask('')).status).toBe(500);
  await Promise.all([untold.stop(), none.stop()]);
});

test.each([10, 3 * MIB])(
  'a responder may take almost until the deadline, whatever the size (%i bytes)',
  async (bytes) => {
    const timeoutMs = 2_000;
    const { ask, stop } = await answering(both, ({ body }) => delay(timeoutMs / 2, body), {
      timeoutMs,
    });
    expect((await ask(Buffer.alloc(bytes, 'a'))).body).toHaveLength(bytes);
    await stop();
  },
);

test('a request without a reply fails at its deadline, and a late reply is ignored', async () => {
  const { promise: work, resolve } = Promise.withResolvers<string>();
  const { ask, stop } = await answering(both, () => work, { timeoutMs: 300 });
  const askedAtMs = performance.now();
  await expect(ask('')).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  expect(performance.now() - askedAtMs).toBeGreaterThan(295);
  resolve('{}');
  await stop();
});

test('a request in flight gets its reply while its responder stops, and later ones go to another replica', async () => {
  const [{ promise: work, resolve }, begun] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
  const { endpoint, ask, stop } = await answering(both, () => {
    begun.resolve();
    return work;
  });
  const asked = ask('');
  await begun.promise;
  const stopOther = serve(both.asker, endpoint, groupOptions, () => 'of the other');
  let hasStopped = false;
  const stopped = stop().then(() => (hasStopped = true));
  await Promise.all([both.asker.nats.flush(), both.responder.nats.flush()]);
  for (let n = 0; n < 10; n++) expect(Buffer.from((await ask('')).body).toString()).toBe('of the other');
  expect(hasStopped).toBe(false);
  resolve('of the first');
  expect(Buffer.from((await asked).body).toString()).toBe('of the first');
  await Promise.all([stopped, stopOther()]);
});

test('requests above the limit are refused at once', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { ask, stop } = await answering(both, () => promise, { inFlightMax: 1 });
  const first = ask('');
  const second = await ask('');
  expect([second.status, second.retryAfterSeconds]).toEqual([503, 1]);
  resolve('{}');
  expect((await first).status).toBe(200);
  await stop();
});
