import { type components, createClient } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { eraseCustomer, erasureText } from './erase-customer.ts';

const erasure: components['schemas']['CustomerErasure'] = {
  id: 'ers_1',
  status: 'done',
  pseudonym: 'erased_1',
  found: { orders: 2, carts: 1, groups: 0, redemptions: 3, activity: 9 },
  remains: [{ where: 'event-stream', until: '2027-07-24T10:00:00.000Z' }],
  created: '2027-07-10T10:00:00.000Z',
};

it('asks before it erases the customer of an order, by the id or else by the address, and shows what was found', async () => {
  const asked: string[] = [];
  const client = createClient({
    baseUrl: 'http://platform.test',
    fetch: async ({ url }) => {
      asked.push(new URL(url).pathname);
      return Response.json({ status: 'ok', data: erasure });
    },
  });
  const seen: string[] = [];
  for (const id of ['cus/1', undefined]) {
    const customer = { email: 'ada@example.com', ...(id === undefined ? {} : { id }) };
    const action = eraseCustomer(client, { customer }, (erased) => seen.push(erasureText(erased)));
    expect(action?.confirm?.title).toBe('Erase ada@example.com from all records?');
    await action?.run();
  }
  expect(asked).toEqual(['/v1/customers/cus%2F1/erase', '/v1/customers/ada%40example.com/erase']);
  expect(seen[0]).toContain('2 orders, 1 cart, 0 groups, 3 redemptions');
});

it('does not offer to erase a customer who is erased', () => {
  const customer = { id: 'erased_1', email: 'erased@erased.invalid' };
  expect(
    eraseCustomer(createClient({ baseUrl: 'http://platform.test' }), { customer }, () => undefined),
  ).toBeUndefined();
});
