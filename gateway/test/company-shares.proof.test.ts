import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { CHANGES_TOGETHER, type Company, LARGE, LONG, opened, useTwoCompanies, WORLDS } from './two-companies.ts';

const MEBIBYTE = 2 ** 20;
const withTwoCompanies = useTwoCompanies();

async function statusOf(socket: Socket): Promise<number> {
  return await new Promise((resolve) =>
    socket.once('data', (data) => resolve(Number(data.toString('latin1').slice(9, 12)))),
  );
}

describe('a company', () => {
  test.each([
    ['that waits for slow responses gets at most half of the places; the others are for its neighbours', {}],
    ['that waits for slow responses with a test key leaves places for its live ones', WORLDS],
  ])('%s', async (_title, keys) => {
    const check: Parameters<typeof withTwoCompanies>[0] = async (busy, other) => {
      const slow = Array.from({ length: 12 }, async () => (await busy.api.get('/orders')).status);
      // The last four are refused at once, and the other company gets its responses while the first waits.
      await Promise.any(slow);
      expect((await other.api.get('/coupons')).status).toBe(200);
      const statuses = Map.groupBy(await Promise.all(slow), (status) => status);
      expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([503, 504]);
      expect(statuses.get(503)?.length).toBeGreaterThanOrEqual(4);
      expect((await busy.api.get('/coupons')).status).toBe(200);
    };
    await withTwoCompanies(check, {}, keys);
  });

  test('whose clients leave keeps their places until the service has answered, and its neighbour is served', async () => {
    await withTwoCompanies(async (busy, other, port, work) => {
      const send = async (from: number) =>
        Promise.all(
          Array.from({ length: 4 }, async (_, n) => opened(port, busy, `GET /orders?limit=${from + n}`, '\r\n')),
        );
      const left = await send(1);
      await expect.poll(() => work.inFlight).toBe(4);
      work.inFlightPeak = 0;
      for (const socket of left) socket.destroy();
      const waiting = await send(10);
      for (let n = 0; n < 8; n++) expect((await other.api.get('/coupons')).status).toBe(200);
      // The four that the service still works on, and one of the neighbour.
      expect(work.inFlightPeak).toBeLessThanOrEqual(5);
      expect(work.inFlight).toBe(4);
      for (const socket of waiting) socket.destroy();
      // Once the service was given up, its own requests have their places again.
      await expect.poll(async () => (await busy.api.get('/coupons')).status).toBe(200);
    });
  });

  test('whose clients leave is known for the size of the responses that they did not wait for', async () => {
    const check: Parameters<typeof withTwoCompanies>[0] = async (busy, other, port, work) => {
      const left = await opened(port, busy, 'GET /coupons/cpn_0', '\r\n');
      await expect.poll(() => work.inFlight).toBe(1);
      left.destroy();
      await expect.poll(() => work.inFlight).toBe(0);
      work.inFlightPeak = 0;
      expect((await other.api.get('/coupons')).status).toBe(200);
      const large = Array.from({ length: 4 }, async (_, n) => (await busy.api.get(`/coupons/cpn_${n}`)).status);
      let areAnswered = false;
      const statuses = Promise.all(large).finally(() => (areAnswered = true));
      while (!areAnswered) expect((await other.api.get('/coupons')).status).toBe(200);
      expect(await statuses).toEqual([200, 200, 200, 200]);
      // One at a time, and one of the neighbour.
      expect(work.inFlightPeak).toBe(2);
    };
    await withTwoCompanies(check, {
      UPSTREAM_CONNECTIONS_MAX: 64,
      UPSTREAM_IN_FLIGHT_MAX: 128,
      UPSTREAM_TIMEOUT_MS: 8_000,
    });
  });

  test('whose first changes arrive at once does not wait for the first response to know how large they are', async () => {
    const check: Parameters<typeof withTwoCompanies>[0] = async (busy, other) => {
      expect((await other.api.get('/coupons')).status).toBe(200);
      const paths = Array.from({ length: CHANGES_TOGETHER }, (_, n) => `/coupons/cpn_${n}`);
      const changes = await Promise.all(paths.map(async (path) => busy.api.patch(path, {})));
      expect(changes.map(({ status }) => status)).toEqual(paths.map(() => 200));
    };
    await withTwoCompanies(check, {
      UPSTREAM_CONNECTIONS_MAX: 64,
      UPSTREAM_IN_FLIGHT_MAX: 128,
      UPSTREAM_TIMEOUT_MS: 8_000,
    });
  });

  test('whose places are all taken still gets the stored responses of its Idempotency-Keys', async () => {
    await withTwoCompanies(async (busy) => {
      const keyed = { 'idempotency-key': 'one' };
      expect((await busy.api.post('/coupons', {}, keyed)).status).toBe(200);
      const slow = Array.from({ length: 12 }, async () => (await busy.api.get('/orders')).status);
      expect(await Promise.any(slow)).toBe(503);
      const again = await busy.api.post('/coupons', {}, keyed);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      await Promise.all(slow);
    });
  });

  test('that does not read its responses leaves connections to the service for its neighbours', async () => {
    await withTwoCompanies(async (busy, other, port) => {
      const unread = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const socket = await opened(port, busy, 'GET /coupons?limit=1', '\r\n');
          return socket.pause();
        }),
      );
      for (let n = 0; n < 8; n++) expect((await other.api.get('/coupons')).status).toBe(200);
      for (const socket of unread) socket.destroy();
      expect((await busy.api.get('/coupons')).status).toBe(200);
    });
  });

  test.each([
    ['bodies', async ({ api }: Company) => api.post('/orders', LARGE)],
    ['responses', async ({ api }: Company) => api.get('/coupons/cpn_1')],
  ])(
    'whose %s are large gets four of them handled at a time, and its neighbour is served beside',
    async (_what, send) => {
      await withTwoCompanies(
        async (busy, other, _port, work) => {
          // Only now the gateway knows how large the response is.
          expect((await send(busy)).status).toBe(200);
          work.inFlightPeak = 0;
          const replies = await Promise.all(Array.from({ length: 8 }, async () => send(busy)));
          expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
          expect(work.inFlightPeak).toBeLessThanOrEqual(4);
          const more = Promise.all(Array.from({ length: 8 }, async () => send(busy)));
          for (let n = 0; n < 8; n++) expect((await other.api.get('/coupons')).status).toBe(200);
          await more;
        },
        {
          HELD_BYTES_MAX: 128 * MEBIBYTE,
          UPSTREAM_CONNECTIONS_MAX: 64,
          UPSTREAM_IN_FLIGHT_MAX: 128,
          // Those that wait for a place get one, however slow the machine.
          UPSTREAM_TIMEOUT_MS: 20_000,
        },
      );
    },
  );

  test('that stops reading in the middle of a response loses its connection', async () => {
    await withTwoCompanies(
      async (busy, _other, port, work) => {
        const socket = await opened(port, busy, 'GET /coupons?limit=1', '\r\n');
        await statusOf(socket);
        socket.pause();
        await expect.poll(() => work.cutAnswers).toBe(1);
        socket.destroy();
      },
      { STALLED_READER_MS: 100, UPSTREAM_TIMEOUT_MS: 1_000 },
    );
  });

  test.each([
    ['of a length that it names', `content-length: ${MEBIBYTE - 1}\r\n\r\n`, ''],
    ['of unknown length', 'transfer-encoding: chunked\r\n\r\nffffe\r\n', '\r\n'],
  ])('that holds back the end of a body %s may hold an eighth of the memory for bodies', async (_what, head, end) => {
    await withTwoCompanies(async (busy, other, port) => {
      const upload = async (company: Company) => {
        const socket = await opened(port, company, 'POST /orders', `content-type: application/json\r\n${head}`);
        socket.write(' '.repeat(MEBIBYTE - 2) + end);
        return socket;
      };
      const first = await upload(busy);
      const second = await upload(busy);
      expect(await Promise.race([statusOf(first), statusOf(second)])).toBe(429);
      expect((await other.api.post('/orders', { note: 'x'.repeat(500_000) })).status).toBe(200);
      first.destroy();
      second.destroy();
      await expect.poll(async () => (await busy.api.post('/orders', { note: 'x'.repeat(500_000) })).status).toBe(200);
    });
  });

  test('whose upload is refused reads why, and the rest of the upload is not read', async () => {
    await withTwoCompanies(async (busy, _other, port) => {
      const head = `content-type: application/json\r\ncontent-length: ${LONG.length}\r\n\r\n`;
      const socket = await opened(port, busy, 'POST /orders', head);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      // Bytes that the gateway reads, or that fit into the buffers of the two sockets, have left this process.
      let sent = 0;
      for (let at = 0; at < LONG.length; at += MEBIBYTE) {
        const part = LONG.subarray(at, at + MEBIBYTE);
        socket.write(part, (error) => (sent += error == null ? part.length : 0));
      }
      expect(await statusOf(socket)).toBe(413);
      await closed;
      expect(sent).toBeLessThan(LONG.length / 2);
    });
  });
});
