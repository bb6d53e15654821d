import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PlatformError } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { requestRaw, requestTogether, serve, type ServedRequest } from '../src/index.ts';
import { connectBoth, groupOptions, MIB } from './answering.ts';

const both = connectBoth();

/** Requests of one turn, each of its own group or of `group`; with how many messages they were sent. */
async function ask(
  handle: (request: ServedRequest) => Promise<string | Uint8Array> | string | Uint8Array,
  bodies: readonly string[],
  { group = (): string => 'all', inFlightMax = 100, timeoutMs = 5_000 } = {},
) {
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs };
  const stop = serve(both.responder, endpoint, { ...groupOptions, inFlightMax }, handle);
  await both.responder.nats.flush();
  const before = both.asker.nats.stats().outMsgs;
  const settled = await Promise.allSettled(
    bodies.map(async (body, n) => {
      const context = { requestId: `r${n}`, identityToken: `token ${n}`, options: { n: String(n) } };
      const { status, body: reply } = await requestTogether(both.asker, endpoint, Buffer.from(body), context, group());
      return { status, text: Buffer.from(reply).toString() };
    }),
  );
  await stop();
  return { settled, messages: both.asker.nats.stats().outMsgs - before };
}

const valuesIn = <T>(settled: readonly PromiseSettledResult<T>[]): T[] =>
  settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });

test('requests of one turn travel in one message, and each gets its own reply', async () => {
  const { settled, messages } = await ask(
    ({ body, requestId, identityToken, option }) =>
      `${Buffer.from(body).toString()} ${requestId} ${identityToken} ${option('n')} ${option('other')}`,
    ['a', 'b', 'c'],
  );
  expect(valuesIn(settled)).toEqual([
    { status: 200, text: 'a r0 token 0 0 undefined' },
    { status: 200, text: 'b r1 token 1 1 undefined' },
    { status: 200, text: 'c r2 token 2 2 undefined' },
  ]);
  expect(messages).toBe(1);
});

test('forty requests of one turn travel in three messages', async () => {
  const bodies = Array.from({ length: 40 }, (_, n) => String(n));
  const { settled, messages } = await ask(({ body }) => body, bodies);
  expect(valuesIn(settled).map(({ text }) => text)).toEqual(bodies);
  expect(messages).toBe(3);
});

test('a refusal fails only its own request', async () => {
  const { settled } = await ask(
    ({ body }) => {
      if (Buffer.from(body).toString() === 'bad') throw new PlatformError('VALIDATION_FAILED', 'no');
      return 'fine';
    },
    ['good', 'bad', 'good'],
  );
  const [first, second, third] = valuesIn(settled);
  expect([first, third]).toEqual([
    { status: 200, text: 'fine' },
    { status: 200, text: 'fine' },
  ]);
  expect(second?.status).toBe(400);
  expect(JSON.parse(second?.text ?? '')).toMatchObject({ error: { code: 'VALIDATION_FAILED', requestId: 'r1' } });
});

test('the limit of requests in flight counts each of them', async () => {
  const { settled } = await ask(() => delay(20, 'done'), ['a', 'b', 'c'], { inFlightMax: 2 });
  expect(valuesIn(settled).map(({ status }) => status)).toEqual([200, 200, 503]);
});

test('large requests and replies arrive too', async () => {
  const bodies = ['a', 'b'.repeat(MIB), 'c', 'd'.repeat(100_000)];
  const { settled } = await ask(({ body }) => Buffer.alloc(300_000, body.subarray(0, 1)), bodies);
  expect(valuesIn(settled).map(({ text }) => text)).toEqual(bodies.map((body) => (body[0] as string).repeat(300_000)));
});

test('only requests of one group wait for each other', async () => {
  const groups = ['slow', 'other', 'slow'];
  const { settled } = await ask(
    ({ body }) => (Buffer.from(body).toString() === 'late' ? delay(600, 'too late') : 'done'),
    ['late', 'a', 'b'],
    { group: () => groups.shift() as string, timeoutMs: 300 },
  );
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value.text : one.reason.code))).toEqual([
    'UPSTREAM_TIMEOUT',
    'done',
    'UPSTREAM_TIMEOUT',
  ]);
});

test('without a responder each is SERVICE_UNAVAILABLE at once', async () => {
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs: 5_000 };
  const asked = ['a', 'b'].map(async (body) =>
    requestTogether(both.asker, endpoint, Buffer.from(body), { requestId: 'r' }, 'all'),
  );
  for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('a message whose requests cannot be told apart is a bad request, and runs none of them', async () => {
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs: 5_000 };
  let handled = 0;
  const stop = serve(both.responder, endpoint, groupOptions, () => String((handled += 1)));
  await both.responder.nats.flush();
  const context = { requestId: 'r', options: { together: '2' } };
  const reply = await requestRaw(both.asker, endpoint, '[[1,{"requestId":"r"}],[5,{}]]\nab', context);
  expect([reply.status, handled]).toEqual([400, 0]);
  await stop();
});
