import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

const MEBIBYTE = 2 ** 20;
/** A response that its client does not read. */
const unread = () => Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;

test('responses that a company does not read are refused beyond its share, except the first one, however large', () => {
  const held = createMemoryBudget(64 * MEBIBYTE);
  const responses = Array.from({ length: 20 }, () => {
    // Their sizes were not known when the requests were admitted.
    held.refuseWhenFull('a');
    return unread();
  });
  const refused = responses.filter((response) => {
    try {
      held.holdResponse('a', 3 * MEBIBYTE, 0, response);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toHaveLength(18);
  held.refuseWhenFull('b');
  held.holdResponse('b', 20 * MEBIBYTE, 0, unread());
});

test('the body of a request does not count against its own response', () => {
  const held = createMemoryBudget(8 * MEBIBYTE);
  const body = 100_000;
  held.holdResponse('a', body, 0, unread());
  held.holdResponse('a', 2 * MEBIBYTE, body, unread());
  expect(() => held.holdResponse('a', 2 * MEBIBYTE, body, unread())).toThrow('Send fewer large requests');
});

test('a body that is too large to be read holds nothing, and is refused for its size later', () => {
  const held = createMemoryBudget(8 * MEBIBYTE);
  const announce = (company: string, bytes: number) => {
    const request = { headers: { 'content-length': String(bytes) } } as FastifyRequest;
    held.holdBody(company, request, new PassThrough(), unread());
  };
  for (let n = 0; n < 9; n++) announce('a', MEBIBYTE + 1);
  announce('b', MEBIBYTE);
  expect(() => announce('b', MEBIBYTE)).toThrow('Send fewer large requests');
});
