import { connectBus } from '@event-commerce/bus';
import { type Evaluation, type ServiceName, tenantOfKey } from '@event-commerce/contracts';
import { createLogger } from '@event-commerce/service-kit';
import { adjustmentBody, evaluationBody, newCode, proofSize } from '@event-commerce/test-kit';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { expect, onTestFinished, test } from 'vitest';
import { type Company, type Services, sharedServices, startServices } from '../../../tests/harness/services.ts';
import { changeLogRepository, CHANGES_KEPT } from '../src/snapshot/change-log.repository.ts';
import { claim, evaluate } from './purchases.ts';

const path = '/pricing/adjustments';
/** How long a replica may use what it read before. */
const LEASE_MS = 1_000;

const evaluating = async (services: Services, company: Company, ...codes: string[]) =>
  evaluate(services, company, evaluationBody({ codes }), { dropped: 'candidates' });

/** The second replica is on a broker of its own: the first, which the test queries, gets no notice of its writes. */
async function startDeaf(): Promise<Services> {
  const env = (_: ServiceName, replica: number): Record<string, string> =>
    replica === 0 ? {} : { NATS_URL: natsUrlOfThisFile(1) };
  const services = await startServices({ replicas: { pricing: 2 }, env });
  onTestFinished(services.stop);
  return services;
}

test('the state of an adjustment in a response holds for the next request on any replica, round after round', async () => {
  const services = await sharedServices();
  const wrong = await Promise.all(
    Array.from({ length: 5 }, async () => changingAndAsking(services, proofSize(30, 100))),
  );
  expect(wrong.flat()).toEqual([]);
}, 240_000);

/** The results of `count` rounds that contradict the response before them. */
async function changingAndAsking(services: Services, count: number): Promise<string[]> {
  const company = services.newCompany();
  const [code, moved] = [newCode(), newCode()];
  const ids: string[] = [];
  for (const body of [adjustmentBody(code), adjustmentBody(moved), adjustmentBody(newCode(), { status: 'draft' })]) {
    ids.push((await company.pricing.post(path, body)).body.data.id);
  }
  const [changing, ...holders] = ids;
  const wrong: string[] = [];
  for (let round = 0; round < count; round++) {
    const api = company.pricing.replica(round % 2);
    const percent = (round % 50) + 1;
    await api.patch(`${path}/${changing}`, { effect: { kind: 'percentage_off', percent } });
    const { total } = (await evaluating(services, company, code)).summary;
    if (total !== 10_000 - percent * 100) wrong.push(`round ${round}: ${percent} percent off makes ${total}`);
    if (round % 10 > 0) continue;
    // A code that moves from one adjustment to another belongs to the other for the next order.
    const [from, to] = (round / 10) % 2 === 0 ? holders : holders.toReversed();
    await api.patch(`${path}/${from}`, { status: 'paused' });
    await api.patch(`${path}/${to}`, { status: 'active', conditions: { code: moved } });
    const { claims } = await claim(services, company, { codes: [moved] });
    if (claims[0]?.adjustmentId !== to) wrong.push(`round ${round}: ${moved} is ${claims[0]?.adjustmentId}, not ${to}`);
  }
  return wrong;
}

test('a response holds on a replica that got no notices, and a replica that is gone delays one response', async () => {
  const services = await startDeaf();
  const company = services.newCompany();
  await evaluating(services, company);
  for (let round = 0; round < 3; round++) {
    const code = newCode();
    const { status } = await company.pricing.replica(1).post(path, adjustmentBody(code));
    expect(status).toBe(201);
    expect((await evaluating(services, company, code)).codes).toMatchObject([{ status: 'applied' }]);
  }
});

test('a change is in every price requested after its event, even on a replica that got no notices', async () => {
  const services = await startDeaf();
  const company = services.newCompany();
  await evaluating(services, company);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const bus = await connectBus({ url: natsUrlOfThisFile(1), name: 'test', logger });
  const { promise: heard, resolve, reject } = Promise.withResolvers<Evaluation>();
  const code = newCode();
  bus.nats.subscribe('domain.pricing.adjustment.created', {
    callback: () => void evaluating(services, company, code).then(resolve, reject),
  });
  await bus.nats.flush();
  expect((await company.pricing.replica(1).post(path, adjustmentBody(code))).status).toBe(201);
  expect((await heard).codes).toMatchObject([{ status: 'applied' }]);
  await bus.close();
});

test('a replica that missed more changes than the log keeps reloads its companies', async () => {
  const services = await startServices({ replicas: { pricing: 1 } });
  onTestFinished(services.stop);
  const [company, other] = [services.newCompany(), services.newCompany()];
  const code = newCode();
  const { body } = await company.pricing.post(path, adjustmentBody(code));
  const total = async () => (await evaluating(services, company, code)).summary.total;
  expect(await total()).toBe(8_000);
  // Reads what the replica may have read from the log while it loaded the company.
  expect(await total()).toBe(8_000);
  // Written and logged by a process whose notices nobody receives.
  const id: string = body.data.id;
  await services.models.pricing.adjustments.updateOne(
    { _id: id },
    { $set: { 'effect.percent': 50 }, $inc: { version: 1 } },
  );
  expect(await total()).toBe(8_000);
  const tenant = tenantOfKey(other.companyId);
  const others = Array.from({ length: CHANGES_KEPT }, (_, n) => ({ tenant, id: `adj_${n}`, version: 1 }));
  // In one write: a replica that read the log between two would find the change in it.
  const missed = { tenant: tenantOfKey(company.companyId), id, version: 2 };
  await changeLogRepository(services.models.pricing).append([missed, ...others]);
  const loggedAtMs = performance.now();
  let lastOldAtMs = 0;
  await expect
    .poll(async () => {
      const askedAtMs = performance.now();
      const found = await total();
      if (found === 8_000) lastOldAtMs = askedAtMs;
      return found;
    })
    .toBe(5_000);
  expect(lastOldAtMs - loggedAtMs).toBeLessThan(LEASE_MS);
});

test('a venue in a response counts for the next evaluation, round after round on two replicas of pricing and events', async () => {
  const services = await sharedServices();
  const company = services.newCompany();
  const targets = [{ urn: 'urn:v1::events:venue/ven_1' }];
  await company.pricing.post(path, adjustmentBody('', { type: 'promotion', conditions: {}, targets }));
  const stale: number[] = [];
  const moveAboutAndPrice = async () => {
    const { id: eventId } = (await company.events.post('/events', { name: 'Gala', venueId: 'ven_1' })).body.data;
    const offering = { id: 'off_1', eventId, price: { amount: 1000, currency: 'EUR' } };
    for (let round = 0; round < proofSize(15, 50); round++) {
      const venueId = `ven_${round % 2}`;
      const patched = await company.events.replica((round >> 1) % 2).patch(`/events/${eventId}`, { venueId });
      expect(patched.body.data.venueId).toBe(venueId);
      const { total } = (await evaluate(services, company, { offering, cartContext: {} })).summary;
      if (total !== (venueId === 'ven_1' ? 800 : 1000)) stale.push(round);
    }
  };
  await Promise.all(Array.from({ length: 10 }, moveAboutAndPrice));
  expect(stale).toEqual([]);
}, 240_000);
