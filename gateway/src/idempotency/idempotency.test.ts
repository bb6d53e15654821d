import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Caller } from '../auth/caller.ts';
import { createMemoryBudget } from '../limit/memory-budget.ts';
import { idempotency } from './idempotency.ts';
import type { HeldKey, IdempotencyRepository, KeptAnswer } from './idempotency.repository.ts';

const MEBIBYTE = 2 ** 20;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const caller = { identity: { companyId: 'a', environment: 'live' } } as Caller;

/** A service that sends `bytes` as they are read, and the number that were read. */
function largeAnswer(bytes: number) {
  let read = 0;
  const stream = new Readable({
    read() {
      read += PIECE.length;
      this.push(read <= bytes ? PIECE : null);
    },
  });
  return { stream, read: () => Math.min(read, bytes) };
}

/** A gateway whose database stores responses once `store` was called. */
function gatewayFor(
  answer: () => { stream: Readable; length?: number; statusCode?: number },
  { share = 16 * MEBIBYTE, onRepeat = 'replay' as 'replay' | 'refuse' },
) {
  const memoryBudget = createMemoryBudget(8 * share);
  const stored: KeptAnswer[] = [];
  const storing = Promise.withResolvers<boolean>();
  let saving = 0;
  let released = 0;
  const save = async (_key: HeldKey, kept: KeptAnswer) => {
    saving++;
    const isStillOurs = await storing.promise;
    if (isStillOurs) stored.push(kept);
    return isStillOurs;
  };
  const records = {
    take: async (id: string) => {
      const last = stored.at(-1);
      const key: HeldKey = { id, holder: 'me', attempt: { idSuffix: 'suffix', repeated: false }, begun: false };
      return last === undefined ? { state: 'held', key } : { state: 'answered', answer: last, idSuffix: 'suffix' };
    },
    save,
    saveOrRelease: save,
    release: async () => {
      released++;
      await storing.promise;
    },
  } as unknown as IdempotencyRepository;

  const app = Fastify();
  app.decorateRequest('caller', null);
  app.addHook('onRequest', async (request) => void (request.caller = caller));
  idempotency(app, { records, memoryBudget });
  app.post('/', { config: { onRepeat } }, async (_request, reply) => {
    const { stream, length, statusCode = 200 } = answer();
    reply.code(statusCode);
    if (length !== undefined) reply.header('content-length', length);
    return await reply.send(stream);
  });
  return {
    post: async () => app.inject({ method: 'POST', url: '/', headers: { 'idempotency-key': 'k' } }),
    stored,
    /** How many responses were sent to the database. */
    saving: () => saving,
    /** How often the key was released. */
    released: () => released,
    store: (isStillOurs = true) => storing.resolve(isStillOurs),
    fail: () => storing.reject(new Error('The database does not answer.')),
    /** Another response takes all that is left of a company's share. */
    fill: (company = 'a') =>
      memoryBudget.holdResponse(
        company,
        share,
        0,
        Object.assign(new EventEmitter(), { closed: false }) as ServerResponse,
      ),
    /** What the company holds, determined by taking what is left. */
    held: () => {
      const room = memoryBudget.roomFor('a');
      let left = 0;
      while (room.take(16 * 1024)) left += 16 * 1024;
      room.release();
      return share - left;
    },
  };
}

test.each([undefined, 3 * MEBIBYTE])(
  '64 responses of 3 MB (announced: %s) are not all held in memory while they are stored',
  async (length) => {
    const share = 16 * MEBIBYTE;
    const answers = Array.from({ length: 64 }, () => largeAnswer(3 * MEBIBYTE));
    let next = 0;
    const gateway = gatewayFor(() => ({ stream: answers[next++]!.stream, ...(length && { length }) }), { share });
    const replies = answers.map(async () => gateway.post());
    await expect.poll(gateway.saving).toBe(64);
    expect(gateway.held()).toBeLessThanOrEqual(share);
    // Beyond its share, a stream holds what it buffers by itself.
    const read = answers.reduce((sum, answer) => sum + answer.read(), 0);
    expect(read).toBeLessThanOrEqual(gateway.held() + 64 * 3 * PIECE.length);
    gateway.store();
    const lengths = (await Promise.all(replies)).map(({ statusCode, rawPayload }) => [statusCode, rawPayload.length]);
    expect(lengths).toEqual(answers.map(() => [200, 3 * MEBIBYTE]));
    expect(gateway.stored.map(({ sealed }) => sealed)).toEqual(answers.map(() => null));
    expect(gateway.held()).toBe(0);
  },
);

