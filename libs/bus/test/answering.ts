import { randomUUID } from 'node:crypto';
import { PlatformError } from '@event-commerce/contracts';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type BusConnection, connectBus, requestRaw, serve, type ServedRequest } from '../src/index.ts';

export const MIB = 1024 * 1024;

/** A connection to the broker account of this test file, which the test closes. */
export async function connectAs(name: string): Promise<BusConnection> {
  return await connectBus({ url: natsUrlOfThisFile(), name, logger: pino({ level: 'silent' }) });
}

/** A connection that asks and one that responds, for the tests of a file. */
export function connectBoth(): { readonly asker: BusConnection; readonly responder: BusConnection } {
  const both = {} as { asker: BusConnection; responder: BusConnection };
  beforeAll(async () => {
    both.asker = await connectAs('asker');
    both.responder = await connectAs('responder');
  });
  afterAll(async () => {
    await both.asker?.close();
    await both.responder?.close();
  });
  return both;
}

export const groupOptions = {
  group: 'test',
  inFlightMax: 100,
  toPlatformError: (error: unknown): PlatformError =>
    error instanceof PlatformError ? error : new PlatformError('INTERNAL_ERROR', 'broken', { cause: error }),
};

/** An endpoint of one test only, which `responder` answers. */
export async function answering(
  { asker, responder }: { asker: BusConnection; responder: BusConnection },
  handle: (request: ServedRequest) => Promise<string | Uint8Array> | string | Uint8Array,
  {
    timeoutMs = 5_000,
    ...options
  }: { timeoutMs?: number; inFlightMax?: number; toPlatformError?: (error: unknown) => PlatformError } = {},
) {
  const endpoint = { subject: `rpc.test.${randomUUID()}`, timeoutMs };
  const stop = serve(responder, endpoint, { ...groupOptions, ...options }, handle);
  await responder.nats.flush();
  return { endpoint, stop, ask: (body: Uint8Array | string) => requestRaw(asker, endpoint, body, { requestId: 'r1' }) };
}

/** Asks for `bytes` bytes to be reversed, and whether all came back in order. */
export async function comesBackReversed(of: { asker: BusConnection; responder: BusConnection }, bytes: number) {
  const { ask, stop } = await answering(of, ({ body }) => Buffer.from(body).toReversed());
  const body = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 4_093) body[at] = at % 251;
  const { status, body: answer } = await ask(body);
  await stop();
  return { status, isReversed: Buffer.compare(body.toReversed(), answer) === 0 };
}
