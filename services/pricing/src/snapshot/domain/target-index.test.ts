import { targetOf } from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anAdjustment, aRequest, OPTIONS } from '../../evaluate/domain/adjustments.fixture.ts';
import { couponStateOf } from '../../adjustments/coupon-state.fixture.ts';
import { priceOffering } from '../../evaluate/domain/price.ts';
import { CompanySnapshot } from './snapshot.ts';

/** All events: two tours in two halls by two organizers, and a single evening. */
const EVENTS = new Map([
  ['evt_a1', { seriesId: 'evt_a', venueId: 'ven_1', organizerId: 'org_1' }],
  ['evt_a2', { seriesId: 'evt_a', venueId: 'ven_2', organizerId: 'org_1' }],
  ['evt_b1', { seriesId: 'evt_b', venueId: 'ven_1', organizerId: 'org_2' }],
  ['evt_c', { venueId: 'ven_2' }],
]);
const OFFERINGS = ['off_1', 'off_2'];
const counts = (snapshot: CompanySnapshot, eventId: string, id: string, codes: string[] = []) =>
  priceOffering(snapshot, aRequest(1000, { codes }, { eventId, id }), { ...OPTIONS, events: EVENTS }).summary.total <
  1000;
const whereItCounts = (snapshot: CompanySnapshot, codes: string[] = []) =>
  [...EVENTS.keys()].flatMap((eventId) =>
    OFFERINGS.filter((id) => counts(snapshot, eventId, id, codes)).map((id) => `${eventId} ${id}`),
  );
const partOf = (eventId: string): (string | undefined)[] => {
  const event = EVENTS.get(eventId) as { seriesId?: string; venueId?: string; organizerId?: string };
  return [eventId, event.seriesId, event.venueId, event.organizerId];
};

const PATHS = [
  'event/*',
  'event/evt_a1',
  'event/evt_c',
  'event/evt_a',
  'series/evt_a',
  'venue/ven_1',
  'organization/org_1',
];
const target = fc
  .record({ path: fc.constantFrom(...PATHS, 'offering/off_1'), offeringId: fc.option(fc.constantFrom(...OFFERINGS)) })
  .filter(({ path, offeringId }) => !path.startsWith('offering/') || offeringId === null);

describe('an adjustment', () => {
  test('applies exactly where one of its targets is, with and without a code, and nowhere once it is paused', () => {
    const given = fc.record({
      targets: fc.array(target, { minLength: 1, maxLength: 3 }),
      offeringIds: fc.option(fc.subarray(OFFERINGS, { minLength: 1 })),
      code: fc.option(fc.constant('SECRET')),
    });
    fc.assert(
      fc.property(given, ({ targets, offeringIds, code }) => {
        const adjustment = anAdjustment({
          id: 'adj',
          targets: targets.map(({ path, offeringId }) =>
            targetOf('c1', { urn: `urn:v1:c1:events:${path}`, ...(offeringId === null ? {} : { offeringId }) }),
          ),
          conditions: { ...(offeringIds === null ? {} : { offeringIds }), ...(code === null ? {} : { code }) },
        });
        const isIn = (eventId: string, id: string) =>
          (offeringIds === null || offeringIds.includes(id)) &&
          targets.some(({ path, offeringId }) => {
            const [kind, named] = path.split('/');
            if (offeringId !== null && offeringId !== id) return false;
            return kind === 'offering' ? named === id : named === '*' || partOf(eventId).includes(named);
          });
        const wanted = [...EVENTS.keys()].flatMap((eventId) =>
          OFFERINGS.filter((id) => isIn(eventId, id)).map((id) => `${eventId} ${id}`),
        );
        const snapshot = new CompanySnapshot([adjustment]);
        expect(whereItCounts(snapshot, ['secret'])).toEqual(wanted);
        snapshot.apply([{ ...adjustment, status: 'paused' }]);
        expect(whereItCounts(snapshot, ['secret'])).toEqual([]);
      }),
    );
  });
});

describe('a coupon', () => {
  const coupon = (contextIds: string[], offeringIds: string[]) => {
    const stored = { id: 'cpn', companyId: 'c1', version: 1, code: 'SECRET', percentOff: 10, contextIds, offeringIds };
    const { targets = [], conditions = {} } = couponStateOf(stored).terms ?? {};
    return new CompanySnapshot([
      anAdjustment({ id: 'adj', conditions, targets: targets.map((one) => targetOf('c1', one)) }),
    ]);
  };

  test.each([
    ['an event', ['evt_a1'], [], ['evt_a1 off_1', 'evt_a1 off_2']],
    [
      'a series, with all its instances',
      ['evt_a'],
      [],
      ['evt_a1 off_1', 'evt_a1 off_2', 'evt_a2 off_1', 'evt_a2 off_2'],
    ],
    ['a venue', ['ven_1'], ['off_1'], ['evt_a1 off_1', 'evt_b1 off_1']],
    ['an organization', ['org_1'], ['off_2'], ['evt_a1 off_2', 'evt_a2 off_2']],
    ['offerings anywhere', [], ['off_1'], ['evt_a1 off_1', 'evt_a2 off_1', 'evt_b1 off_1', 'evt_c off_1']],
    ['an offering of one event', ['evt_a1'], ['off_1'], ['evt_a1 off_1']],
    ['an offering that is elsewhere', ['evt_c'], ['off_9'], []],
  ])('for %s applies there and nowhere else', (_what, contextIds, offeringIds, wanted) => {
    expect(whereItCounts(coupon(contextIds, offeringIds), ['secret'])).toEqual(wanted);
  });
});

test('a target that names a venue or an organization as an event is understood', () => {
  const named = (id: string) =>
    new CompanySnapshot([
      anAdjustment({ id: 'adj', targets: [{ urn: `urn:v1:c1:events:event/${id}`, companyId: 'c1' }] }),
    ]);
  expect(whereItCounts(named('ven_2'))).toEqual(['evt_a2 off_1', 'evt_a2 off_2', 'evt_c off_1', 'evt_c off_2']);
  expect(whereItCounts(named('org_2'))).toEqual(['evt_b1 off_1', 'evt_b1 off_2']);
});
