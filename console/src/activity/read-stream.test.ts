import { expect, it } from 'vitest';
import { readStream } from './read-stream.ts';

it('reads events whose bytes arrive in pieces, and leaves out one that is cut off', async () => {
  const text = 'id: 1\n\nid: 2\nevent: coupon.created\ndata: {"code":"Łódź: 10"}\n\nid: 3\ndata: {';
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await Array.fromAsync(readStream(body))).toEqual([
    { id: '1' },
    { id: '2', event: 'coupon.created', data: '{"code":"Łódź: 10"}' },
  ]);
});
