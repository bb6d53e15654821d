import {
  COUPON_STATUSES,
  type Coupon,
  type CouponDefinition,
  couponInput,
  type Tenant,
} from '@event-commerce/contracts';
import { indexesOf, newId, noQuotas } from '@event-commerce/service-kit';
import { liveTenant, newCode } from '@event-commerce/test-kit';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, type Services, sharedServices } from '../../../tests/harness/services.ts';
import { couponRepository } from '../src/coupons/coupon.repository.ts';

const idsOf = (coupons: readonly { id: string }[]) => coupons.map(({ id }) => id);

let services: Services;
beforeAll(async () => {
  services = await sharedServices();
});

const repository = () =>
  couponRepository(services.models.commerce, { publish: () => undefined, stop: async () => undefined }, noQuotas);

const create = async ({ commerce }: Company, coupon: object): Promise<Coupon> => {
  const { status, body } = await commerce.post('/coupons', coupon);
  expect([status, body.error?.message]).toEqual([201, undefined]);
  return body.data;
};

/** The ids of the listed coupons, or the field that is refused. */
const find = async ({ commerce }: Company, query: Record<string, string>): Promise<string[] | string> => {
  const { status, body } = await commerce.get(`/coupons?${new URLSearchParams(query).toString()}`);
  return status === 200 ? idsOf(body.data) : body.error.details[0].path;
};

/** Writes a coupon for every combination of the fields that decide the status, with times at `now` and around it. */
const writeAll = async (companyId: Tenant, now: Date): Promise<void> => {
  const at = (expiresAt: string) => couponInput.parse({ expiresAt }).expiresAt as string;
  const around = [-1, 0, 1].map((ms) => new Date(now.getTime() + ms).toISOString());
  const expiries = [undefined, ...around, at('0000-01-01T00:00:00+01:00'), at('9999-12-31T23:00:00-01:00')];
  const documents = [true, false].flatMap((enabled) =>
    [true, false].flatMap((codeConflict) =>
      expiries.flatMap((expiresAt) =>
        [undefined, 0, 1, 10].flatMap((limit) =>
          [0, 1, 9, 10, 11].map((quantitySold) => {
            const definition: CouponDefinition = {
              offeringIds: [],
              contextIds: [],
              enabled,
              ...(expiresAt === undefined ? {} : { expiresAt }),
              ...(limit === undefined ? {} : { limit }),
            };
            const rest = { usageVersion: 1, archived: false, version: 1, created: now, changed: now, outbox: [] };
            return { _id: newId('cpn'), companyId, definition, codeConflict, quantitySold, ...rest };
          }),
        ),
      ),
    ),
  );
  await services.models.commerce.coupons.collection.insertMany(documents as never);
};

describe('coupons are found', () => {
  test('by their text and by several filters at once, in pages, and only by their own company', async () => {
    const company = services.newCompany();
    const { commerce } = company;
    const code = newCode();
    const words = { description: 'Frühbucher – für Mitglieder', contextIds: ['evt_1', 'evt_2'] };
    const one = await create(company, { code, percentOff: 10, ...words });
    const two = await create(company, { code: `RIDE-${code}`, amountOff: 5, contextIds: ['evt_2'], limit: 0 });
    const three = await create(company, { description: '$5 off, for members', status: 'inactive' });
    const four = await create(company, { ...words, expiresAt: '2020-01-01T00:00:00Z' });
    const gone = await create(company, { ...words, code: newCode() });
    await commerce.delete(`/coupons/${gone.id}`);

    const cases: [Record<string, string>, Coupon[]][] = [
      [{ status: 'active' }, [one]],
      [{ status: 'inactive' }, [three]],
      [{ status: 'expired' }, [four]],
      [{ status: 'depleted' }, [two]],
      [{ status: 'conflict' }, []],
      [{ contextId: 'evt_2' }, [four, two, one]],
      [{ contextId: 'evt_1' }, [four, one]],
      [{ contextId: 'evt' }, []],
      [{ q: 'FRUH mitgl' }, [four, one]],
      [{ q: 'mitglieder' }, [four, one]],
      [{ q: 'bucher' }, []],
      [{ q: '5 $ memb' }, [three]],
      [{ q: code.toLowerCase() }, [two, one]],
      [{ q: `ride-${code.slice(0, 4)}` }, [two]],
      [{ q: `${code} mitglieder` }, [one]],
      [{ q: 'fruh', contextId: 'evt_2', status: 'active', code }, [one]],
      [{ q: 'fruh', contextId: 'evt_2', status: 'depleted' }, []],
      [{ q: 'fruh', status: 'expired' }, [four]],
      [{ code, status: 'expired' }, []],
    ];
    for (const [query, coupons] of cases) expect([query, await find(company, query)]).toEqual([query, idsOf(coupons)]);

    const first = (await commerce.get('/coupons?contextId=evt_2&q=fruh&limit=1')).body;
    expect(idsOf(first.data)).toEqual([four.id]);
    const rest = (await commerce.get(`/coupons?contextId=evt_2&q=fruh&limit=1&cursor=${first.page.next}`)).body;
    expect([idsOf(rest.data), rest.page.next]).toEqual([[one.id], null]);
    expect(await find(services.newCompany(), { q: 'fruh' })).toEqual([]);

    await commerce.patch(`/coupons/${one.id}`, { description: 'Herbst', contextIds: ['evt_3'] });
    expect(await find(company, { q: 'fruh' })).toEqual([four.id]);
    expect(await find(company, { q: 'herbst', contextId: 'evt_3' })).toEqual([one.id]);
    const answered = (await commerce.get('/coupons?q=herbst')).body.data[0];
    expect([Object.keys(answered).toSorted(), one]).toEqual([
      Object.keys(one).toSorted(),
      expect.not.objectContaining({ terms: expect.anything() }),
    ]);
  });

  test('under the status that they return and no other, whatever their fields', async () => {
    const now = new Date('2027-05-01T18:00:00.000Z');
    const tenant = liveTenant(services.newCompany().companyId);
    await writeAll(tenant, now);
    const coupons = repository();
    const all = async (filter: object): Promise<Coupon[]> => {
      const found: Coupon[] = [];
      for (let cursor: { cursor?: string } = {}; ;) {
        const { data, page } = await coupons.page(tenant, { ...filter, limit: 70, ...cursor }, now);
        found.push(...data.map(({ shownAt }) => shownAt(now)));
        if (page.next === null) return found;
        cursor = { cursor: page.next };
      }
    };
    const every = await all({});
    expect(every).toHaveLength(480);
    for (const status of COUPON_STATUSES) {
      const expected = every.filter((coupon) => coupon.status === status);
      expect(expected.length).toBeGreaterThan(10);
      expect([status, idsOf(await all({ status }))]).toEqual([status, idsOf(expected)]);
    }
  });

  test.each<[Record<string, string>, string]>([
    [{ status: 'live' }, 'status'],
    [{ q: '!?' }, 'q'],
    [{ q: 'x'.repeat(257) }, 'q'],
    [{ contextIds: 'evt_1' }, 'contextIds'],
  ])('not by %o, which is refused', async (query, path) => {
    expect(await find(services.newCompany(), query)).toBe(path);
  });

  test('by indexes that a redemption does not update', () => {
    const fields = indexesOf({ coupons: services.models.commerce.coupons })
      .flatMap(({ indexes }) => indexes)
      .flatMap(([key]) => Object.keys(key));
    expect(fields).toContain('definition.limit');
    for (const counter of ['quantitySold', 'usageVersion']) expect(fields).not.toContain(counter);
  });
});
