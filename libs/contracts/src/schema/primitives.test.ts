import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customer } from '../orders/order-input.ts';
import {
  externalId,
  instant,
  instantIn,
  label,
  line,
  localTime,
  name,
  recordId,
  sharedZone,
  timestamp,
  zonedTime,
} from './primitives.ts';

const problem = (result: { error?: { issues: { message: string }[] } | undefined }) => result.error?.issues[0]?.message;

describe('an external id', () => {
  it('is stored without surrounding blanks', () => {
    expect(externalId.parse(' off_1\n')).toBe('off_1');
  });

  it.each(['auth0|5f7c', 'early bird', 'VIP members', 'a/b', '😀', 'x'.repeat(256)])('can be %j', (id) => {
    expect(externalId.parse(id)).toBe(id);
  });

  it.each([
    ['', 'must not be empty'],
    [' ', 'must not be empty'],
    ['x'.repeat(257), 'must have at most 256 characters'],
    ['a\u0000', 'must not have control characters or broken Unicode'],
    ['a\ud800', 'must not have control characters or broken Unicode'],
  ])('cannot be %j', (id, message) => {
    expect(problem(externalId.safeParse(id))).toBe(message);
  });

  it.each(['a/b', 'a\\b', 'a%2fb', '.', '..', '...', '..x', 'x..'])(
    'for a record of the platform cannot be %j, which no path can have',
    (id) => {
      expect(problem(recordId.safeParse(id))).toMatch(/^must not contain \//);
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
    '2027-02-30',
    'tomorrow',
    '',
    '+012027-05-01T18:00:00Z',
    '2027-05-01T18:00+05:00[Europe/Berlin]',
    '2027-05-01T18:00[Europe/Nowhere]',
    '2027-05-01[America/Toronto]',
    '2027-05-01T18:00[u-ca=hebrew]',
  ])('%j is none', (given) => {
    expect(problem(instant.safeParse(given))).toBe('must be a date and time, such as 2027-05-01T18:00:00Z');
  });

  it.each(['2027-02-29T20:00:00Z', '2027-05-01T25:00Z', '2027-05-01T24:00:00', '2027-05-01T18:00:00+25:00'])(
    '%s does not exist, and the refusal says so',
    (given) => expect(problem(instant.safeParse(given))).toBe('must be a date and time that exist'),
  );

  it('whose offset lost its plus sign in a URL is refused, with the right spelling', () => {
    expect(problem(instant.safeParse('2027-05-01T18:00:00 02:00'))).toBe(
      'has a space instead of +; write + as %2B in a URL',
    );
  });

  it('is read without surrounding blanks', () => {
    expect(instant.parse(' 2027-05-01T18:00:00Z\n')).toBe('2027-05-01T18:00:00.000Z');
  });

  it.each(['2027-05-01', '20270501'])('%s without a time of day is refused, with both ways to write it', (given) => {
    const ways = 'send 2027-05-01T00:00:00 for the beginning of that day or 2027-05-01T23:59:59.999 for its end';
    const zones = 'add Z, or an offset such as +02:00, to name a zone';
    expect(problem(instant.safeParse(given))).toBe(`must have a time of day: ${ways} (UTC; ${zones})`);
    expect(problem(localTime.safeParse(given))).toBe(`must have a time of day: ${ways} (local time; ${zones})`);
  });

  it('without a zone is read in the zone that the events agree on', () => {
    expect(sharedZone([])).toBe('UTC');
    expect(sharedZone(['Europe/Berlin', 'Europe/Berlin'])).toBe('Europe/Berlin');
    expect(sharedZone(['Asia/Kolkata', 'Asia/Calcutta'])).toBe('Asia/Kolkata');
    expect(sharedZone([undefined, 'Etc/UTC'])).toBe('UTC');
    expect(sharedZone(['Europe/Berlin', undefined])).toBeUndefined();
    expect(sharedZone(['Europe/Berlin', 'America/New_York'])).toBeUndefined();
  });

  it('of a record that names events is in their zone, if they have one, and in UTC if it names none', () => {
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

  it('that means forever is the last possible time, in every zone', () => {
    for (const zone of ['America/New_York', 'UTC', 'Pacific/Kiritimati']) {
      expect(timestamp.safeParse(instantIn('9999-12-31T23:59:59', zone)).success).toBe(true);
      expect(timestamp.safeParse(instantIn('0000-01-01T00:00', zone)).success).toBe(true);
    }
  });
});

describe('a name or a single-line text', () => {
  const ofOneLine = {
    name,
    label,
    line: line(64),
    externalId,
    firstName: customer.shape.firstName,
    lastName: customer.shape.lastName,
    phone: customer.shape.phone,
  };

  it.each(Object.entries(ofOneLine))('has no character that affects a terminal: %s', (_what, schema) => {
    for (const text of ['a\u001b[2Jb', 'a\u0007b', 'a\rb', 'a\nb', 'a\u009b31mb', 'a\u007fb', 'a\0b']) {
      expect(problem(schema.safeParse(text))).toBe('must not have control characters or broken Unicode');
    }
    expect(schema.parse('Zoë 東京 🎟')).toBe('Zoë 東京 🎟');
  });
});
