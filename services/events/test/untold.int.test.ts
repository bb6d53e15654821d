import type { Claim } from '@event-commerce/claims';
import { newId } from '@event-commerce/service-kit';
import { liveTenant } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offeringPool, poolIdOf, ticketPools } from '../src/store/ticket-pools.ts';
import { type EventsReplicas, startEventsReplicas } from './harness.ts';

const PATIENT = { timeout: 20_000 };
let events: EventsReplicas;
beforeAll(async () => {
  events = await startEventsReplicas({ replicas: 1 });
});
afterAll(async () => events?.stop());

const NO_SHARE = { limit: undefined, since: undefined };

/** An offering whose last ticket was taken by a process that was killed before it told so. */
async function untold() {
  const { companyId, api } = events.newCompany();
  const tenant = liveTenant(companyId);
  const event = (await api().post('/events', { name: 'Gala' })).body.data;
  const price = { amount: 5000, currency: 'EUR' };
  const offering = (await api().post(`/events/${event.id}/offerings`, { name: 'Ticket', price, capacity: 1 })).body
    .data;
  const heard = await events.listen(companyId);
  const killed = ticketPools(events.models, () => new Date());
  const claim: Claim = {
    id: newId('tkt'),
    poolId: poolIdOf('offering', tenant, offering.id),
    companyId: tenant,
    orderId: newId('ord'),
    quantity: 1,
    status: 'pending',
    settledBy: 'commerce',
    attempts: ['a'],
  };
  const pool = offeringPool(tenant, { ...offering, version: 1, counted: true, soldOut: false });
  return {
    companyId,
    api: api(),
    offeringId: offering.id as string,
    claim,
    killed,
    take: async () => expect(await killed.hold({ claim, pool, share: NO_SHARE })).toMatchObject({ kind: 'held' }),
    told: () => heard.map(({ type }) => type).filter((type) => /sold_out|available/.test(type)),
  };
}

describe('that nothing is left is told after a crash', () => {
  test('by the next sweep, while the order is being placed', PATIENT, async () => {
    const { take, told } = await untold();
    await take();
    await expect.poll(told, { timeout: 5_000 }).toEqual(['offering.sold_out']);
  });

  test('when the order is placed', PATIENT, async () => {
    const { companyId, take, killed, claim, told } = await untold();
    await take();
    await killed.followOrder(claim, 'placed');
    // The killed process did not acknowledge the event.
    const { id: claimId, poolId, quantity, orderId: id } = claim;
    await events.tellOfOrder(companyId, 'order.placed', { id, tickets: [{ claimId, poolId, quantity }] });
    await expect.poll(told, { timeout: 5_000 }).toEqual(['offering.sold_out']);
  });

  test('when somebody looks at the offering, and that something is left again likewise', PATIENT, async () => {
    const { api, offeringId, take, killed, claim, told } = await untold();
    await take();
    await killed.followOrder(claim, 'placed');
    await api.get(`/offerings/${offeringId}`);
    await expect.poll(told, { timeout: 5_000 }).toEqual(['offering.sold_out']);
    await killed.followOrder(claim, 'cancelled');
    await api.get(`/offerings/${offeringId}`);
    await expect.poll(told, { timeout: 5_000 }).toEqual(['offering.sold_out', 'offering.available']);
  });
});
