import { FORWARDED_OPERATIONS, RPC } from '@event-commerce/contracts';
import { randomUUID } from 'node:crypto';
import { type ApiClient, evaluationBody, newCode, newCompanyId } from '@event-commerce/test-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BusTap, tapBus } from '../harness/bus-tap.ts';
import { sharedPlatform, type SharedPlatform } from '../harness/platform.ts';
import { type Chosen, type Environment, fill, type World } from './worlds.ts';

let platform: SharedPlatform;
let tap: BusTap;

beforeAll(async () => {
  platform = await sharedPlatform();
  tap = await tapBus(platform.services.natsUrl);
});
afterAll(async () => tap?.close());

async function keyOf(companyId: string, environment: Environment): Promise<ApiClient> {
  return (await platform.newCompany({ companyId, environment })).api;
}

const ROUTES_BY_ID = FORWARDED_OPERATIONS.filter(({ params }) => params !== undefined);
/** Counts, which name no record, and what only an event that was called off has. */
const NOT_OF_A_WORLD = new Set(['getSales', 'getSalesByAdjustment', 'getCallOff', 'listCalledOffOrders']);
const READS = FORWARDED_OPERATIONS.filter(
  ({ id, method, answer }) => method === 'GET' && answer.form !== 'stream' && !NOT_OF_A_WORLD.has(id),
);
const LISTS = READS.filter(({ params }) => params === undefined);

/** The first example of each operation, so that nothing but the other world can be wrong with the request. */
const BODIES = new Map(
  FORWARDED_OPERATIONS.map(({ method, url, examples }) => [`${method} ${url}`, Object.values(examples)[0]?.body]),
);

/** These create what they do not find in the caller's own world, or find nothing there to erase. */
const NEVER_404 = new Set(['POST /cart/sessions/:id/item', 'POST /customers/:id/erase']);

async function ask(world: World, method: string, route: string, of: World): Promise<{ status: number; body: any }> {
  const [root = ''] = Object.keys(of.ids)
    .filter((prefix) => route.startsWith(prefix))
    .toSorted((a, b) => b.length - a.length);
  const path = route.replace(/:(\w+)/g, (_, name: string) => of.ids[root]?.[name] ?? `no id for :${name} of ${root}`);
  const body = BODIES.get(`${method} ${route}`) ?? {};
  const { api } = world;
  if (method === 'GET') return await api.get(`/v1${path}`);
  if (method === 'DELETE') return await api.delete(`/v1${path}`);
  return method === 'POST' ? await api.post(`/v1${path}`, body) : await api.patch(`/v1${path}`, body);
}

