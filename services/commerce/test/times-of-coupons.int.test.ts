import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { describe, expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { totalWith } from './coupon-state.ts';

const services = await sharedServices();

const LOCAL = '2099-06-30T18:00:00';
const IN_NEW_YORK = '2099-06-30T22:00:00.000Z';
const IN_UTC = '2099-06-30T18:00:00.000Z';

async function created({ events }: Company, path: string, body: object): Promise<string> {
  const reply = await events.post(path, body);
  expect(reply.status).toBe(201);
  return reply.body.data.id;
}

async function anEvent(company: Company, changes: object): Promise<string> {
  return await created(company, '/events', { name: 'Gala', startsAt: '2099-07-01T20:00:00Z', ...changes });
}

describe('a time without a zone', () => {
  test('is in the zone of the event, series, venue or offering that a coupon names', async () => {
    const company = services.newCompany();
    const timezone = 'America/New_York';
    const event = await anEvent(company, { timezone, venueId: 'ven_hall' });
    const series = await anEvent(company, { kind: 'series', timezone });
    const instance = await created(company, `/events/${series}/instances`, {});
    const price = { amount: 5000, currency: 'EUR' };
    const offering = await created(company, `/events/${event}/offerings`, { name: 'Ticket', price });
    const named = [
      { contextIds: [event] },
      { contextIds: [instance] },
      { contextIds: ['ven_hall'] },
      { offeringIds: [offering] },
      { contextIds: [event, series] },
    ];
    for (const names of named) {
      const { body } = await company.commerce.post('/coupons', { percentOff: 10, expiresAt: LOCAL, ...names });
      expect(body.data.expiresAt).toBe(IN_NEW_YORK);
      const from = await company.commerce.patch(`/coupons/${body.data.id}`, { startsAt: '2099-06-30T17:00:00' });
      expect(from.body.data.startsAt).toBe('2099-06-30T21:00:00.000Z');
      const later = await company.commerce.patch(`/coupons/${body.data.id}`, { expiresAt: '2099-07-30T18:00:00' });
      expect(later.body.data.expiresAt).toBe('2099-07-30T22:00:00.000Z');
    }
  });

  test('is in UTC if a coupon names no event, and refused if its events are in different zones', async () => {
    const company = services.newCompany();
    const coupon = async (contextIds: string[], expiresAt = LOCAL) =>
      company.commerce.post('/coupons', { percentOff: 10, expiresAt, contextIds });
    expect((await coupon([])).body.data.expiresAt).toBe(IN_UTC);
    const there = await anEvent(company, { timezone: 'America/New_York' });
    const here = await anEvent(company, { timezone: 'Europe/Berlin' });
    const refused = await coupon([there, here]);
    expect([refused.status, refused.body.error.details]).toMatchObject([
      400,
      [{ path: 'expiresAt', message: expect.stringContaining('must name a zone, such as 2099-06-30T18:00:00[Amer') }],
    ]);
    expect((await coupon([there, here], `${LOCAL}[Europe/Berlin]`)).body.data.expiresAt).toBe(
      '2099-06-30T16:00:00.000Z',
    );
  });

  test('is in the zone of an adjustment’s targets when the adjustment is created, changed, proposed and evaluated', async () => {
    const company = services.newCompany();
    const event = await anEvent(company, { timezone: 'America/New_York' });
    const other = await anEvent(company, { timezone: 'Europe/Berlin' });
    const code = newCode();
    const conditions = { code, startsAt: '2099-06-30T17:00:00', endsAt: LOCAL };
    const body = adjustmentBody(code, { targets: [{ eventId: event }], conditions });
    const made = await company.pricing.post('/pricing/adjustments', body);
    expect(made.body.data.conditions).toMatchObject({ startsAt: '2099-06-30T21:00:00.000Z', endsAt: IN_NEW_YORK });
    const path = `/pricing/adjustments/${made.body.data.id}`;
    const patch = async (changes: object) => company.pricing.patch(path, { conditions: changes });
    expect((await patch({ endsAt: '2099-06-30T19:00:00' })).body.data.conditions.endsAt).toBe(
      '2099-06-30T23:00:00.000Z',
    );
    expect((await patch({ endsAt: '2099-06-30T16:00:00' })).body.error.details[0].path).toBe('conditions.endsAt');
    const both = [{ eventId: event }, { eventId: other }];
    const refused = await company.pricing.patch(path, { targets: both, conditions: { endsAt: LOCAL } });
    expect(refused.body.error.details).toMatchObject([
      { path: 'conditions.endsAt', message: expect.stringContaining('must name a zone') },
    ]);
  });

  test('a coupon with an amount once per order deducts it from the order', async () => {
    const company = services.newCompany();
    const code = newCode();
    const { status, body } = await company.commerce.post('/coupons', { code, amountOff: 1000, per: 'order' });
    expect([status, body.data.per]).toEqual([201, 'order']);
    expect(await totalWith(services, company, code)).toBe(9_000);
    await company.commerce.patch(`/coupons/${body.data.id}`, { per: null });
    expect(await totalWith(services, company, code)).toBe(8_000);
  });
});
