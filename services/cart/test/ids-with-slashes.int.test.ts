import { randomUUID } from 'node:crypto';
import { liveTenant } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sessionAmounts } from '../src/sessions/session.repository.ts';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { checkOut } from './checkouts.ts';
import { join, newSession, newTable, table } from './tables.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('a company whose id is the beginning of another id up to a slash', () => {
  const companies = (): [Company, Company, string] => {
    const city = `city-${randomUUID()}`;
    const company = services.newCompany();
    return [company, services.newCompany(`${company.companyId}/${city}`), city];
  };

  test("cannot order the other one's cart", async () => {
    const [company, other, city] = companies();
    const session = await newSession(other.cart);
    await other.cart.post(`/cart/sessions/${session}/item`, { offeringId: 'poster', quantity: 1, price: 100 });
    await expect(checkOut(services, company, { sessionId: `${city}/${session}` })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const { data } = (await other.cart.get(`/cart/sessions/${session}`)).body;
    expect(data).toMatchObject({ status: 'open' });
    await checkOut(services, other, { sessionId: session });
  });

  test("can neither join nor see the other one's table", async () => {
    const [company, other, city] = companies();
    const id = await newTable(other.cart, 1);
    const refused = await join(company.cart, await newSession(company.cart), `${city}/${id}`);
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toMatchObject([{ path: 'tableCommitmentId' }]);
    expect(await table(other.cart, id)).toMatchObject({ seatsTaken: 0 });
  });

  test("does not use its quota for the other one's carts", async () => {
    const [company, other] = companies();
    await newSession(other.cart);
    await newSession(company.cart);
    const { openCarts } = sessionAmounts(services.models.cart);
    expect(await openCarts(liveTenant(company.companyId))).toBe(1);
    expect(await openCarts(liveTenant(other.companyId))).toBe(1);
  });
});
