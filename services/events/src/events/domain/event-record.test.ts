import {
  applyMergePatch,
  type EventFields,
  type EventOverrides,
  OVERRIDABLE_FIELDS,
  type OverridableField,
  tenantOf,
  timestampOf,
} from '@event-commerce/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventRecord, mergedFields, overridesOf, revertFields, showEvent } from './event-record.ts';

const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const values = {
  name: fc.string({ minLength: 1 }),
  description: fc.string(),
  startsAt: time,
  endsAt: time,
  timezone: fc.constantFrom('Europe/Berlin', 'UTC', 'America/New_York'),
  venueId: fc.stringMatching(/^ven_[a-z0-9]{1,8}$/),
  organizerId: fc.stringMatching(/^org_[a-z0-9]{1,8}$/),
  capacity: fc.nat(),
  maxPerCustomer: fc.nat(),
  status: fc.constantFrom('draft' as const, 'published' as const, 'cancelled' as const),
  tags: fc.array(fc.string()),
} satisfies Record<OverridableField, unknown>;
/** A series may lack optional fields: an instance's field then reverts to nothing. */
const someParent: fc.Arbitrary<EventFields> = fc.record(values, { requiredKeys: ['name', 'status', 'tags'] });
/** An own start without an own end moves the end too, which has a test of its own. */
const someOverrides: fc.Arbitrary<EventOverrides> = fc
  .record(values, { requiredKeys: [] })
  .filter((own) => own.startsAt === undefined || own.endsAt !== undefined);
const someFields = fc.subarray([...OVERRIDABLE_FIELDS]);

function record(own: EventOverrides, changes: Partial<EventRecord> = {}): EventRecord {
  const at = '2027-01-01T00:00:00.000Z';
  return {
    id: 'evt_1',
    tenant: tenantOf({ companyId: 'c', environment: 'live' }),
    kind: 'single',
    own,
    attempts: [],
    version: 1,
    created: at,
    changed: at,
    ...changes,
  };
}

const series = (own: EventOverrides) => record(own, { id: 'evt_series', kind: 'series' });
const instance = (own: EventOverrides) => record(own, { kind: 'instance', seriesId: 'evt_series' });

