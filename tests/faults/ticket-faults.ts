import { isDeepStrictEqual } from 'node:util';
import { until } from '@event-commerce/service-kit';
import { orderBody } from '@event-commerce/test-kit';
import { type Fault, finding } from './fault.ts';
import type { TestBed } from './test-bed.ts';

const WAIT_MS = 30_000;
const CAPACITY = 5;

/** What is taken of the offering and of the coupon. */
interface Taken {
  sold: number;
  held: number;
  /** The state of the coupon's redemption in the ledger. */
  redemptions: string[];
}

/** Commerce is killed at the moment when its order `more` is written, or is about to be. */
function killedPlacing(
  point: string,
  options: { more: object; event: string; held: 'request' | 'answer'; expected: string; taken: Taken },
): Fault {
  return {
    id: '55',
    name: `commerce is killed ${point}`,
    expected: options.expected,
    async run(bed) {
      const { api, companyId, createCoupon } = await bed.newCompany();
      const coupon = await createCoupon({ maxRedemptions: 1 });
      const event = (await api.post('/v1/events', { name: 'Gala', capacity: CAPACITY })).body.data;
      const price = { amount: 5000, currency: 'EUR' };
      const offering = (await api.post(`/v1/events/${event.id}/offerings`, { name: 'Ticket', price })).body.data;
      const taken = async (): Promise<Taken & { left: number }> => {
        const { body } = await api.get(`/v1/offerings/${offering.id}`);
        const { sold, held, left } = body.data.availability;
        const redemptions = (await api.get(`/v1/pricing/adjustments/${coupon.id}/redemptions`)).body.data;
        return { sold, held, left, redemptions: redemptions.map(({ status }: { status: string }) => status) };
      };
      const body = orderBody(companyId, {
        items: [{ offeringId: offering.id, quantity: 2 }],
        coupons: [coupon.code],
        ...options.more,
      });

      const reached = bed.link('commerce', 'mongo').holdAt(options.event, options.held);
      const placing = api.post('/v1/orders', body).catch(() => undefined);
      await reached;
      const before = await taken();
      bed.platform.kill('commerce', 'SIGKILL');
      await cutOff(bed);
      await placing;
      await bed.platform.ready('commerce');

      const expected = { ...options.taken, left: CAPACITY - options.taken.sold - options.taken.held };
      let after = before;
      const agreed = until('what is taken is what the stored orders say', WAIT_MS, async () => {
        after = await taken();
        return isDeepStrictEqual(after, expected);
      });
      const wrong = await agreed.then(
        (): string[] => [],
        (error: unknown) => [(error as Error).message],
      );
      if (!isDeepStrictEqual(before, { sold: 0, held: 2, left: CAPACITY - 2, redemptions: [] }))
        wrong.push('it was killed too early or too late');
      // Everything that is left can be bought, by the same customer or by others.
      const again = await api.post('/v1/orders', body);
      if (again.status !== (expected.left === CAPACITY ? 201 : 200)) wrong.push(`the order again: ${again.status}`);
      return finding(`before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`, wrong);
    },
  };
}

/** What was held on commerce's connections never arrives. */
async function cutOff(bed: TestBed): Promise<void> {
  await bed.link('commerce', 'mongo').set({ kind: 'refuse' });
  await bed.link('commerce', 'mongo').set({ kind: 'pass' });
}

export const ticketFaults: readonly Fault[] = [
  killedPlacing('between the claims of an order and the order', {
    more: {},
    event: 'order.placed',
    held: 'request',
    expected: 'its tickets and its coupon come back',
    taken: { sold: 0, held: 0, redemptions: ['lapsed'] },
  }),
  killedPlacing('after it wrote an order, before it knows', {
    more: {},
    event: 'order.placed',
    held: 'answer',
    expected: 'the tickets are sold and the coupon is redeemed, once',
    taken: { sold: 2, held: 0, redemptions: ['confirmed'] },
  }),
  killedPlacing('after it wrote a pending order, before it knows', {
    more: { expiresInSeconds: 3_600 },
    event: 'order.pending',
    held: 'answer',
    expected: 'the tickets and the coupon are held, once',
    taken: { sold: 0, held: 2, redemptions: ['held'] },
  }),
];
