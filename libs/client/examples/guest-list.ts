import { type Client, itemsOf } from '@event-commerce/client';

/** The addresses of everybody with a placed order of an event, however many pages that is. */
export async function guestList(backOffice: Client, eventId: string): Promise<Set<string>> {
  const addresses = new Set<string>();
  const orders = itemsOf((page) =>
    backOffice.GET('/v1/orders', { params: { query: { eventId, status: 'placed', ...page } } }),
  );
  for await (const { customer } of orders) addresses.add(customer.email);
  return addresses;
}
