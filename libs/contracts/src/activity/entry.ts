import { z } from 'zod';
import { allows, type Scope, keyEnvironment } from '../identity/identity.ts';
import { DOMAIN_EVENTS, type DomainEventType } from '../messages/domain-events.ts';
import { instant, externalId, listQuery, pageOfList } from '../schema/primitives.ts';

/** The kinds of records that events are about. */
type KindOfEvent = DomainEventType extends infer Type ? (Type extends `${infer Kind}.${string}` ? Kind : never) : never;

/** Which scopes may read about which kinds of records in the activity log. */
const READ_SCOPES = {
  coupon: 'coupons:read',
  order: 'orders:read',
  adjustment: 'pricing:read',
  redemption: 'pricing:read',
  budget: 'pricing:read',
  cart: 'carts:read',
  table: 'carts:read',
  event: 'events:read',
  instance: 'events:read',
  offering: 'events:read',
  purchase_group: 'events:read',
  api_key: 'keys:admin',
  webhook: 'webhooks:read',
  customer: 'orders:read',
} as const satisfies Record<KindOfEvent, Scope>;

/** The kinds of records that entries are about: the part of an event's type before the dot. */
export type ActivityKind = keyof typeof READ_SCOPES | 'activity';
const KINDS = Object.keys(READ_SCOPES) as (keyof typeof READ_SCOPES)[];

/** The scopes that decide which entries a key sees. */
export const ACTIVITY_SCOPES: readonly Scope[] = [...new Set(Object.values(READ_SCOPES))];

/** The entry for a lost part of the log: the broker lost events before they were read. */
export const GAP = 'activity.gap';

/** The kinds of records that a key with these scopes may read about. */
export function readableKinds(scopes: readonly Scope[]): ActivityKind[] {
  return [...KINDS.filter((kind) => allows(scopes, READ_SCOPES[kind])), 'activity'];
}

/** The scope that reading about `kind` needs; undefined if there is no such kind. */
export function scopeToRead(kind: string): Scope | undefined {
  return Object.hasOwn(READ_SCOPES, kind) ? READ_SCOPES[kind as keyof typeof READ_SCOPES] : undefined;
}

export const recordChange = z
  .object({
    path: z.string().describe('The member that changed, such as `conditions.endsAt`; `*` stands for the rest.'),
    before: z.unknown().optional().describe('Its value before; missing if it had none.'),
    after: z.unknown().optional().describe('Its value after; missing if it has none.'),
    redacted: z.literal(true).optional().describe('Its values are not kept, because they are about people.'),
    truncated: z.literal(true).optional().describe('Its values are too large to be kept.'),
  })
  .meta({ id: 'RecordChange' });
export type RecordChange = z.output<typeof recordChange>;

export const activityEntry = z
  .object({
    id: z.string().describe('The same wherever this entry arrives: use it to recognise repeats.'),
    cursor: z.string().describe('The place in the log. Send it as `after` to continue after this entry.'),
    type: z.string().describe('`order.placed`, `coupon.updated`, ... New types may be added.'),
    timestamp: z.iso.datetime(),
    companyId: z.string(),
    environment: keyEnvironment,
    subject: z.string().describe('The id of the record that changed.'),
    version: z.int().optional().describe('The version of the record after the change.'),
    actor: z
      .object({ keyId: z.string(), name: z.string().optional().describe('The name that the key had then.') })
      .optional()
      .describe('The API key whose request led to it. Missing where the platform acted by itself.'),
    requestId: z.string().optional().describe('The `x-request-id` of the request that led to it.'),
    related: z.array(z.string()).describe('The ids of other records that it concerns.'),
    data: z.record(z.string(), z.unknown()).describe('The record as it was after the change, without large lists.'),
    changes: z
      .array(recordChange)
      .optional()
      .describe('What the change changed, where a record was replaced: at most 50 members.'),
  })
  .meta({ id: 'ActivityEntry' });
export type ActivityEntry = z.output<typeof activityEntry>;

const PATTERN = /^(?:\*|[a-z_]+\.(?:\*|[a-z_]+))$/;
const TYPES_MAX = 50;

/** A list of types: `order.*,coupon.updated`. */
const types = z
  .string()
  .transform((text) => text.split(',').map((one) => one.trim()))
  .pipe(
    z
      .array(z.string().regex(PATTERN, 'must be types such as order.placed or order.*, with commas between'))
      .max(TYPES_MAX),
  )
  .describe('Types with commas between: `order.*,coupon.updated`.');

const filters = {
  type: types.optional(),
  subject: externalId.optional().describe('Entries about this record.'),
  related: externalId.optional().describe('Entries that concern this record, without being about it.'),
  actor: externalId.optional().describe('Entries that this API key led to, by its id.'),
};

export const WAIT_MAX_SECONDS = 30;

export const activityQuery = listQuery(
  {
    ...filters,
    from: instant.optional().describe('Entries from this time on.'),
    to: instant.optional().describe('Entries before this time.'),
    after: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Returns what comes after this cursor, oldest first: `page.next` of the last response or the cursor of an entry; `oldest`, or `now`.',
      ),
    wait: z.coerce
      .number()
      .int()
      .min(0)
      .max(WAIT_MAX_SECONDS)
      .default(0)
      .describe('With `after`: for how many seconds to wait for an entry if there is none yet.'),
    collapse: z
      .enum(['subject'])
      .optional()
      .describe('With `after`: returns the last entry of each record only, of the next 5,000 entries.'),
  },
  () => activityEntry,
);
export type ActivityQuery = z.output<typeof activityQuery>;

export const activityStreamQuery = z.object({
  ...filters,
  after: z.string().min(1).max(64).default('now').describe('Where to begin: a cursor, `oldest`, or `now`.'),
});
export type ActivityStreamQuery = z.output<typeof activityStreamQuery>;

/** What a feed says about its page: `next` is where to continue, even if there was nothing. */
export const pageOfFeed = pageOfList.extend({
  more: z.boolean().optional().describe('With `after`: whether more entries are there already.'),
});

/** The kind of records that events of `type` are about: `order` of `order.placed`. */
export function kindOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}

function isKnown(type: string): type is DomainEventType {
  return Object.hasOwn(DOMAIN_EVENTS, type);
}

function internalMembers(type: DomainEventType): readonly string[] {
  const definition: (typeof DOMAIN_EVENTS)[DomainEventType] = DOMAIN_EVENTS[type];
  return 'internal' in definition ? definition.internal : [];
}

/** The part of an event's data that its company sees: everything except what only services need. */
export function shownData(type: string, data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hidden = isKnown(type) ? internalMembers(type) : [];
  return Object.fromEntries(Object.entries(data).filter(([member]) => !hidden.includes(member)));
}
