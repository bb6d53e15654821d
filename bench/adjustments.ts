import { setTimeout as delay } from 'node:timers/promises';
import { connectMongo, newId } from '@event-commerce/service-kit';
import { adjustmentBody, apiClient, evaluationBody } from '@event-commerce/test-kit';

const AT_ONCE = 16;
const LOADED_MAX_MS = 120_000;

/** A company of the run, and how its requests are signed. */
export interface Company {
  companyId: string;
  headers: Record<string, string>;
}

/** Creates `count` adjustments, ten of which target the event that is evaluated. */
export async function createAdjustments(
  { headers }: Company,
  url: string,
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const api = apiClient(url, headers);
  const create = async (n: number) => {
    if (n > 0 && n % 2_500 === 0) say(`${n} of ${count} adjustments`);
    const targets = [{ eventId: n % (count / 10) === 0 ? 'evt_1' : `evt_other_${n}` }];
    await api.post('/v1/pricing/adjustments', adjustmentBody(`CODE-${n}`, { targets, stacking: 'stackable' }));
  };
  let next = 0;
  const worker = async () => {
    while (next < count) await create(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Writes `count` adjustments directly to the database, copied from the first, and waits until pricing has loaded them.
 */
export async function writeAdjustments(
  company: Company,
  url: string,
  count: number,
  database: { mongoUrl: string; dbName: string },
): Promise<void> {
  const api = apiClient(url, company.headers);
  const { body } = await api.post('/v1/pricing/adjustments', adjustmentBody('CODE-0', { stacking: 'stackable' }));
  const mongo = await connectMongo(database.mongoUrl, { dbName: database.dbName, appName: 'bench' });
  const adjustments = mongo.collection<{ _id: string }>('adjustments');
  const { heldCode: _heldCode, ...like } = (await adjustments.findOne({ _id: body.data.id })) as Record<
    string,
    unknown
  >;
  const atOnce = count / 20;
  for (let done = 0; done < count - 1; done += atOnce) {
    const copies = Array.from({ length: Math.min(atOnce, count - 1 - done) }, (_, n) => {
      const eventId = `evt_other_${done + n}`;
      const targets = [{ urn: `urn:v1:${company.companyId}:events:event/${eventId}`, eventId }];
      return { ...like, _id: newId('adj'), type: 'promotion', conditions: {}, targets, outbox: [] };
    });
    await adjustments.insertMany(copies, { ordered: false });
  }
  await mongo.close();
  const deadlineMs = performance.now() + LOADED_MAX_MS;
  for (;;) {
    const { status } = await api.post('/v1/pricing/adjustments/evaluate', evaluationBody());
    if (status === 200) return;
    if (performance.now() > deadlineMs) throw new Error(`${count} adjustments still return ${status}`);
    await delay(500);
  }
}
