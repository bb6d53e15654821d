import type { Sales } from '@event-commerce/contracts';
import type { Company } from '../../../tests/harness/services.ts';

/** The numbers of the orders that stand, as the API shows them. */
export interface Standing {
  orders: number;
  tickets: number;
  charged: number;
  discounts: number;
}

/** What sales say of the whole range: what was sold without what was returned. */
export function standingIn({ totals }: Pick<Sales, 'totals'>): Standing {
  const [{ orders, tickets, charged, refunded, discounts } = NONE] = totals;
  return {
    orders: orders.placed - orders.cancelled,
    tickets: tickets.sold - tickets.returned,
    charged: charged - refunded,
    discounts: discounts.given - discounts.returned,
  };
}

const NONE = {
  orders: { placed: 0, cancelled: 0, expired: 0 },
  tickets: { sold: 0, returned: 0 },
  charged: 0,
  refunded: 0,
  discounts: { given: 0, returned: 0 },
};

/** The sums over the placed orders of a company; of an event, of its items. */
export async function standingOf({ commerce }: Company, eventId?: string): Promise<Standing> {
  const sums = { orders: 0, tickets: 0, charged: 0, discounts: 0 };
  let cursor = '';
  do {
    const { body } = await commerce.get(`/orders?state=placed&limit=200${cursor}`);
    for (const order of body.data) {
      const items = order.items.filter((item: any) => eventId === undefined || item.eventId === eventId);
      if (items.length === 0) continue;
      sums.orders += 1;
      if (eventId === undefined) sums.charged += order.costs.total;
      for (const { quantity, charged, modifiers, shares } of items) {
        sums.tickets += quantity;
        if (eventId !== undefined) sums.charged += charged;
        for (const { total } of [...modifiers, ...shares]) sums.discounts -= total;
      }
    }
    cursor = body.page.next === null ? '' : `&cursor=${body.page.next}`;
  } while (cursor !== '');
  return sums;
}
