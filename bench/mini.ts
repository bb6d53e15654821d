import { startMeasured } from './measured-platform.ts';
import { createMeasurements } from './measurements.ts';
import { ordersThat } from './requests.ts';
const say = (l: string) => process.stdout.write(l + '\n');
const run = await startMeasured(say, {});
const { measured, measure } = createMeasurements({ seconds: 4, connections: 16, writers: 64, say, profiles: () => undefined });
try {
  const company = await run.newCompany();
  const { api } = company;
  const capacity = 10_000_000;
  const event = (await api.post('/v1/events', { name: 'Gala', capacity })).body.data;
  const offeringIds: string[] = [];
  for (let n = 0; n < 10; n++) offeringIds.push((await api.post(`/v1/events/${event.id}/offerings`, { name: 'T', price: { amount: 5000, currency: 'EUR' }, capacity })).body.data.id);
  await api.post('/v1/coupons', { code: 'P', percentOff: 20, limit: capacity, contextIds: [event.id] });
  const sale = { eventId: event.id, offeringIds, code: 'P' };
  for (let turn = 0; turn < 3; turn++) {
    await measure('pending', ordersThat(run.platform.url, company, 64, sale));
    await measure('confirmed', ordersThat(run.platform.url, company, 64, sale, 'confirmed'), 2);
    await measure('changed', ordersThat(run.platform.url, company, 64, sale, 'changed'), 2);
  }
  for (const m of measured.values()) say(`${m.name} ${m.perSecond.toFixed(0)}/s p50 ${m.p50Ms} failures ${m.failures} cpu ${[...m.cpuMs.values()].reduce((a, b) => a + b, 0).toFixed(2)} ms`);
} finally { await run.stop(); }