describe('records of a live key and of a test key of one company', () => {
  const companyId = newCompanyId();
  const chosen: Chosen = {
    code: newCode(),
    couponCode: newCode(),
    orderNumber: `N-${randomUUID()}`,
    sessionId: `mine-${randomUUID()}`,
    tableId: `table-${randomUUID()}`,
    offeringId: `off_${randomUUID()}`,
  };
  let worlds: Record<Environment, World>;

  beforeAll(async () => {
    // The same codes, numbers and ids in both: none collides, and each cap counts separately.
    worlds = {
      live: await fill(await keyOf(companyId, 'live'), companyId, 'live', chosen, 10),
      test: await fill(await keyOf(companyId, 'test'), companyId, 'test', chosen, 20),
    };
  });

  describe.each(['live', 'test'] as const)('with a %s key', (environment) => {
    const other = environment === 'live' ? 'test' : 'live';

    test.each(
      ROUTES_BY_ID.map(({ method, url }) => [method, url] as const).filter((route) => !NEVER_404.has(route.join(' '))),
    )(`%s %s returns 404 for records of the other world`, async (method, path) => {
      const answer = await ask(worlds[environment], method, path, worlds[other]);
      expect(answer).toMatchObject({ status: 404, body: { error: { code: expect.stringMatching(/_NOT_FOUND$/) } } });
    });

    test("an item is added to this world's session, even if the other world has one with the same id", async () => {
      const { api } = worlds[other];
      const path = `/v1/cart/sessions/both-${randomUUID()}`;
      const { offeringId } = chosen;
      const theirs = await api.post(`${path}/item`, { offeringId, quantity: 1 });
      const mine = await worlds[environment].api.post(`${path}/item`, { offeringId, quantity: 3 });
      expect(mine).toMatchObject({ status: 200, body: { data: { companyId, version: 1 } } });
      expect((await api.get(path)).body.data.items).toEqual(theirs.body.data.items);
    });

    test.each(LISTS.map(({ path }) => path))('GET %s lists the records of this world only', async (path) => {
      const list = async () => {
        const { status, body } = await worlds[environment].api.get(`/v1${path}?limit=200`);
        expect(status).toBe(200);
        // An entry of the activity log is about a record.
        return new Set<string>(body.data.map(({ id, subject = id }: { id: string; subject?: string }) => subject));
      };
      const idsOf = (world: World) =>
        Object.entries(world.ids)
          .filter(([prefix]) => prefix === path)
          .flatMap(([, ids]) => ids['id'] ?? []);
      // What happened is listed a moment later.
      await expect
        .poll(async () => {
          const listed = await list();
          return idsOf(worlds[environment]).filter((id) => listed.has(id)).length;
        })
        .toBe(1);
      const listed = await list();
      expect(idsOf(worlds[other]).filter((id) => listed.has(id))).toEqual([]);
    });

    test("a price uses only this world's adjustments, catalogue and codes", async () => {
      const { api } = worlds[environment];
      const percent = environment === 'live' ? 10 : 20;
      const { body } = await api.post(
        '/v1/pricing/adjustments/evaluate',
        evaluationBody({ codes: [chosen.couponCode] }),
      );
      await expect
        .poll(
          async () =>
            (await api.post('/v1/pricing/adjustments/evaluate', evaluationBody({ codes: [chosen.couponCode] }))).body
              .data.summary.modifiers,
        )
        .toBe(-100 * percent);
      expect(JSON.stringify(body)).not.toContain(worlds[other].adjustmentId);
      const { data: cart } = (await api.get(`/v1/cart/sessions/${chosen.sessionId}`)).body;
      expect(cart.items).toMatchObject([{ name: environment, unitPrice: percent * 100 }]);
    });

    test('a cap counts in this world alone: after two redemptions the third is refused', async () => {
      const { api, adjustmentId } = worlds[environment];
      const redemptions = `/v1/pricing/adjustments/${adjustmentId}/redemptions`;
      await expect.poll(async () => (await api.get(redemptions)).body.data.length).toBe(2);
      expect((await api.post(redemptions, { orderId: 'third' })).body.error.code).toBe('REDEMPTION_LIMIT_REACHED');
    });

    test('an Idempotency-Key of the other world is unknown', async () => {
      const headers = { 'idempotency-key': 'the-same-in-both' };
      const made = await worlds[environment].api.post('/v1/coupons', { description: environment }, headers);
      expect(made).toMatchObject({ status: 201, body: { data: { description: environment } } });
      expect(made.headers.get('idempotent-replayed')).toBeNull();
    });

    test('keys:admin reads and creates keys of this world only', async () => {
      const { api } = worlds[environment];
      const { body } = await api.get('/v1/admin/keys');
      expect(new Set(body.data.map((key: { environment: string }) => key.environment))).toEqual(new Set([environment]));
      const make = (wanted?: string) =>
        api.post('/v1/admin/keys', { name: 'n', scopes: ['*'], ...(wanted && { environment: wanted }) });
      expect((await make()).body.data.environment).toBe(environment);
      expect((await make(other)).body.error).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining(environment),
      });
      expect((await api.get(`/v1/admin/keys?environment=${other}`)).status).toBe(403);
      const [foreign] = (await worlds[other].api.get('/v1/admin/keys')).body.data;
      for (const attempt of [
        api.get(`/v1/admin/keys/${foreign.id}`),
        api.post(`/v1/admin/keys/${foreign.id}/rotate`),
        api.post(`/v1/admin/keys/${foreign.id}/revoke`),
      ]) {
        expect((await attempt).body.error.code).toBe('API_KEY_NOT_FOUND');
      }
    });

    test('events name the company and this environment', async () => {
      // Without the session: the test above created one with its id in the other world too.
      const ofThisWorldOnly = Object.entries(worlds[environment].ids).filter(([path]) => path !== '/cart/sessions');
      const mine = new Set(ofThisWorldOnly.flatMap(([, ids]) => Object.values(ids)));
      const events = () =>
        tap.sent.flatMap(({ subject, body }) =>
          subject.startsWith('domain.') && mine.has((body as any).subject) ? [body] : [],
        );
      await expect
        .poll(() => new Set(events().map(({ type }: any) => type.split('.')[0])).size)
        .toBeGreaterThanOrEqual(6);
      for (const event of events() as any[]) {
        expect(event).toMatchObject({ companyid: companyId, environment });
        if (event.data.companyId !== undefined) expect(event.data.companyId).toBe(companyId);
      }
    });
  });

  test('the company is shown under its own id: no response, request or event reveals how its test world is stored', async () => {
    for (const world of Object.values(worlds)) {
      for (const { method, url: path } of READS) {
        const { status, body } = await ask(world, method, path, world);
        expect([path, status]).toEqual([path, 200]);
        expect(JSON.stringify({ path, body })).not.toContain('\\u001f');
      }
    }
    // Services that ask on their own behalf name a company as they store it.
    const own = new Set(Object.values(RPC).flatMap(({ subject, scopes }) => (scopes.length === 0 ? [subject] : [])));
    const { replies } = tap;
    const sent = tap.sent.filter(({ subject }) => !own.has(subject as never));
    expect(sent.length + replies.length).toBeGreaterThan(50);
    expect(JSON.stringify([...sent, ...replies])).not.toContain('\\u001f');
  });
});
