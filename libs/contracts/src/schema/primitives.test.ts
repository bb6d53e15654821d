import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { externalId, instant, instantIn, localTime, recordId, timestamp, zonedTime } from './primitives.ts';

const problem = (result: { error?: { issues: { message: string }[] } | undefined }) => result.error?.issues[0]?.message;

describe('an id of others', () => {
  it.each(['auth0|5f7c', 'early bird', 'VIP members', 'a/b', '😀', 'x'.repeat(256)])('can be %j', (id) => {
    expect(externalId.parse(id)).toBe(id);
  });

  it.each([
    ['', 'must not be empty'],
    ['x'.repeat(257), 'must have at most 256 characters'],
    ['a\u0000', 'must not have control characters or broken Unicode'],
    ['a\ud800', 'must not have control characters or broken Unicode'],
  ])('cannot be %j', (id, message) => {
    expect(problem(externalId.safeParse(id))).toBe(message);
  });

  it.each(['a/b', 'a\\b', 'a%2fb', '.', '..', '...', '..x', 'x..'])(
    'for a record of the platform cannot be %j, which no path can have',
    (id) => {
      expect(problem(recordId.safeParse(id))).toMatch(/^must not contain a slash/);
    },
  );
});

describe('a time', () => {
  it.each([
    ['2027-05-01T18:00:00Z', '2027-05-01T18:00:00.000Z'],
    ['2027-05-01T18:00:00+02:00', '2027-05-01T16:00:00.000Z'],
    ['2027-05-01T18:00:00+0200', '2027-05-01T16:00:00.000Z'],
    ['2027-05-01T18:00:00-02', '2027-05-01T20:00:00.000Z'],
    ['2027-05-01T18:00', '2027-05-01T18:00:00.000Z'],
    ['2027-05-01t18:00:00.1239z', '2027-05-01T18:00:00.123Z'],
    ['20270501T180000Z', '2027-05-01T18:00:00.000Z'],
    ['2027-05-01T18:00:00+02:00[Europe/Berlin]', '2027-05-01T16:00:00.000Z'],
    ['2027-05-01T18:00[Europe/Berlin]', '2027-05-01T16:00:00.000Z'],
    ['2027-05-01T16:00Z[Europe/Berlin]', '2027-05-01T16:00:00.000Z'],
    ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00+05:00', '0000-01-01T00:00:00.000Z'],
  ])('%s is taken as %s', (given, taken) => {
    expect(instant.parse(given)).toBe(taken);
  });

  it.each([
    '2027-02-30T00:00:00Z',
    'tomorrow',
    '',
    '+012027-05-01T18:00:00Z',
    '2027-05-01T25:00Z',
    '2027-05-01T18:00+05:00[Europe/Berlin]',
    '2027-05-01T18:00[Europe/Nowhere]',
    '2027-05-01[America/Toronto]',
    '2027-05-01T18:00[u-ca=hebrew]',
  ])('%j is none', (given) => {
    expect(problem(instant.safeParse(given))).toBe('must be a date and time, such as 2027-05-01T18:00:00Z');
  });

  it('needs a time of day, and the refusal shows both ways to write it', () => {
    expect(problem(localTime.safeParse('2027-05-01'))).toBe(
      'needs a time of day: write 2027-05-01T00:00:00 for local time, or 2027-05-01T00:00:00Z for UTC',
    );
    expect(problem(instant.safeParse('2027-05-01'))).toBe(
      'needs a time of day: write 2027-05-01T00:00:00Z for UTC, or 2027-05-01T00:00:00+02:00 with an offset',
    );
  });

  it('of a record that names events is in their zone, if they have one; in UTC if it names none', () => {
    expect(zonedTime('2027-05-01T18:00', ['America/New_York'], 'endsAt')).toBe('2027-05-01T22:00:00.000Z');
    expect(zonedTime('2027-05-01T18:00', [], 'endsAt')).toBe('2027-05-01T18:00:00.000Z');
    expect(zonedTime('2027-05-01T18:00:00.000Z', ['UTC', 'Asia/Tokyo'], 'endsAt')).toBe('2027-05-01T18:00:00.000Z');
    expect(() => zonedTime('2027-05-01T18:00:00.000', ['Asia/Tokyo', 'UTC'], 'endsAt')).toThrow(
      'endsAt must name a zone, such as 2027-05-01T18:00:00[Asia/Tokyo]: what this applies to is in Asia/Tokyo, UTC.',
    );
  });

  it('is the same in every form of its offset and zone', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC');
    const times = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, zones, (time, zone) => {
        const taken = time.toISOString();
        const zoned = Temporal.Instant.from(taken).toZonedDateTimeISO(zone);
        const local = zoned.toPlainDateTime().toString();
        const { offset } = zoned;
        const short = offset.replace(':', '');
        const offsets = [offset, short, `${offset}:00`, `${short}00`, `[${offset}]`, `${offset}[${zone}]`];
        for (const given of [...offsets.map((end) => local + end), `${taken}[${zone}]`]) {
          expect([given, instant.parse(given), localTime.parse(given)]).toEqual([given, taken, taken]);
        }
      }),
    );
  });

  it('for ever is the last time there is, in every zone', () => {
    for (const zone of ['America/New_York', 'UTC', 'Pacific/Kiritimati']) {
      expect(timestamp.safeParse(instantIn('9999-12-31T23:59:59', zone)).success).toBe(true);
      expect(timestamp.safeParse(instantIn('0000-01-01T00:00', zone)).success).toBe(true);
    }
  });
});
