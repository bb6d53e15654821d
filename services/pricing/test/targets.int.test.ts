import { adjustmentBody, newCode } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { type Company, sharedServices } from '../../../tests/harness/services.ts';
import { evaluate } from './purchases.ts';

const services = await sharedServices();

const created = async (company: Company, path: string, body: unknown) => {
  const reply = await company.events.post(path, body);
  expect(reply.status).toBe(201);
  return reply.body.data.id as string;
};
const totalAt = async (company: Company, eventId: string, id = 'off_1') => {
  const offering = { id, eventId, price: { amount: 1000, currency: 'EUR' } };
  return (await evaluate(services, company, { offering, cartContext: {} })).summary.total;
};
/** 20 % off for whatever `targets` name. */
const adjust = async (company: Company, targets: unknown[]) => {
  const body = adjustmentBody(newCode(), { type: 'promotion', conditions: {}, targets });
  const reply = await company.pricing.post('/pricing/adjustments', body);
  return { status: reply.status, data: reply.body.data, error: reply.body.error };
};

test.each(['event', 'series'])('a target that names a series as %s means its instances', async (kind) => {
  const company = services.newCompany();
  const series = await created(company, '/events', { kind: 'series', name: 'Tour' });
  const instance = await created(company, `/events/${series}/instances`, {});
  const other = await created(company, '/events', { name: 'Gala' });
  await adjust(company, [{ urn: `urn:v1::events:${kind}/${series}` }]);
  expect([await totalAt(company, instance), await totalAt(company, other)]).toEqual([800, 1000]);
});

test('an instance is at the venue of its series until it has one of its own', async () => {
  const company = services.newCompany();
  const series = await created(company, '/events', { kind: 'series', name: 'Tour', venueId: 'ven_1' });
  const instance = await created(company, `/events/${series}/instances`, {});
  await adjust(company, [{ urn: 'urn:v1::events:venue/ven_1' }]);
  expect(await totalAt(company, instance)).toBe(800);
  await company.events.patch(`/events/${series}`, { venueId: 'ven_2' });
  expect(await totalAt(company, instance)).toBe(1000);
  await company.events.replica(1).patch(`/events/${instance}`, { venueId: 'ven_1' });
  expect(await totalAt(company, instance)).toBe(800);
  await company.events.post(`/events/${series}/instances/${instance}/revert`, { fields: ['venueId'] });
  expect(await totalAt(company, instance)).toBe(1000);
});

test('an event that was looked up before it existed counts from the first request after its creation', async () => {
  const company = services.newCompany();
  await adjust(company, [{ urn: 'urn:v1::events:organization/org_1' }]);
  expect(await totalAt(company, 'evt_mine')).toBe(1000);
  await created(company, '/events', { name: 'Gala', id: 'evt_mine', organizerId: 'org_1' });
  expect(await totalAt(company, 'evt_mine')).toBe(800);
});

test('a target with an offering and an event means that offering at that event', async () => {
  const company = services.newCompany();
  const { data } = await adjust(company, [{ eventId: 'evt_1', offeringId: 'off_1' }]);
  expect(data.targets).toEqual([
    {
      urn: `urn:v1:${company.companyId}:events:event/evt_1`,
      eventId: 'evt_1',
      offeringId: 'off_1',
      companyId: company.companyId,
    },
  ]);
  expect([await totalAt(company, 'evt_1'), await totalAt(company, 'evt_1', 'off_2')]).toEqual([800, 1000]);
  expect(await totalAt(company, 'evt_2')).toBe(1000);
});

test.each(['\u2028', '\u2029'])('an id with the line separator %j is a target like any other', async (separator) => {
  const company = services.newCompany();
  const eventId = `a${separator}b`;
  const { status, data } = await adjust(company, [{ eventId }]);
  expect([status, data?.targets]).toMatchObject([201, [{ eventId }]]);
  const urn = `urn:v1:${separator}:events:offering/${eventId}`;
  expect(await adjust(company, [{ urn }])).toMatchObject({ status: 201 });
  expect([await totalAt(company, eventId), await totalAt(company, 'evt_1', eventId)]).toEqual([800, 800]);
});

test.each([
  [{ urn: 'urn:v1::events:venue/ven_1', eventId: 'evt_1' }, 'targets[0].eventId'],
  [{ urn: 'urn:v1::events:offering/off_1', offeringId: 'off_2' }, 'targets[0].offeringId'],
  [{ urn: 'urn:v1::events:hall/1' }, 'targets[0].urn'],
  [{}, 'targets[0].urn'],
])('the target %j is refused at %s', async (target, path) => {
  const { status, error } = await adjust(services.newCompany(), [target]);
  expect([status, error.details[0].path]).toEqual([400, path]);
});
