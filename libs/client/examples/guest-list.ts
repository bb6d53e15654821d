import type { Client } from '@event-commerce/client';

/** The addresses of everybody with a placed order of an event, however many pages that is. */
export async function guestList(backOffice: Client, eventId: string): Promise<Set<string>> {
  const addresses = new Set<string>();
  for await (const { customer } of backOffice.orders.list({ eventId, status: 'placed' })) addresses.add(customer.email);
  return addresses;
}