test('a response of 1 MB is held until its client has it, and stored', async () => {
  const gateway = gatewayFor(() => largeAnswer(MEBIBYTE), {});
  const reply = gateway.post();
  await expect.poll(gateway.held).toBe(MEBIBYTE);
  gateway.store();
  expect((await reply).rawPayload).toHaveLength(MEBIBYTE);
  expect(gateway.held()).toBe(0);
  const again = await gateway.post();
  expect([again.headers['idempotent-replayed'], again.rawPayload.length]).toEqual(['true', MEBIBYTE]);
});

test('a stored response is not read for a company whose share is already full of responses', async () => {
  const gateway = gatewayFor(() => largeAnswer(MEBIBYTE), {});
  gateway.store();
  await gateway.post();
  gateway.fill();
  expect((await gateway.post()).statusCode).toBe(429);
});

test('a stored response is not read if other companies hold all of the memory', async () => {
  const gateway = gatewayFor(() => largeAnswer(MEBIBYTE), {});
  gateway.store();
  await gateway.post();
  for (const company of 'bcdefghij') gateway.fill(company);
  expect((await gateway.post()).statusCode).toBe(503);
});

test('a response for which the company has no room is passed on and not stored', async () => {
  const gateway = gatewayFor(() => largeAnswer(MEBIBYTE), { share: MEBIBYTE / 2 });
  gateway.store();
  expect((await gateway.post()).rawPayload).toHaveLength(MEBIBYTE);
  const again = await gateway.post();
  expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining('ends in _suffix')]);
});

test('a refusal for which the company has no room is passed on, and its repeat is executed again', async () => {
  const answers = [409, 201].map((statusCode) => ({ ...largeAnswer(MEBIBYTE), statusCode }));
  const gateway = gatewayFor(() => answers.shift()!, { share: MEBIBYTE / 2 });
  gateway.store();
  const refused = await gateway.post();
  expect([refused.statusCode, refused.rawPayload.length, gateway.released()]).toEqual([409, MEBIBYTE, 1]);
  expect((await gateway.post()).statusCode).toBe(201);
});

test.each([
  [201, undefined],
  [201, 3 * MEBIBYTE],
  [503, 3 * MEBIBYTE],
])(
  'a service that breaks off while the record of its response (%i, announced: %s) is settled is a 502, and crashes no process',
  async (statusCode, length) => {
    const { stream } = largeAnswer(3 * MEBIBYTE);
    const gateway = gatewayFor(() => ({ stream, statusCode, ...(length && { length }) }), {});
    const reply = gateway.post();
    await expect.poll(() => gateway.saving() + gateway.released()).toBe(1);
    stream.destroy(new Error('cut'));
    await setImmediate();
    gateway.store();
    const { statusCode: told, body } = await reply;
    expect([told, body]).toEqual([502, expect.stringContaining('was cut off')]);
  },
);

test('a response with a secret that a later attempt replaced is not sent', async () => {
  const gateway = gatewayFor(() => largeAnswer(PIECE.length), { onRepeat: 'refuse' });
  gateway.store(false);
  const { statusCode, body } = await gateway.post();
  expect([statusCode, body]).toEqual([409, expect.stringContaining('is still running')]);
});

test('a new secret is not shown if that cannot be recorded, and the repeat gets another one', async () => {
  const gateway = gatewayFor(() => largeAnswer(PIECE.length), { onRepeat: 'refuse' });
  const posting = gateway.post();
  await expect.poll(gateway.saving).toBe(1);
  gateway.fail();
  const { statusCode, body } = await posting;
  expect([statusCode, body.includes(PIECE.toString())]).toEqual([503, false]);
});
