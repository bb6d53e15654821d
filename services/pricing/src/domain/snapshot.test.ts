import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { StoredAdjustment } from './adjustment.ts';
import { anAdjustment, aRequest, OPTIONS, targeting } from './adjustments.fixture.ts';
import { priceOffering } from './price.ts';
import { CompanySnapshot } from './snapshot.ts';

test('a paused adjustment no longer applies and no longer holds its code', () => {
  const adjustment = anAdjustment({ id: 'adj', conditions: { code: 'SUMMER' } });
  const snapshot = new CompanySnapshot([adjustment]);
  snapshot.apply([{ ...adjustment, status: 'paused' }]);
  expect(snapshot.size).toBe(0);
  const { codes, droppedAdjustments } = priceOffering(snapshot, aRequest(1000, { codes: ['summer'] }), OPTIONS);
  expect(codes).toEqual([{ code: 'summer', status: 'unknown' }]);
  expect(droppedAdjustments).toEqual([]);
});

test('a changed code or target is found only under its new value', () => {
  const adjustment = anAdjustment({ id: 'adj', conditions: { code: 'OLD' }, targets: [targeting('event/evt_1')] });
  const snapshot = new CompanySnapshot([adjustment]);
  snapshot.apply([{ ...adjustment, conditions: { code: 'NEW' }, targets: [targeting('event/evt_2')] }]);
  expect([snapshot.withCode('old').length, snapshot.withCode('new').length]).toEqual([0, 1]);
  const at = (eventId: string) =>
    priceOffering(snapshot, aRequest(1000, { codes: ['new'] }, { eventId }), OPTIONS).summary.total;
  expect([at('evt_1'), at('evt_2')]).toEqual([1000, 900]);
});

test('a cart of 500 lines costs no more with 10,000 codes for everything than with none', () => {
  const codes = Array.from({ length: 10_000 }, (_, index) =>
    anAdjustment({ id: `adj_${index}`, conditions: { code: `CODE-${index}` } }),
  );
  const snapshot = new CompanySnapshot(codes);
  const lines = Array.from({ length: 500 }, (_, index) => ({
    index,
    offeringId: `off_${index}`,
    contexts: ['event/evt_1'],
    tags: undefined,
    basePrice: 1000,
    listPrice: 1000,
    quantity: 1,
  }));
  const found = snapshot.candidates(lines, new Set(['CODE-7', 'CODE-9', 'OTHER']));
  expect(found.map(({ adjustment }) => adjustment.source.id)).toEqual(['adj_7', 'adj_9']);
  expect(found.map(({ quantity }) => quantity)).toEqual([500, 500]);
});

test('an unreadable adjustment hides no other, and is known by its id and its code', () => {
  const unreadable = anAdjustment({
    id: 'newer',
    conditions: { code: 'NEWER' },
    effect: { kind: 'dynamic_price' } as never,
    version: 3,
  });
  const malformed = anAdjustment({ id: 'malformed', targets: [{ urn: 'event/evt_1', companyId: 'acme' }] });
  const snapshot = new CompanySnapshot([anAdjustment({ id: 'a' }), unreadable, malformed, anAdjustment({ id: 'b' })]);
  expect(snapshot.size).toBe(2);
  expect([...snapshot.unreadable.keys()]).toEqual(['newer', 'malformed']);
  expect(snapshot.unreadable.get('newer')).toMatchObject({ version: 3, code: 'NEWER' });
  expect(priceOffering(snapshot, aRequest(1000), OPTIONS).summary.total).toBe(800);

  snapshot.apply([anAdjustment({ id: 'newer', version: 4 }), { ...malformed, status: 'archived' }]);
  expect([snapshot.size, snapshot.unreadable.size, snapshot.versionOf('newer')]).toEqual([3, 0, 4]);
});

const namesOf = (n: number, length: number) => Array.from({ length }, (_, at) => `name_${n}_${at}`);
const tiered = (n: number, length: number): StoredAdjustment['effect'] => ({
  kind: 'tiered',
  tiers: Array.from({ length }, (_, at) => ({ minQuantity: at + 1, percent: 1 + at / 100 + n / 10_000 })),
  per: 'unit',
});

test.each<[string, (n: number) => Partial<StoredAdjustment>]>([
  ['coupons', (n) => ({ conditions: { code: `SUMMER-${n}`, maxRedemptions: 9, endsAt: '2027-06-01T00:00:00.000Z' } })],
  ['events', (n) => ({ conditions: { customerSegments: ['vip'] }, targets: [targeting(`event/evt_${n}`)] })],
  [
    'many events with long ids',
    (n) => ({
      targets: Array.from({ length: 20 }, (_, at) => targeting(`event/${`evt_${n}_${at}`.padEnd(256, 'e')}`)),
    }),
  ],
  ['tiers', (n) => ({ effect: tiered(n, 50) })],
  ['a few tiers', (n) => ({ effect: tiered(n, 3) })],
  ['many segments', (n) => ({ conditions: { customerSegments: namesOf(n, 100), channelIds: namesOf(n, 100) } })],
  ['many offerings and tags', (n) => ({ conditions: { offeringIds: namesOf(n, 100), tags: namesOf(n, 100) } })],
  ['a few segments', (n) => ({ conditions: { customerSegments: namesOf(n, 3) } })],
  ['many events', (n) => ({ targets: Array.from({ length: 50 }, (_, at) => targeting(`event/evt_${n}_${at}`)) })],
])('the memory of adjustments of %s is estimated within a third, and released with them', (_kind, changes) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const ids = Array.from({ length: 4_000 }, (_, n) => `adj_${String(n).padStart(26, '0')}`);
  const before = used();
  const snapshot = new CompanySnapshot();
  for (const [n, id] of ids.entries()) {
    // Parsed, like documents from the database: no string is shared that would not be shared there.
    snapshot.apply([JSON.parse(JSON.stringify(anAdjustment({ id, ...changes(n) }))) as StoredAdjustment]);
  }
  snapshot.candidates([]);
  const ratio = snapshot.bytes / (used() - before);
  expect(ratio).toBeGreaterThan(2 / 3);
  expect(ratio).toBeLessThan(3 / 2);
  for (const id of ids) snapshot.remove(id);
  expect(snapshot.bytes).toBe(0);
});

test('dropped adjustments are listed in cascade order: by priority, then oldest, then id', () => {
  const paths = [targeting('event/evt_9')];
  const snapshot = new CompanySnapshot([
    anAdjustment({ id: 'c', targets: paths }),
    anAdjustment({ id: 'young', targets: paths, created: '2027-02-01T00:00:00.000Z' }),
    anAdjustment({
      id: 'order',
      targets: paths,
      priority: 9,
      effect: { kind: 'percentage_off', percent: 1, per: 'order' },
    }),
    anAdjustment({ id: 'b', targets: paths }),
    anAdjustment({ id: 'first', targets: paths, priority: 1 }),
    anAdjustment({ id: 'exclusive', targets: paths, stacking: 'exclusive', priority: -1 }),
  ]);
  const { droppedAdjustments } = priceOffering(snapshot, aRequest(1000), OPTIONS);
  expect(droppedAdjustments.map(({ adjustmentId }) => adjustmentId)).toEqual([
    'exclusive',
    'first',
    'b',
    'c',
    'young',
    'order',
  ]);
});
