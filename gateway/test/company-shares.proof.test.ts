import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type Company, LONG, opened, SHARE, useTwoCompanies, WORLDS } from './two-companies.ts';

const MEBIBYTE = 2 ** 20;
const withTwoCompanies = useTwoCompanies();

async function statusOf(socket: Socket): Promise<number> {
  return await new Promise((resolve) =>
    socket.once('data', (data) => resolve(Number(data.toString('latin1').slice(9, 12)))),
  );
}

describe('a company', () => {
  test('that waits for slow responses gets 429 above its share, and other companies are served', async () => {
    await withTwoCompanies(async (busy, other) => {
      const slow = Array.from({ length: 12 }, async () => (await busy.api.get('/orders')).status);
      // The last four are refused at once, and the other company gets its response while the first waits.
      expect(await Promise.any(slow)).toBe(429);
      expect((await other.api.get('/coupons')).status).toBe(200);
      expect((await Promise.all(slow)).toSorted((a, b) => a - b)).toEqual([
        ...Array<number>(4).fill(429),
        ...Array<number>(8).fill(504),
      ]);
      expect((await busy.api.get('/coupons')).status).toBe(200);
    });
  });

  test('has one share for its live and test keys together', async () => {
    const check: Parameters<typeof withTwoCompanies>[0] = async (busy, sameCompany, _port, work) => {
      const slow = Array.from({ length: SHARE }, async (_, n) => busy.api.get(`/orders?limit=${n + 1}`));
      await expect.poll(() => work.inFlight).toBe(SHARE);
      const refused = await sameCompany.api.get('/coupons');
      expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
        429,
        'RATE_LIMITED',
        '1',
      ]);
      await Promise.all(slow);
      expect((await sameCompany.api.get('/coupons')).status).toBe(200);
    };
    await withTwoCompanies(check, {}, WORLDS);
  });

  test('whose clients disconnect keeps its slots until the service has answered, and other companies are served', async () => {
    await withTwoCompanies(async (busy, other, port, work) => {
      const left = await Promise.all(
        Array.from({ length: SHARE }, async (_, n) => opened(port, busy, `GET /orders?limit=${n + 1}`, '\r\n')),
      );
      await expect.poll(() => work.inFlight).toBe(SHARE);
      for (const socket of left) socket.destroy();
      expect((await busy.api.get('/coupons')).status).toBe(429);
      for (let n = 0; n < 8; n++) expect((await other.api.get('/coupons')).status).toBe(200);
      expect(work.inFlight).toBe(SHARE);
      // The gateway gives up waiting for the service, which frees the slots.
      await expect.poll(async () => (await busy.api.get('/coupons')).status, { timeout: 5_000 }).toBe(200);
    });
  });

  test('is also limited to a share of the requests to the gateway itself', async () => {
    await withTwoCompanies(async (busy, other) => {
      const slow = Array.from({ length: SHARE + 1 }, async () => (await busy.api.get('/v1/usage')).status);
      expect(await Promise.any(slow)).toBe(429);
      expect((await busy.api.get('/coupons')).status).toBe(200);
      expect((await other.api.get('/coupons')).status).toBe(200);
      expect((await Promise.all(slow)).toSorted((a, b) => a - b)).toEqual([429, ...Array<number>(SHARE).fill(504)]);
    });
  });

  test('whose slots are all taken still gets the stored responses of its Idempotency-Keys', async () => {
    await withTwoCompanies(async (busy) => {
      const keyed = { 'idempotency-key': 'one' };
      expect((await busy.api.post('/coupons', {}, keyed)).status).toBe(200);
      const slow = Array.from({ length: 12 }, async () => (await busy.api.get('/orders')).status);
      expect(await Promise.any(slow)).toBe(429);
      const again = await busy.api.post('/coupons', {}, keyed);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      await Promise.all(slow);
    });
  });

  test('that does not read its responses leaves connections to the service for other companies', async () => {
    await withTwoCompanies(async (busy, other, port) => {
      const unread = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const socket = await opened(port, busy, 'GET /coupons?limit=1', '\r\n');
          return socket.pause();
        }),
      );
      for (let n = 0; n < 8; n++) expect((await other.api.get('/coupons')).status).toBe(200);
      for (const socket of unread) socket.destroy();
      await expect.poll(async () => (await busy.api.get('/coupons')).status).toBe(200);
    });
  });

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

  test('whose upload is refused gets the reason, and the rest of the upload is not read', async () => {
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
