import { Readable } from 'node:stream';
import { IDENTITY_HEADER } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { shareGets } from './share-gets.ts';
import type { Upstream, UpstreamAnswer } from './upstream.ts';

/** An upstream whose requests end when the test says so, or as `onSent` does. */
function underTest(onSent?: Upstream['request']) {
  const sent: { end: Parameters<Upstream['request']>[1] }[] = [];
  const upstream = shareGets({
    request(request, end) {
      sent.push({ end });
      onSent?.(request, end);
    },
  });
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

test('identical GETs that arrive while one is in flight share the next', async () => {
  const { others, sent } = await sharing([{}, {}, {}]);
  sent[1]?.end(null, answered(200, 'after'));
  expect((await Promise.all(others)).map(bodyOf)).toEqual(['after', 'after', 'after']);
  expect(sent.length).toBe(2);
});

test.each([
  ['caller', { [IDENTITY_HEADER]: 'grace' }],
  ['target', { path: '/events?limit=1' }],
  ['validator', { 'if-none-match': '"1"' }],
])('among many GETs at once, those with another %s share no request with the rest', async (_, different) => {
  const { ask, sent } = underTest(({ path, headers }, end) =>
    setImmediate(() => end(null, answered(200, JSON.stringify({ path, headers })))),
  );
  const [own, other] = [bodyOf(await ask()), bodyOf(await ask(different))];
  expect(other).not.toBe(own);
  const all = [ask(), ask(), ask(), ask(different), ask(different), ask(different)];
  expect((await Promise.all(all)).map(bodyOf)).toEqual([own, own, own, other, other, other]);
  // Of three at once, the third shares the second's.
  expect(sent.length).toBeLessThan(2 + all.length);
});

test('changes are sent separately', () => {
  const { ask, sent } = underTest();
  for (let n = 0; n < 3; n++) void ask({ method: 'POST' });
  expect(sent.length).toBe(3);
});

test('each response with a shared error names its own request', async () => {
  const { others, sent } = await sharing([{ 'x-request-id': 'req_b' }, { 'x-request-id': 'req_c' }]);
  const error = { code: 'NOT_FOUND', message: 'There is no such event.' };
  sent[1]?.end(null, answered(404, JSON.stringify({ message: 'no', error: { ...error, requestId: 'req_b' } })));
  const bodies = (await Promise.all(others)).map((answer) => JSON.parse(bodyOf(answer)));
  expect(bodies).toEqual(['req_b', 'req_c'].map((requestId) => ({ message: 'no', error: { ...error, requestId } })));
});

test('a response that is not an error of a service is passed on as it is', async () => {
  const { others, sent } = await sharing([{}, {}]);
  sent[1]?.end(null, answered(502, '<html>'));
  expect((await Promise.all(others)).map(bodyOf)).toEqual(['<html>', '<html>']);
});

test('a response that is still arriving belongs to the request that was sent, and the others send their own', async () => {
  const { others, sent, sentRequests } = await sharing([{}, {}, {}]);
  sent[1]?.end(null, answered(200, 'large', Readable.from([])));
  await sentRequests(4);
  for (const [n, { end }] of sent.slice(2).entries()) end(null, answered(200, `own ${n}`, Readable.from([])));
  expect((await Promise.all(others)).map(bodyOf)).toEqual(['large', 'own 0', 'own 1']);
});

test('a failed request fails for those that share it, and not for later ones', async () => {
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