describe('an instance', () => {
  test('has its own value for overridden fields, and its series’ value for all others', () => {
    fc.assert(
      fc.property(someParent, someOverrides, (parent, own) => {
        const merged = mergedFields(own, parent);
        for (const field of OVERRIDABLE_FIELDS) {
          expect(merged[field]).toEqual(field in own ? own[field] : parent[field]);
        }
        expect(new Set(overridesOf(own))).toEqual(new Set(Object.keys(own)));
      }),
    );
  });

  test('shows every change of its series in fields it does not override, and in no others', () => {
    fc.assert(
      fc.property(someParent, someParent, someOverrides, (before, after, own) => {
        const was = mergedFields(own, before);
        const is = mergedFields(own, after);
        for (const field of OVERRIDABLE_FIELDS) expect(is[field]).toEqual(field in own ? was[field] : after[field]);
      }),
    );
  });

  test('that reverts a field has the series’ value again, and keeps its other overrides', () => {
    fc.assert(
      fc.property(someParent, someOverrides, someFields, (parent, own, fields) => {
        fc.pre(!fields.includes('endsAt') || fields.includes('startsAt'));
        const reverted = revertFields(own, fields);
        const merged = mergedFields(reverted, parent);
        for (const field of fields) {
          expect(merged[field]).toEqual(parent[field]);
          expect(field in merged).toBe(field in parent);
        }
        for (const field of OVERRIDABLE_FIELDS) {
          if (!fields.includes(field)) expect(reverted[field]).toEqual(own[field]);
        }
        expect(revertFields(reverted, fields)).toEqual(reverted);
      }),
    );
  });

  test('that overrode everything and reverted everything equals its series', () => {
    fc.assert(
      fc.property(someParent, someParent, (parent, everything) => {
        const own = revertFields(applyMergePatch({}, everything) as EventOverrides, OVERRIDABLE_FIELDS);
        expect(own).toEqual({});
        expect(mergedFields(own, parent)).toEqual(parent);
      }),
    );
  });

  test('with a start of its own and no end of its own lasts as long as its series', () => {
    const parent = { startsAt: '2027-05-03T18:00:00.000Z', endsAt: '2027-05-03T21:30:00.000Z' };
    const startsAt = '2027-06-07T12:00:00.000Z';
    expect(mergedFields({ startsAt }, parent)).toEqual({ startsAt, endsAt: '2027-06-07T15:30:00.000Z' });
    expect(mergedFields({ startsAt, endsAt: parent.endsAt }, parent)).toEqual({ startsAt, endsAt: parent.endsAt });
    expect(mergedFields({ endsAt: startsAt }, parent)).toEqual({ startsAt: parent.startsAt, endsAt: startsAt });
    // A series with only one of the two times has no duration.
    expect(mergedFields({ startsAt }, { endsAt: parent.endsAt })).toEqual({ startsAt, endsAt: parent.endsAt });
    expect(mergedFields({ startsAt }, { startsAt: parent.startsAt })).toEqual({ startsAt });
    // A series that ends at the end of time gives the instance the same end.
    const forEver = { ...parent, endsAt: '9999-12-31T23:59:59.999Z' };
    expect(mergedFields({ startsAt }, forEver)).toEqual({ startsAt, endsAt: forEver.endsAt });
  });

  test.each([
    ['the night the clocks go forward', '2027-03-27T21:00:00.000Z', '2027-03-28T02:00:00.000Z'],
    ['the night the clocks go back', '2027-10-30T20:00:00.000Z', '2027-10-31T03:00:00.000Z'],
    ['any other night', '2027-05-01T20:00:00.000Z', '2027-05-02T02:00:00.000Z'],
  ])('from 22:00 to 04:00 ends at 04:00 in %s', (_night, startsAt, endsAt) => {
    const parent = {
      startsAt: '2027-01-02T21:00:00.000Z',
      endsAt: '2027-01-03T03:00:00.000Z',
      timezone: 'Europe/Berlin',
    };
    expect(mergedFields({ startsAt }, parent).endsAt).toBe(endsAt);
    // In a zone of its own where the clocks do not change that night.
    expect(mergedFields({ startsAt, timezone: 'UTC' }, parent).endsAt).toBe(
      timestampOf(Temporal.Instant.from(startsAt).add({ hours: 6 })),
    );
    // A series during whose own night the clocks change lasts as long on the clock.
    expect(mergedFields({ startsAt: parent.startsAt }, { ...parent, startsAt, endsAt }).endsAt).toBe(parent.endsAt);
  });

  test('ends after it starts, even if the clocks change', () => {
    const change = Date.parse('2027-10-31T01:00:00Z');
    const nearby = fc.integer({ min: -180, max: 180 }).map((minutes) => new Date(change + minutes * 60_000));
    fc.assert(
      fc.property(nearby, nearby, nearby, (startsAt, from, until) => {
        fc.pre(from < until);
        const parent = { startsAt: from.toISOString(), endsAt: until.toISOString(), timezone: 'Europe/Berlin' };
        const { endsAt = '' } = mergedFields({ startsAt: startsAt.toISOString() }, parent);
        expect(endsAt > startsAt.toISOString()).toBe(true);
      }),
    );
  });

  test('that is patched with null equals one that is reverted', () => {
    fc.assert(
      fc.property(someOverrides, someFields, (own, fields) => {
        const patch = Object.fromEntries(fields.map((field) => [field, null]));
        expect(applyMergePatch(own, patch)).toEqual(revertFields(own, fields));
      }),
    );
  });

  test('was last changed when it or its series was, whichever is later', () => {
    const parent = series({ name: 'Summer' });
    expect(showEvent(instance({}), { ...parent, changed: '2028-01-01T00:00:00.000Z' }).changed).toBe(
      '2028-01-01T00:00:00.000Z',
    );
    expect(showEvent(instance({}), { ...parent, changed: '2026-01-01T00:00:00.000Z' }).changed).toBe(
      '2027-01-01T00:00:00.000Z',
    );
  });
});

test('only an instance lists overrides', () => {
  expect(showEvent(record({ name: 'Gala' }))).not.toHaveProperty('overrides');
  expect(showEvent(instance({ tags: [], name: 'Gala' }), series({ name: 'Summer' })).overrides).toEqual([
    'name',
    'tags',
  ]);
});
