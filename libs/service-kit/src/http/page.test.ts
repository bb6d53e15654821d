import { tenantOf } from '@event-commerce/contracts';
import { expect, it } from 'vitest';
import { afterCursor, fillPage, pageAfter, pageRange } from './page.ts';

const page = (list: string) =>
  pageAfter({ documents: [{ _id: 'ord_1' }], more: true }, { limit: 1 }, list, ({ _id }) => _id);

it('continues a list after its own cursor', () => {
  const cursor = page('orders').next ?? '';
  expect(pageRange({ limit: 1, cursor }, 'orders')).toEqual({ _id: { $lt: 'ord_1' } });
  expect(pageRange({ limit: 1 }, 'orders')).toEqual({});
});

it.each([
  ['of another list', page('coupons').next ?? '', 'orders', undefined],
  ['of a list whose name begins alike', page('orders-by-date').next ?? '', 'orders', undefined],
  ['of this list, in another form', page('orders').next ?? '', 'orders', /^\d+$/],
  ['that is none', 'ord_1', 'orders', undefined],
  ['that is empty', '', 'orders', undefined],
])('refuses a cursor %s', (_, cursor, list, form) => {
  expect(() => afterCursor({ limit: 1, cursor }, list, form)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_FAILED',
      details: [
        expect.objectContaining({ path: 'cursor', message: expect.stringMatching(/^is not a cursor of this list/) }),
      ],
    }),
  );
});

it('reads four pages of a company at a time, whatever their lists, and lets no other company wait for them', async () => {
  const companyOf = (companyId: string) => tenantOf({ companyId, environment: 'live' });
  const released = Promise.withResolvers<void>();
  let [reading, most] = [0, 0];
  async function* held(): AsyncGenerator<Uint8Array> {
    most = Math.max(most, (reading += 1));
    await released.promise;
    reading -= 1;
    yield* [];
  }
  async function* none(): AsyncGenerator<Uint8Array> {
    yield* [];
  }
  const pages = Array.from({ length: 100 }, async (_, n) =>
    fillPage(`list ${n % 2}`, companyOf('many'), { limit: 10 }, held),
  );
  expect(await fillPage('list 0', companyOf('other'), { limit: 10 }, none)).toEqual({ documents: [], more: false });
  await expect.poll(() => reading).toBe(4);
  released.resolve();
  await Promise.all(pages);
  expect([reading, most]).toEqual([0, 4]);
});
