import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type components, dataOf } from '@event-commerce/client';

type Schemas = components['schemas'];
type Order = Schemas['OrderRequest']['order'];

export interface Buyer {
  firstName: string;
  lastName: string;
}

type Season = Awaited<ReturnType<typeof openSeason>>;

/** A date of the season, and what it sells. */
export type SeasonDate = Awaited<ReturnType<typeof dateOf>>;

export const ORGANIZER = 'org_riverside';

const FIRST_NAMES = ['Lena', 'Jonas', 'Mia', 'Paul', 'Aylin', 'Tom', 'Clara', 'Emre', 'Nora', 'Luis'];
const LAST_NAMES = ['Berger', 'Novak', 'Rossi', 'Yilmaz', 'Jensen'];
const BUYERS: readonly Buyer[] = LAST_NAMES.flatMap((lastName, n) =>
  FIRST_NAMES.map((_, k) => ({ firstName: FIRST_NAMES[(k + 3 * n) % FIRST_NAMES.length] ?? '', lastName })),
);
/** How many tickets they buy, in turn. */
const QUANTITIES = [2, 1, 2, 4, 2, 1, 3, 2];

/**
 * A festival on eight Fridays of next summer: a series with three kinds of tickets and its price rules. `run` makes a
 * code new if it is taken.
 */
export async function openSeason(client: Client, run: string, say: (sentence: string) => void) {
  const now = new Date();
  const year = now.getFullYear() + (now.getMonth() < 5 ? 0 : 1);
  const series = await dataOf(
    client.POST('/v1/events', {
      body: {
        kind: 'series',
        name: 'Riverside Open Air',
        status: 'published',
        startsAt: `${year}-07-01T18:00`,
        endsAt: `${year}-07-01T23:30`,
        timezone: 'Europe/Berlin',
        venueId: 'ven_riverside',
        organizerId: ORGANIZER,
        capacity: 140,
      },
    }),
  );
  const offer = async (name: string, amount: number, capacity: number) => {
    const body = { name, price: { amount, currency: 'EUR' }, capacity };
    return await dataOf(client.POST('/v1/events/{id}/offerings', { params: { path: { id: series.id } }, body }));
  };
  await offer('VIP lounge', 14_900, 12);
  await offer('Seated', 7_900, 40);
  await offer('Standing', 4_900, 90);
  const rule = 'FREQ=WEEKLY;BYDAY=FR;COUNT=8';
  const { dates } = await dataOf(
    client.POST('/v1/events/{seriesId}/instances/by-rule', {
      params: { path: { seriesId: series.id } },
      body: { rule, startsAt: `${year}-07-01T18:00`, offerings: 'copy' },
    }),
  );
  say(`${dates.length} dates by the rule ${rule}, from ${dates[0]?.startsAt} to ${dates.at(-1)?.startsAt}`);
  const [opening, second] = await Promise.all(
    dates.slice(0, 2).map(async ({ eventId = '' }) => dateOf(client, eventId)),
  );
  if (opening === undefined || second === undefined) throw new Error('The series has no dates.');

  const targets = [{ eventId: series.id }];
  const adjust = async (fields: Omit<Schemas['AdjustmentInput'], 'targets'>) => {
    say(`+ ${fields.name}`);
    return await client.POST('/v1/pricing/adjustments', { body: { targets, ...fields } });
  };
  const withCode = async (code: string) =>
    await adjust({
      name: 'Summer sale',
      type: 'coupon',
      category: 'discount-coupon',
      stacking: 'replace-within-category',
      conditions: { code, maxRedemptions: 10 },
      effect: { kind: 'percentage_off', percent: 20 },
    });
  await adjust({
    name: 'Early bird',
    category: 'early-bird',
    conditions: { endsAt: new Date(Date.now() - 3 * 86_400_000).toISOString() },
    effect: { kind: 'percentage_off', percent: 15 },
  });
  await adjust({
    name: 'Four or more',
    category: 'group',
    conditions: { minQuantity: 4 },
    effect: { kind: 'amount_off', amount: 500, currency: 'EUR' },
  });
  await adjust({
    name: 'Coach parties',
    category: 'group',
    conditions: { minQuantity: 20 },
    effect: { kind: 'percentage_off', percent: 25 },
  });
  const members = {
    name: 'Members save 10 %',
    category: 'membership',
    targets,
    conditions: { customerSegments: ['member'] },
    effect: { kind: 'percentage_off' as const, percent: 10 },
  };
  say(`+ ${members.name}`);
  const { id } = await dataOf(client.POST('/v1/pricing/adjustments', { body: members }));
  await adjust({
    name: 'Booking fee',
    category: 'fee',
    effect: { kind: 'amount_surcharge', amount: 250, currency: 'EUR', per: 'order' },
  });
  // The plain code is that of the first run.
  const first = await withCode('SUMMER20');
  const coupon = first.data?.data ?? (await dataOf(withCode(`SUMMER20-${run}`)));
  return {
    opening,
    second,
    members: { ...members, id },
    coupon,
    code: coupon.conditions.code ?? '',
  };
}

async function dateOf(client: Client, eventId: string) {
  const offerings = await dataOf(client.GET('/v1/events/{id}/offerings', { params: { path: { id: eventId } } }));
  const named = (name: string) => {
    const found = offerings.find((offering) => offering.name === name);
    if (found === undefined) throw new Error(`Event ${eventId} has no offering "${name}".`);
    return found;
  };
  return { eventId, lounge: named('VIP lounge'), seated: named('Seated'), standing: named('Standing') };
}

/**
 * Fifty buyers come one after another within `seconds`. Every third tries the code until it has run out; most pay a
 * moment after they ordered, and one in ten changes their mind. One in eight comes on the second date.
 */
export async function sellToFifty({
  client,
  season,
  seconds,
  orderOf,
  say,
}: {
  client: Client;
  season: Season;
  seconds: number;
  orderOf: (date: SeasonDate, buyer: Buyer) => Omit<Order, 'items'>;
  say: (sentence: string) => void;
}): Promise<{ placed: number; cancelled: number; refused: Map<string, number> }> {
  const refused = new Map<string, number>();
  let [placed, cancelled] = [0, 0];
  const everyMs = (seconds * 1_000) / BUYERS.length;
  const buying = BUYERS.map(async (buyer, n) => {
    await sleep(n * everyMs);
    const date = n % 8 === 6 ? season.second : season.opening;
    const order = orderOf(date, buyer);
    const item = itemOf(date, n);
    const body = {
      ...order,
      items: [item],
      expiresInSeconds: 900,
      ...(n % 5 === 2 ? { customerSegment: 'member' } : {}),
    };
    const coupons = n % 3 === 0 ? [season.code] : [];
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
function itemOf({ lounge, seated, standing }: SeasonDate, n: number): { offeringId: string; quantity: number } {
  if (n % 10 === 4) return { offeringId: lounge.id, quantity: 2 };
  const quantity = QUANTITIES[n % QUANTITIES.length] ?? 1;
  return { offeringId: n % 4 === 1 ? seated.id : standing.id, quantity };
}
