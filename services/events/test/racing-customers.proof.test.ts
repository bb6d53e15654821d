import { compareCounters } from '@event-commerce/claims';
import { liveTenant, proofSize } from '@event-commerce/test-kit';
import { beforeAll, expect, test } from 'vitest';
import { ticketCollections } from '../src/tickets/ticket-pools.ts';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { cancelTickets, claimTickets, tellOfOrder, ticket } from './tickets.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const CUSTOMERS = proofSize(3, 40);
const ORDERS_EACH = proofSize(12, 60);
/** The limits of the event and of one of its two offerings. */
const [OF_EVENT, OF_OFFERING] = [5, 3];

test(
  'customers with many orders at once never exceed a limit, and what they give back can be claimed again',
  { timeout: 600_000 },
  async () => {
    const company = services.newCompany();
    const { events: api, companyId } = company;
    const event = (await api.post('/events', { name: 'Gala', maxPerCustomer: OF_EVENT })).body.data;
    const offer = async (more: object) =>
      (await api.post(`/events/${event.id}/offerings`, { ...ticket, ...more })).body.data.id as string;
    const [limited, free] = [await offer({ maxPerCustomer: OF_OFFERING }), await offer({})];

    const buy = async (n: number) => {
      // At least this many at any moment: tickets that are given back stop counting before the request.
      const has = { limited: 0, free: 0 };
      let won = 0;
      const order = async (turn: number) => {
        const of = turn % 3 === 0 ? 'free' : 'limited';
        const id = of === 'free' ? free : limited;
        const quantity = 1 + (turn % 2);
        const customer =
          turn % 4 < 2 ? { id: `ada-${n}`, email: `ada-${n}@example.com` } : { email: `ADA-${n}@Example.com` };
        const claimed = await claimTickets(services, company, { [id]: quantity }, { customer }).catch(
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'CUSTOMER_LIMIT_REACHED' });
            return undefined;
          },
        );
        if (claimed === undefined) return;
        const { orderId, claims } = claimed;
        won += 1;
        has[of] += quantity;
        expect(has.limited).toBeLessThanOrEqual(OF_OFFERING);
        expect(has.limited + has.free).toBeLessThanOrEqual(OF_EVENT);
        await tellOfOrder(services, company, 'order.placed', { id: orderId, tickets: claims });
        if (turn % 5 === 4) return;
        has[of] -= quantity;
        await cancelTickets(services, company, { orderId, claims });
      };
      await Promise.all(Array.from({ length: ORDERS_EACH }, async (_, turn) => order(turn)));
      return { has, won };
    };
    const bought = await Promise.all(Array.from({ length: CUSTOMERS }, async (_, n) => buy(n)));
    await services.followedOrders('events');

    expect(bought.every(({ won }) => won > 0)).toBe(true);
    const tenant = liveTenant(companyId);
    const differences = compareCounters(ticketCollections(services.models.events), {
      repair: false,
      companyId: tenant,
    });
    expect(await Array.fromAsync(differences)).toEqual([]);
    const sold = async (id: string) => (await api.get(`/offerings/${id}`)).body.data.availability.sold;
    const sum = (of: 'limited' | 'free') => bought.reduce((total, { has }) => total + has[of], 0);
    expect([await sold(limited), await sold(free)]).toEqual([sum('limited'), sum('free')]);
  },
);
