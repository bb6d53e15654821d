import { describe, expect, test } from 'vitest';
import { repairSeats } from '../src/tables/repair-seats.ts';
import { orderedSeat } from './ordered-seat.ts';
import { useStores } from './use-stores.ts';

const stores = useStores();

describe("the seat of an order's session", () => {
  test('that a later life of its id took stays with that life, whatever becomes of the order', async () => {
    const seat = await orderedSeat(stores());
    await seat.expire();
    await seat.liveAgain();
    for (const type of ['order.placed', 'order.cancelled'] as const) {
      if (type === 'order.cancelled') seat.cancel();
      await seat.deliver(type);
      expect(await seat.state()).toEqual({
        seatsTaken: 1,
        status: 'full',
        holder: 'session',
        spent: 0,
        sessionSaysSo: true,
      });
    }
  });

  test('that a cancelled order still has is released by repair-seats, and no other', async () => {
    const [kept, standing] = [await orderedSeat(stores()), await orderedSeat(stores())];
    for (const seat of [kept, standing]) await seat.deliver('order.placed');
    kept.cancel();
    const orders = {
      ...kept.deps.orders,
      standing: async () => new Map([[standing.orderId, { amount: 900, currency: 'EUR' }]]),
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
    expect(await kept.state()).toMatchObject({ holder: 'session', sessionSaysSo: true });
    expect(await standing.state()).toMatchObject({ holder: 'order' });
  });
});
