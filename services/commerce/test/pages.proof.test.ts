import { orderBody } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

test('a page of large orders ends at one mebibyte, and the next pages have the rest', async () => {
  const { companyId, commerce } = services.newCompany();
  const item = { offeringId: 'off_1', quantity: 1, unitPrice: 5_000, remark: 'x'.repeat(300_000) };
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    const { status, body } = await commerce.post('/orders', orderBody(companyId, { items: [item] }));
    expect(status).toBe(201);
    ids.unshift(body.data.order.id);
  }
  const found: string[] = [];
  let cursor = '';
  for (let pages = 1; ; pages++) {
    const { body } = await commerce.get(`/orders?limit=200${cursor}`);
    expect(JSON.stringify(body).length).toBeLessThan(1_100_000);
    expect(body.page.limit).toBe(200);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    if (body.page.next === null) {
      expect(pages).toBe(4);
      break;
    }
    cursor = `&cursor=${body.page.next}`;
  }
  expect(found).toEqual(ids);
});

test.each(['meta', 'answers', 'agreements', 'forwarded', 'customer', 'costs', 'context'])(
  'order.%s of more than 64 KB is refused, and says so',
  async (member) => {
    const { companyId, commerce } = services.newCompany();
    const whole = orderBody(companyId).order[member] as object | undefined;
    const sized = (length: number) => orderBody(companyId, { [member]: { ...whole, filling: 'ä'.repeat(length) } });
    expect((await commerce.post('/orders', sized(32_000))).status).toBe(201);
    const refused = await commerce.post('/orders', sized(33_000));
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ path: `order.${member}`, message: expect.stringContaining('at most 65536 bytes') as string }],
    ]);
  },
);
