import { describe, expect, test } from 'vitest';
import { repairSeats } from '../src/tables/repair-seats.ts';
import { orderedSeat } from './ordered-seat.ts';
import { standingOrder } from './session-world.ts';
import { useStores } from './use-stores.ts';

const stores = useStores();

describe("the seat of an order's session", () => {
  test("stays the order's whatever session has the id later, and is free once the order is over", async () => {
    const seat = await orderedSeat(stores());
    await seat.deliver('order.placed');
    await seat.expire();
    await seat.liveAgain();
    expect(await seat.state()).toMatchObject({ seatsTaken: 1, holder: 'order', sessionSaysSo: false });
    seat.cancel();
    await seat.deliver('order.cancelled');
    expect(await seat.state()).toMatchObject({ seatsTaken: 0, status: 'open', holder: 'nobody', spent: 0 });
    await seat.liveAgain();
    for (const type of ['order.placed', 'order.cancelled'] as const) await seat.deliver(type);
    expect(await seat.state()).toMatchObject({ seatsTaken: 1, holder: 'session', sessionSaysSo: true });
  });

  test('is released by repair-seats if the order was cancelled, and not otherwise', async () => {
    const [kept, standing] = [await orderedSeat(stores()), await orderedSeat(stores())];
    for (const seat of [kept, standing]) await seat.deliver('order.placed');
    kept.cancel();
    const orders = {
      ...kept.deps.orders,
      shown: async () => ({
        standing: new Map([[standing.orderId, standingOrder()]]),
        over: new Map([[kept.orderId, 0]]),
      }),
    };
    const repair = async (options: { repair: boolean }) => {
      const found = [];
      for (const { tenant } of [kept, standing]) {
        for await (const lost of repairSeats({ ...kept.deps, orders }, { ...options, tenant })) found.push(lost);
      }
      return found;
    };
    const { companyId, orderId, sessionId } = kept;
    const lost = { companyId, environment: 'live', tableId: 'table', orderId, sessionId };
    expect(await repair({ repair: false })).toEqual([{ ...lost, repaired: false }]);
    expect(await repair({ repair: true })).toEqual([{ ...lost, repaired: true }]);
    expect(await repair({ repair: true })).toEqual([]);
    expect(await kept.state()).toMatchObject({ holder: 'nobody', sessionSaysSo: false });
    expect(await standing.state()).toMatchObject({ holder: 'order' });
  });
});
