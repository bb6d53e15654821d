import { exampleId } from '@event-commerce/contracts';

const OWN_ID =
  /\b(?:adj|amd|bat|bud|cof|cpn|cs|ers|evt|job|key|off|ord|pg|rdm|reh|rpl|tbl|whk)_[0-9a-hjkmnp-tv-z]{26}\b/g;
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const REQUEST_ID = /\breq_[0-9a-hjkmnp-tv-z]{26}\b/g;
/** At the end of the sentence that says why an adjustment does not count. */
const NOW_IN_DETAIL = /\bit is \d{4}-\d\d-\d\dT[\d:.]+Z$/;
const PSEUDONYM = /\berased_[0-9a-f]{32}\b/g;
const WEBHOOK_SECRET = /\bwhsec_[0-9A-Za-z+/=]+/g;
/** A cursor of the activity log, where those of lists are longer. */
const LOG_CURSOR = /^[0-9a-z]{8,11}$/;
const KEY_TEXT = /\beck_(live|test)_[0-9A-Za-z_]+/g;

/** Fields that the platform's clock sets. */
const CLOCKED = new Set([
  'created',
  'changed',
  'finished',
  'createdAt',
  'changedAt',
  'cancelledAt',
  'pricedAt',
  'at',
  'expires',
  'revoked',
  'lastUsed',
  'timestamp',
  'previousValidUntil',
  'countedUntil',
]);
const EXAMPLE_TIME = '2027-03-01T12:00:00.000Z';
const EXAMPLE_CURSOR = '2ns1lvj4';
const EXAMPLE_UUID = '5d2f8a04-6e1b-4c93-8a7d-0f3b9c6e2d15';
const EXAMPLE_PSEUDONYM = 'erased_5d2f8a046e1b4c938a7d0f3b9c6e2d15';
const EXAMPLE_REQUEST = 'req_01k9q4m2x7f8vb3t6d5c0h9000';
const EXAMPLE_EXPIRY = '2027-03-08T12:00:00.000Z';
/** Ids that no example names are numbered from here on, so that a new example renumbers none. */
const UNNAMED_FROM = 9001;

export type RenamedIds = ReturnType<typeof renamedIds>;

/** Translates between the ids of the examples and a platform's ids of the same records. */
export function renamedIds() {
  const realByExample = new Map<string, string>();
  const exampleByReal = new Map<string, string>();
  let unnamed = UNNAMED_FROM;

  const bind = (example: string, real: string) => {
    realByExample.set(example, real);
    exampleByReal.set(real, example);
  };
  const exampleOf = (real: string): string => {
    if (realByExample.has(real)) return real;
    if (!exampleByReal.has(real)) bind(exampleId(real.slice(0, real.indexOf('_')), unnamed++), real);
    return exampleByReal.get(real) as string;
  };
  return {
    bind,
    /** An example with the ids of this platform. */
    toReal<T>(example: T): T {
      let text = JSON.stringify(example);
      if (text === undefined) return example;
      for (const [name, real] of realByExample) text = text.replaceAll(name, real);
      return JSON.parse(text) as T;
    },
    /** A response of this platform, normalized: with the ids of the examples and without its own times. */
    toExample(answer: unknown): unknown {
      const renamed = JSON.stringify(answer, (member, value: unknown) => {
        if (member === 'durationMs') return 12;
        if (typeof value !== 'string') return value;
        if ((member === 'next' || member === 'cursor') && LOG_CURSOR.test(value)) return EXAMPLE_CURSOR;
        if (member === 'next') return encodeCursor(exampleOf(decodeCursor(value)));
        if (CLOCKED.has(member)) return EXAMPLE_TIME;
        if (member === 'until') return EXAMPLE_EXPIRY;
        if ((member === 'expiresAt' || member === 'seatHeldUntil') && isSoon(value)) return EXAMPLE_EXPIRY;
        return value
          .replace(OWN_ID, exampleOf)
          .replace(UUID, (real) => exampleByReal.get(real) ?? EXAMPLE_UUID)
          .replace(PSEUDONYM, EXAMPLE_PSEUDONYM)
          .replace(REQUEST_ID, EXAMPLE_REQUEST)
          .replace(NOW_IN_DETAIL, `it is ${EXAMPLE_TIME}`)
          .replace(KEY_TEXT, 'eck_live_EXAMPLE-shown-once')
          .replace(WEBHOOK_SECRET, 'whsec_EXAMPLE-shown-once');
      });
      return JSON.parse(renamed);
    },
  };
}

/** A cart expires within days, a time that a caller chose within decades. */
function isSoon(time: string): boolean {
  return Date.parse(time) < Date.now() + 30 * 24 * 60 * 60 * 1000;
}

function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString();
}

function encodeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}
