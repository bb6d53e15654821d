import { randomUUID } from 'node:crypto';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionAmounts } from '../src/store/session-amounts.ts';
import { type Carts, type Company, startCarts } from './cart-fixture.ts';
import { join, newSession, newTable, table } from './table-requests.ts';

let carts: Carts;
beforeAll(async () => {
  carts = await startCarts();
});
afterAll(async () => carts?.stop());

describe('a company whose id is the beginning of another one up to a slash', () => {
  const companies = (): [Company, Company, string] => {
    const city = `city-${randomUUID()}`;
    const company = carts.newCompany();
    return [company, carts.newCompany(`${company.companyId}/${city}`), city];
  };

  test("cannot order the other one's cart", async () => {
    const [company, other, city] = companies();
    const session = await newSession(other.api());
    await other.api().post(`/cart/sessions/${session}/item`, { offeringId: 'poster', quantity: 1, price: 100 });
    await expect(company.checkOut({ sessionId: `${city}/${session}` })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const { data } = (await other.api().get(`/cart/sessions/${session}`)).body;
    expect(data).toMatchObject({ status: 'open' });
    await other.checkOut({ sessionId: session });
  });

  test("cannot sit down at the other one's table, nor learns of it", async () => {
    const [company, other, city] = companies();
    const id = await newTable(other.api(), 1);
    const refused = await join(company.api(), await newSession(company.api()), `${city}/${id}`);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toMatchObject([{ path: 'tableCommitmentId' }]);
    expect(await table(other.api(), id)).toMatchObject({ seatsTaken: 0 });
  });

  test("does not pay for the other one's carts with its quota", async () => {
    const [company, other] = companies();
    await newSession(other.api());
    await newSession(company.api());
    const { openCarts } = sessionAmounts(carts.models);
    expect(await openCarts(liveTenant(company.companyId))).toMatchObject({ count: 1 });
    expect(await openCarts(liveTenant(other.companyId))).toMatchObject({ count: 1 });
  });
});
