import { newCode, orderBody, triesOfOne } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { place, read } from './plain-orders.ts';
import { createAdjustment } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('an order is confirmed, cancelled and reopened', () => {
  test('only at the version that If-Match names, and a repeat changes nothing', async () => {
    const company = services.newCompany();
    const { id } = await place(company, { status: 'pending' });
    await company.commerce.patch(`/orders/${id}`, { meta: { changed: true } });
    let version = 2;
    for (const [transition, status] of [
      ['confirm', 'placed'],
      ['cancel', 'cancelled'],
      ['reopen', 'placed'],
    ] as const) {
      const move = async (tag: string) =>
        company.commerce.post(`/orders/${id}/${transition}`, undefined, { 'if-match': tag });
      const before = await read(company, id);
      const refused = await move(`"${version - 1}"`);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'VERSION_CONFLICT']);
      expect(await read(company, id)).toEqual(before);
      const moved = await move(`"${version}"`);
      version += 1;
      expect([moved.status, moved.body.data]).toMatchObject([200, { status, version }]);
      expect((await move(`"${version - 1}"`)).body.data).toEqual(moved.body.data);
    }
  });

  test('and is confirmed only at the total that was paid', async () => {
    const company = services.newCompany();
    const { id, costs } = await place(company, { status: 'pending' });
    const confirm = async (expectedTotal: number) => company.commerce.post(`/orders/${id}/confirm`, { expectedTotal });
    const { status, body } = await confirm(costs.total - 1);
    expect([status, body.error.code]).toEqual([409, 'PRICE_CHANGED']);
    expect(body.error.details[0]).toMatchObject({ path: 'expectedTotal', total: costs.total });
    expect((await read(company, id)).status).toBe('pending');
    expect((await confirm(costs.total)).body.data.status).toBe('placed');
  });

  test('by its number too, within its own company', async () => {
    const company = services.newCompany();
    const { id, orderNumber } = await place(company, { status: 'pending' });
    const { commerce } = company;
    const replies = [
      await commerce.patch(`/orders/${orderNumber}`, { meta: { a: 1 } }),
      await commerce.post(`/orders/${orderNumber}/confirm`),
      await commerce.post(`/orders/${orderNumber}/cancel`),
      await commerce.post(`/orders/${orderNumber}/reopen`),
    ];
    expect(replies.map(({ status, body }) => [status, body.data.id, body.data.version])).toEqual(
      [2, 3, 4, 5].map((version) => [200, id, version]),
    );
    const refused = await services.newCompany().commerce.post(`/orders/${orderNumber}/cancel`);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
  });

  test('once per request, whatever happens between its attempts', async () => {
    const company = services.newCompany();
    const { commerce, companyId } = company;
    const code = newCode();
    await createAdjustment(company, code, { conditions: { maxRedemptions: 1 } });
    const order = async () => commerce.post('/orders', orderBody(companyId, { coupons: [code] }));
    const { id } = (await order()).body.data.order;
    const move = async (transition: string, headers = {}) =>
      (await commerce.post(`/orders/${id}/${transition}`, undefined, headers)).body.data;

    const [first, second] = triesOfOne();
    await move('cancel', first);
    const reopened = await move('reopen');
    expect(await move('cancel', second)).toEqual(reopened);
    expect((await order()).body.error.code).toBe('REDEMPTION_LIMIT_REACHED');

    const [once, again] = triesOfOne();
    await move('cancel');
    await move('reopen', once);
    const cancelled = await move('cancel');
    expect(await move('reopen', again)).toEqual(cancelled);
    expect((await order()).status).toBe(201);
  });
});
