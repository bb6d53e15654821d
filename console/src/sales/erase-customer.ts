import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';
import { count, OWN_ZONE, time } from '../format/format.ts';

type Order = components['schemas']['Order'];
type Erasure = components['schemas']['CustomerErasure'];

/** Erases the customer of an order from all records; undefined for one who is erased already. */
export function eraseCustomer(
  client: Client,
  { customer }: Pick<Order, 'customer'>,
  onErased: (erasure: Erasure) => void,
): Action | undefined {
  const { id = customer.email } = customer;
  if (id.startsWith('erased_')) return undefined;
  return {
    label: 'Erase the customer',
    confirm: {
      title: `Erase ${customer.email} from all records?`,
      text: [
        'Name, address, phone number, answers and notes go from every order, cart and group of this customer. What was sold and redeemed stays.',
        'This cannot be undone.',
      ],
      yes: 'Erase the customer',
      isDangerous: true,
    },
    run: async () =>
      onErased(await dataOf(client.POST('/v1/customers/{id}/erase', { params: { path: { id } }, body: {} }))),
  };
}

/** What an erasure found, and where ids remain. */
export function erasureText({ status, found, remains }: Erasure): string {
  const { orders, carts, groups, redemptions } = found;
  const records = [
    count(orders, 'order'),
    count(carts, 'cart'),
    count(groups, 'group'),
    count(redemptions, 'redemption'),
  ].join(', ');
  if (status === 'running') return `The customer is being erased: ${records} so far. It continues by itself.`;
  const last = remains
    .map(({ until }) => until)
    .toSorted()
    .at(-1);
  const until =
    last === undefined
      ? ''
      : ` Events that other services still keep name only ids, until ${time(last, OWN_ZONE)} at the latest.`;
  return `The customer is erased from ${records}.${until}`;
}
