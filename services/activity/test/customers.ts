import { randomUUID } from 'node:crypto';
import { adjustmentBody, newCode, orderBody } from '@event-commerce/test-kit';
import { expect } from 'vitest';
import type { Company, Services } from '../../../tests/harness/services.ts';

/** Somebody whose data have a word in them that is found nowhere else. */
export function newPerson() {
  const own = randomUUID().slice(0, 8);
  return {
    id: `ada|${own}`,
    uid: `auth0|${own}`,
    email: `Ada.${own}@Example.com`,
    firstName: `Ada${own}`,
    lastName: `Lovelace${own}`,
    phone: `+44 ${own}`,
    need: `a wheelchair ${own}`,
    /** What is found wherever a record says anything about the person. */
    word: own,
  };
}

type Person = ReturnType<typeof newPerson>;
/** Without an id: somebody who buys without an account. */
type Guest = Omit<Person, 'id'> & { id?: string };

/** An order of somebody, with something about the person in each place that callers fill. */
export function orderOf(
  { companyId }: Company,
  { id, uid, need, email, firstName, lastName, phone }: Guest,
  changes: object = {},
) {
  const customer = { email, firstName, lastName, phone };
  const about = { need, [`of ${need}`]: [need] };
  return {
    order: {
      ...orderBody(companyId).order,
      customer: { ...(id === undefined ? {} : { id }), ...customer, birthday: need },
      uid,
      items: [{ offeringId: 'off_1', name: 'Ticket', quantity: 2, unitPrice: 5_000, holder: customer }],
      costs: { paidBy: need },
      agreements: about,
      answers: about,
      forwarded: about,
      meta: about,
      context: { urn: 'urn:v1:c:orders:order/1', seenBy: customer },
      ...changes,
    },
  };
}

/** A company with something about `person` in each service. Resolves with the ids of its orders, cart and group. */
export async function sellTo(company: Company, person: Person) {
  const { commerce, cart, events, pricing } = company;
  const { id, email, firstName, lastName } = person;
  const code = newCode();
  const made = async (answer: Promise<{ status: number; body: any }>) => {
    const { status, body } = await answer;
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data;
  };
  const coupon: string = (await made(commerce.post('/coupons', { code, percentOff: 10, limit: 5 }))).id;
  const { id: _, ...guest } = person;
  const orders: { id: string; costs: { total: number } }[] = [];
  for (const order of [
    orderOf(company, person, { coupons: [{ code, foundBy: person.need }] }),
    orderOf(company, person, { coupons: [code] }),
    orderOf(company, guest, { customer: { email: email.toUpperCase() } }),
  ]) {
    orders.push((await made(commerce.post('/orders', order))).order);
  }
  const session = `cart-${randomUUID()}`;
  const price = { amount: 5_000, currency: 'EUR' };
  await cart.post(`/cart/sessions/${session}/item`, { offeringId: 'off_1', quantity: 1, price });
  const changed = await cart.patch(`/cart/sessions/${session}`, { customerId: id });
  expect(changed.status).toBe(200);
  const event: string = (await made(events.post('/events', { name: 'Gala' }))).id;
  const groups = `/events/${event}/purchase-groups`;
  const members = [{ customerId: id, name: `${firstName} ${lastName}`, email, seat: person.need }, { id: 'grace' }];
  const group: string = (await made(events.post(groups, { name: `The ${lastName}s`, members }))).id;
  const source: string = (await made(events.post(groups, { name: 'Others', size: 1 }))).id;
  const merge = { sourceGroupId: source, combinedSize: 3, note: `${firstName} asked for it` };
  expect((await events.post(`${groups}/${group}/merge`, merge)).status).toBe(200);
  const manual = newCode();
  const body = adjustmentBody(manual, { conditions: { code: manual, maxRedemptions: 1 } });
  const adjustment: string = (await made(pricing.post('/pricing/adjustments', body))).id;
  await made(
    pricing.post(`/pricing/adjustments/${adjustment}/redemptions`, {
      orderId: `box-office-${randomUUID()}`,
      customerId: id,
    }),
  );
  const sold = async () => (await commerce.get(`/coupons/${coupon}`)).body.data.quantitySold;
  await expect.poll(sold).toBe(2);
  return { orders, coupon, code, session, groups, group, adjustment, sold };
}

/**
 * Every document of every database that has `word` in it, as `DATABASE.COLLECTION _id`. `companyId`: only of this
 * company, or of none.
 */
export async function documentsWith(
  { databases }: Pick<Services, 'databases'>,
  word: string,
  companyId?: string,
): Promise<string[]> {
  const found: string[] = [];
  const filter = companyId === undefined ? {} : { $or: [{ companyId }, { companyId: { $exists: false } }] };
  for (const [name, database] of Object.entries(databases)) {
    const collections = (await database.db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
    for (const collection of collections) {
      for await (const document of database.collection(collection.name).find(filter)) {
        if (JSON.stringify(document).includes(word)) found.push(`${name}.${collection.name} ${String(document._id)}`);
      }
    }
  }
  return found;
}
