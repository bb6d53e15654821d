import { expect, test } from 'vitest';
import { requestRaw, serve } from '../src/index.ts';
import { answering, comesBackReversed, connectBoth, groupOptions, MIB } from './answering.ts';

const both = connectBoth();

test('a request and a reply of 20 MiB arrive unchanged', async () => {
  expect(await comesBackReversed(both, 20 * MIB)).toEqual({ status: 200, isReversed: true });
});

test('a reply or a request above 64 MiB is refused, and the next one, of almost that size, is served', async () => {
  const { ask, stop } = await answering(both, ({ body }) => Buffer.alloc((body.length === 0 ? 65 : 63) * MIB));
  const refused = await ask('');
  expect(refused.status).toBe(413);
  await expect(ask(Buffer.alloc(65 * MIB))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const { status, body } = await ask('1');
  expect([status, body.length]).toEqual([200, 63 * MIB]);
  await stop();
});

test('a caller that stops fetching a large reply delays nobody', async () => {
  const { endpoint, ask, stop } = await answering(both, () => Buffer.alloc(2 * MIB), {
    inFlightMax: 2,
  });
  const first = await both.asker.nats.request(endpoint.subject, '', { timeout: 5_000 });
  expect(first.data.length).toBeLessThan(2 * MIB);
  expect((await ask('')).body).toHaveLength(2 * MIB);
  await stop();
});

test('many large replies on one subject do not mix', async () => {
  const others = serve(both.responder, { subject: 'rpc.test.shared', timeoutMs: 5_000 }, groupOptions, ({ body }) =>
    JSON.stringify({ data: String(body[0]).repeat(1.5 * MIB) }),
  );
  const same = serve(both.asker, { subject: 'rpc.test.shared', timeoutMs: 5_000 }, groupOptions, ({ body }) =>
    JSON.stringify({ data: String(body[0]).repeat(1.5 * MIB) }),
  );
  await Promise.all([both.asker.nats.flush(), both.responder.nats.flush()]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const body = Buffer.alloc(MIB, n % 10);
      return await requestRaw(both.asker, { subject: 'rpc.test.shared', timeoutMs: 5_000 }, body, { requestId: 'r' });
    }),
  );
  for (const [n, { body }] of answers.entries()) {
    const { data } = JSON.parse(Buffer.from(body).toString()) as { data: string };
    expect(data === String(n % 10).repeat(1.5 * MIB)).toBe(true);
  }
  await Promise.all([others(), same()]);
});
