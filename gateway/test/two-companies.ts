import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { apiClient } from '@event-commerce/test-kit';
import { afterAll, beforeAll } from 'vitest';
import { startEchoingGateway, startRawService, type TestGateway } from './gateway-fixture.ts';

const MEBIBYTE = 2 ** 20;
export const LONG = Buffer.from(`{"data":"${'x'.repeat(64 * MEBIBYTE)}"}`);
/** How many requests to a service one company may have in flight. */
export const SHARE = 8;

export interface Company {
  key: string;
  api: ReturnType<typeof apiClient>;
}

/** The bodies that create the keys of the two companies. */
interface Keys {
  busy?: Record<string, unknown>;
  other?: (busy: { companyId: string }) => Record<string, unknown>;
}

/** Both are the same company, once with a test key and once with a live one. */
export const WORLDS: Keys = {
  busy: { environment: 'test' },
  other: ({ companyId }) => ({ companyId, environment: 'live' }),
};

/** What the service does. */
interface Work {
  /** Requests in flight. */
  inFlight: number;
  cutAnswers: number;
}

/** Two companies at a gateway with room for 16 requests to a service, and for 8 MiB. */
type WithTwoCompanies = (
  check: (busy: Company, other: Company, port: number, work: Work) => Promise<void>,
  changes?: Parameters<TestGateway['replica']>[0],
  keys?: Keys,
) => Promise<void>;

/**
 * Never responds to a list of orders or a request for quotas; a list of coupons with a limit is larger than the socket
 * buffers.
 */
function commerce(work: Work): RequestListener {
  return (request, response) => {
    work.inFlight += 1;
    response.once('close', () => {
      work.inFlight -= 1;
      if (!response.writableFinished) work.cutAnswers += 1;
    });
    if (request.method === 'GET' && /^\/(orders|usage)/.test(request.url ?? '')) return;
    response.setHeader('content-type', 'application/json');
    request.resume().once('end', () => response.end(request.url?.startsWith('/coupons?limit') ? LONG : '{"data":"x"}'));
  };
}

/** The gateways of the tests of one file. */
export function useTwoCompanies(): WithTwoCompanies {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startEchoingGateway();
  });
  afterAll(async () => gateway?.stop());

  return async (check, changes = {}, keys = {}) => {
    const work: Work = { inFlight: 0, cutAnswers: 0 };
    const service = await startRawService(commerce(work));
    const own = await gateway.replica({
      COMMERCE_URL: service.url,
      UPSTREAM_IN_FLIGHT_MAX: 2 * SHARE,
      HELD_BYTES_MAX: 8 * MEBIBYTE,
      ...changes,
    });
    const keyed = ({ key }: { key: string }): Company => {
      return { key, api: apiClient(own.url, { authorization: `Bearer ${key}` }) };
    };
    try {
      const busy = await own.createKey(keys.busy);
      const other = await own.createKey(keys.other?.(busy));
      await check(keyed(busy), keyed(other), Number(new URL(own.url).port), work);
    } finally {
      await own.stop();
      await service.stop();
    }
  };
}

export async function opened(port: number, { key }: Company, request: string, more = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`${request} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${more}`);
  return socket;
}
