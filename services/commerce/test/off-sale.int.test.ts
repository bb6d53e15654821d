import { beforeAll, describe, expect, test } from 'vitest';
import { type Services, sharedServices } from '../../../tests/harness/services.ts';
import { newShop } from './shop.ts';

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

describe('of an event that is cancelled', () => {
  test('nothing is ordered, a pending order can be confirmed, and a cancelled one cannot be reopened', async () => {
    const { commerce, events, eventId, order, ticket } = await newShop(services);
    const buy = async (more: object) =>
      (await order({ items: [{ offeringId: ticket, quantity: 1 }], ...more })).body.data.order;
    const [pending, over] = [await buy({ expiresInSeconds: 600 }), await buy({})];
    await commerce.post(`/orders/${over.id}/cancel`);
    await events.patch(`/events/${eventId}`, { status: 'cancelled' });

    const late = await order({ items: [{ offeringId: ticket, quantity: 1 }] });
    expect([late.status, late.body.error?.code]).toEqual([409, 'NOT_FOR_SALE']);
    const confirmed = await commerce.post(`/orders/${pending.id}/confirm`);
    expect([confirmed.status, confirmed.body.data.status]).toEqual([200, 'placed']);
    const refused = await commerce.post(`/orders/${over.id}/reopen`);
    expect([refused.status, refused.body.error.code, refused.body.error.details]).toMatchObject([
      409,
      'NOT_FOR_SALE',
      [{ path: 'id', offeringId: ticket, message: expect.stringContaining(`event ${eventId}, which is cancelled`) }],
    ]);
    await events.patch(`/events/${eventId}`, { status: 'postponed' });
    expect((await commerce.post(`/orders/${over.id}/reopen`)).body.data.status).toBe('placed');
  });
});
