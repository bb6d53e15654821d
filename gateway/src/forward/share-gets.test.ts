import { Readable } from 'node:stream';
import { IDENTITY_HEADER } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { shareGets } from './share-gets.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';

/** An upstream whose requests end when the test says so. */
function underTest() {
  const sent: { end: Parameters<Upstream['request']>[1] }[] = [];
  const upstream = shareGets({ request: (_request, end) => sent.push({ end }) });
  const ask = async ({ method = 'GET', path = '/events', ...headers }: Record<string, string> = {}) =>
    await new Promise<UpstreamAnswer>((resolve, reject) => {
      upstream.request({ method, path, headers: { [IDENTITY_HEADER]: 'ada', ...headers } }, (error, answer) =>
        answer === undefined ? reject(error) : resolve(answer),
      );
    });
  const sentRequests = async (count: number) => await expect.poll(() => sent.length, { interval: 1 }).toBe(count);
  return { ask, sent, sentRequests };
}

const answered = (statusCode: number, body: string, rest?: Readable): UpstreamAnswer => ({
  statusCode,
  headers: {},
  body: { head: Buffer.from(body), rest, destroy: () => undefined },
});
const bodyOf = ({ body }: UpstreamAnswer) => body.head.toString();

/** GETs with `headers` that arrived while an earlier one was in flight: the request that they share has been sent. */
async function sharing(headers: Record<string, string>[]) {
  const { ask, sent, sentRequests } = underTest();
  const first = ask();
  await sentRequests(1);
  const others = headers.map(async (own) => ask(own));
  sent[0]?.end(null, answered(200, 'before'));
  expect(bodyOf(await first)).toBe('before');
  await sentRequests(2);
  return { others, sent, sentRequests };
}

test('the same GETs that arrive while one is in flight share the next', async () => {
  const { others, sent } = await sharing([{}, {}, {}]);
  sent[1]?.end(null, answered(200, 'after'));
  expect((await Promise.all(others)).map(bodyOf)).toEqual(['after', 'after', 'after']);
  expect(sent.length).toBe(2);
});

test('GETs of another caller, of another target, or with another validator, and changes, are sent by themselves', async () => {
  const { ask, sent, sentRequests } = underTest();
  const all = [
    ask(),
    ask({ [IDENTITY_HEADER]: 'grace' }),
    ask({ path: '/events?limit=1' }),
    ask({ 'if-none-match': '"1"' }),
    ask({ method: 'POST' }),
    ask({ method: 'POST' }),
  ];
  await sentRequests(all.length);
  for (const [n, { end }] of sent.entries()) end(null, answered(200, String(n)));
  expect(new Set((await Promise.all(all)).map(bodyOf)).size).toBe(all.length);
});

test('a shared error names the request that it answers', async () => {
  const { others, sent } = await sharing([{ 'x-request-id': 'req_b' }, { 'x-request-id': 'req_c' }]);
  const error = { code: 'NOT_FOUND', message: 'There is no such event.' };
  sent[1]?.end(null, answered(404, JSON.stringify({ message: 'no', error: { ...error, requestId: 'req_b' } })));
  const bodies = (await Promise.all(others)).map((answer) => JSON.parse(bodyOf(answer)));
  expect(bodies).toEqual(['req_b', 'req_c'].map((requestId) => ({ message: 'no', error: { ...error, requestId } })));
});

test('what is no error of a service is passed on as it is', async () => {
  const { others, sent } = await sharing([{}, {}]);
  sent[1]?.end(null, answered(502, '<html>'));
  expect((await Promise.all(others)).map(bodyOf)).toEqual(['<html>', '<html>']);
});

test('a response that is still arriving belongs to the request that was sent; the others send their own', async () => {
  const { others, sent, sentRequests } = await sharing([{}, {}, {}]);
  sent[1]?.end(null, answered(200, 'large', Readable.from([])));
  await sentRequests(4);
  for (const [n, { end }] of sent.slice(2).entries()) end(null, answered(200, `own ${n}`, Readable.from([])));
  expect((await Promise.all(others)).map(bodyOf)).toEqual(['large', 'own 0', 'own 1']);
});

test('a request that fails fails for those who share it, and for nobody after', async () => {
  const { ask, sent, sentRequests } = underTest();
  const first = ask();
  await sentRequests(1);
  const others = [ask(), ask()];
  sent[0]?.end(new Error('connection lost'));
  await expect(first).rejects.toThrow('connection lost');
  await sentRequests(2);
  sent[1]?.end(new Error('too slow'));
  for (const other of others) await expect(other).rejects.toThrow('too slow');
  const later = ask();
  await sentRequests(3);
  sent[2]?.end(null, answered(200, 'again'));
  expect(bodyOf(await later)).toBe('again');
});
