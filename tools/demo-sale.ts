import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type components, dataOf } from '@event-commerce/client';

type Schemas = components['schemas'];
type Order = Schemas['OrderRequest']['order'];

export interface Buyer {
  firstName: string;
  lastName: string;
}

interface Sale {
  companyId: string;
  eventId: string;
  lounge: Schemas['Offering'];
  seated: Schemas['Offering'];
  standing: Schemas['Offering'];
  code: string;
}

const FIRST_NAMES = ['Lena', 'Jonas', 'Mia', 'Paul', 'Aylin', 'Tom', 'Clara', 'Emre', 'Nora', 'Luis'];
const LAST_NAMES = ['Berger', 'Novak', 'Rossi', 'Yilmaz', 'Jensen'];
const BUYERS: readonly Buyer[] = LAST_NAMES.flatMap((lastName, n) =>
  FIRST_NAMES.map((_, k) => ({ firstName: FIRST_NAMES[(k + 3 * n) % FIRST_NAMES.length] ?? '', lastName })),
);
/** How many tickets they buy, in turn. */
const QUANTITIES = [2, 1, 2, 4, 2, 1, 3, 2];

/**
 * Fifty buyers come one after another within `seconds`. Every third tries the code until it has run out; most pay a
 * moment after they ordered, and one in ten changes their mind.
 */
export async function sellToFifty({
  client,
  sale,
  seconds,
  orderOf,
  say,
}: {
  client: Client;
  sale: Sale;
  seconds: number;
  orderOf: (sale: Sale, buyer: Buyer) => Omit<Order, 'items'>;
  say: (sentence: string) => void;
}): Promise<{ placed: number; cancelled: number; refused: Map<string, number> }> {
  const refused = new Map<string, number>();
  let [placed, cancelled] = [0, 0];
  const everyMs = (seconds * 1_000) / BUYERS.length;
  const buying = BUYERS.map(async (buyer, n) => {
    await sleep(n * everyMs);
    const order = orderOf(sale, buyer);
    const item = itemOf(sale, n);
    const body = {
      ...order,
      items: [item],
      expiresInSeconds: 900,
      ...(n % 5 === 2 ? { customerSegment: 'member' } : {}),
    };
    const coupons = n % 3 === 0 ? [sale.code] : [];
    let reply = await client.POST('/v1/orders', { body: { order: { ...body, coupons } } });
    if (reply.error?.error.code === 'REDEMPTION_LIMIT_REACHED')
      reply = await client.POST('/v1/orders', { body: { order: body } });
    if (reply.data === undefined) {
      const { code } = reply.error.error;
      refused.set(code, (refused.get(code) ?? 0) + 1);
      return;
    }
    const path = { id: reply.data.data.order.id };
    await sleep(3 * everyMs);
    if (n % 10 === 7) {
      await dataOf(client.POST('/v1/orders/{id}/cancel', { params: { path } }));
      cancelled += 1;
    } else {
      await dataOf(client.POST('/v1/orders/{id}/confirm', { params: { path } }));
      placed += 1;
      if (placed % 10 === 0) say(`${placed} orders placed`);
    }
  });
  await Promise.all(buying);
  return { placed, cancelled, refused };
}

/** Most stand, some sit, few take the lounge. */
function itemOf({ lounge, seated, standing }: Sale, n: number): { offeringId: string; quantity: number } {
  if (n % 10 === 4) return { offeringId: lounge.id, quantity: 2 };
  const quantity = QUANTITIES[n % QUANTITIES.length] ?? 1;
  return { offeringId: n % 4 === 1 ? seated.id : standing.id, quantity };
}
