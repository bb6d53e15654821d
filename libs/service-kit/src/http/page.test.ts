import { expect, it } from 'vitest';
import { afterCursor, pageAfter, pageRange } from './page.ts';

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
