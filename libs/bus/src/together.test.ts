import { PlatformError } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import {
  joinReplies,
  joinRequests,
  splitReplies,
  splitRequests,
  TOGETHER_BYTES_MAX,
  TOGETHER_MAX,
} from './together.ts';

const request = (text: string) => ({
  about: { requestId: `r-${text}`, identityToken: 'token', options: { dropped: 'none' } },
  body: Buffer.from(text),
});
const text = ({ body }: { body: Uint8Array }): string => Buffer.from(body).toString();

test('requests that travel together arrive as they were sent', () => {
  const sent = [request('first\n'), request(''), { about: { requestId: 'r' }, body: Buffer.from('ü€') }];
  const received = splitRequests(joinRequests(sent));
  expect(received.map(({ about }) => about)).toEqual(sent.map(({ about }) => about));
  expect(received.map(text)).toEqual(['first\n', '', 'ü€']);
});

test.each([
  ['nothing', ''],
  ['no JSON', 'x\n'],
  ['no list', '{}\n'],
  ['no requests', '[]\n'],
  ['too many requests', `${JSON.stringify(Array.from({ length: TOGETHER_MAX + 1 }, () => [0, { requestId: 'r' }]))}\n`],
  ['a size below zero', '[[-1,{"requestId":"r"}]]\n'],
  ['less than it announces', '[[2,{"requestId":"r"}]]\na'],
  ['more than it announces', '[[1,{"requestId":"r"}]]\nab'],
  ['options that are no text', '[[0,{"requestId":"r","options":{"a":1}}]]\n'],
])('a message with %s is a bad request', (_, message) => {
  expect(() => splitRequests(Buffer.from(message))).toThrow(PlatformError);
});

test('a reply that does not fit into the message is left out, to be fetched alone', () => {
  const half = { status: 200, body: Buffer.alloc(TOGETHER_BYTES_MAX / 2) };
  const refused = { status: 503, body: Buffer.from('no'), retryAfterSeconds: 1 };
  const large = { status: 200, body: Buffer.alloc(TOGETHER_BYTES_MAX + 1) };
  const joined = joinReplies([large, half, refused, half, refused]);
  expect(joined.length).toBeLessThan(TOGETHER_BYTES_MAX + 1_000);
  const replies = splitReplies(joined);
  expect(replies.map((reply) => reply?.status)).toEqual([undefined, 200, 503, undefined, 503]);
  expect(replies[1]?.body).toHaveLength(half.body.length);
  expect(replies[4]).toMatchObject({ retryAfterSeconds: 1, body: Buffer.from('no') });
});
