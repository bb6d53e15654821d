import { expect, test } from 'vitest';
import { anAdjustment, aRequest, OPTIONS, targeting } from '../../evaluate/domain/adjustments.fixture.ts';
import { priceOffering } from '../../evaluate/domain/price.ts';
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

test('an unreadable adjustment hides no other, and is found by its id and its code', () => {
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
