import { z } from 'zod';
import { refusal } from '../errors/refusal.ts';
import { calledOffBy } from '../events/call-off.ts';
import { couponCode } from '../schema/codes.ts';
import { memberNotes } from '../schema/member-notes.ts';
import {
  ARRAY_LENGTH_MAX,
  externalId,
  listQuery,
  QUANTITY_MAX,
  recordVersion,
  text,
  timestamp,
} from '../schema/primitives.ts';
import { AMENDMENT_MODES, pricedAmendment } from './amend.ts';
import { order, orderCosts, orderCoupon, pricedItem } from './order.ts';
import { amount, expiresInSeconds } from './order-input.ts';

/** The most amendments that an order can have. */
export const AMENDMENTS_MAX = 50;

/**
 * An amendment of a placed order may wait for the buyer to pay: it is pending until it is applied, or ends without
 * effect.
 */
export const AMENDMENT_STATES = ['pending', 'applied', 'expired', 'cancelled'] as const;
export type AmendmentState = (typeof AMENDMENT_STATES)[number];

const amendedItem = z
  .object({
    lineId: externalId.optional().describe('A line of the order: it keeps this many tickets, no more than it has.'),
    offeringId: externalId
      .optional()
      .describe(
        'All lines of an offering together: more tickets than they have make a new line; fewer are taken from the newest line first.',
      ),
    quantity: z.int().min(0).max(QUANTITY_MAX),
    unitPrice: amount
      .optional()
      .describe('The list price of tickets that are added, with `orders:write`. Absent: what the catalogue says.'),
  })
  .refine(({ lineId, offeringId }) => (lineId === undefined) !== (offeringId === undefined), {
    message: 'must have either a lineId, to keep fewer of its tickets, or an offeringId, for all of its lines together',
  });

const amended = {
  items: z
    .array(amendedItem)
    .max(ARRAY_LENGTH_MAX)
    .optional()
    .describe('The tickets the order should have. Lines that are not named stay as they are.'),
  coupons: z
    .array(couponCode)
    .max(ARRAY_LENGTH_MAX)
    .optional()
    .describe(
      'All codes the order should have. Absent: no change. A new one counts for added tickets with `keep`, and for all with `reprice`. Leaving one out needs `reprice` and `chargeDifference`.',
    ),
  costs: z
    .object({ fees: amount.optional(), tax: amount.optional(), total: amount.optional() })
    .optional()
    .describe(
      'Stated amounts. Otherwise fees stay, and tax follows the goods; `tax` is required when tickets are added to an order with tax. `total` needs `orders:write`.',
    ),
  seats: z
    .int()
    .min(1, 'must be at least 1; to give all seats back, cancel the order')
    .max(ARRAY_LENGTH_MAX)
    .optional()
    .describe('How many seats the order keeps at its table, no more than it has. Absent: all.'),
  chargeDifference: z
    .boolean()
    .default(false)
    .describe(
      'Whether the tickets that stay may cost more than they did, because a price for many no longer applies. Otherwise that difference is withheld from what is paid back.',
    ),
};

/** The names that people try. */
const notes = {
  answer: () => order.shape,
  related: () => ({ codes: 'coupons', code: 'coupons', lines: 'items', total: 'costs.total' }),
};

/** The body of `POST /orders/{id}/amendments`: what the order should become, so that a repeat changes nothing. */
export const amendmentInput = z
  .object({
    mode: z
      .enum(AMENDMENT_MODES, {
        error: ({ input }) =>
          input === undefined
            ? 'is required: keep or reprice; the preview shows both'
            : 'must be keep or reprice; the preview shows both',
      })
      .describe(
        '`keep`: what stays costs what it cost, and added tickets are priced now as an order of their own. `reprice`: everything is priced as one purchase, by the rules under which the order was placed.',
      ),
    ...amended,
    expectedTotal: amount
      .optional()
      .describe(
        'What the order must cost afterwards. If it costs anything else, nothing changes: 409 `PRICE_CHANGED`.',
      ),
    expiresInSeconds: expiresInSeconds
      .optional()
      .describe(
        'For a placed order, while the buyer pays: holds what is added for that long, and the order stays as it is until the amendment is confirmed. Nothing is returned before that.',
      ),
    reason: text.optional(),
  })
  .register(memberNotes, notes)
  .meta({ id: 'AmendmentInput' });
export type AmendmentInput = z.output<typeof amendmentInput>;

/** The body of `POST /orders/{id}/amendments/preview`. */
export const amendmentPreviewInput = z
  .object(amended)
  .register(memberNotes, notes)
  .meta({ id: 'AmendmentPreviewInput' });
export type AmendmentPreviewInput = z.output<typeof amendmentPreviewInput>;

const { due, withheld, costs, lines, modifiers } = pricedAmendment.shape;

const shownAmendment = z.object({
  currency: z.string(),
  due: due.describe('To be paid; negative: to be paid back. Minor units.'),
  withheld: withheld.describe(
    'What the tickets of the order cost more because returned ones were not paid back at their price.',
  ),
  costs,
  lines: z.array(lines.element.extend({ offeringId: z.string().exactOptional(), name: z.string().exactOptional() })),
  seats: z
    .object({ before: z.int(), after: z.int() })
    .exactOptional()
    .describe('The seats of the order at its table. Absent if they stay.'),
  modifiers: modifiers.describe('What each adjustment adds to the whole order, before and after.'),
  redemptions: z.object({
    claimed: z.array(z.string()).describe('The adjustments that the order redeems in addition.'),
    released: z.array(z.string()).describe('The adjustments of which it gives its redemption back.'),
  }),
});

/** A change of an order: made, or waiting to be made, or not made in the end. */
export const amendment = shownAmendment
  .extend({
    id: z.string(),
    number: z.int().describe('1 for the first of its order.'),
    orderId: z.string(),
    state: z
      .enum(AMENDMENT_STATES)
      .describe('`pending`: it waits to be confirmed. An `expired` or `cancelled` one changed nothing.'),
    mode: z.enum(AMENDMENT_MODES),
    reason: z.string().exactOptional(),
    callOff: calledOffBy
      .extend({ eventId: z.string() })
      .exactOptional()
      .describe('The call-off of the event whose tickets it returned.'),
    actor: z.string().exactOptional().describe('The API key that made it.'),
    created: timestamp,
    expiresAt: timestamp
      .exactOptional()
      .describe('Until when it could be confirmed. Absent if it was applied at once.'),
    orderVersion: recordVersion.exactOptional().describe('The version that the order got by it, once it is applied.'),
  })
  .meta({ id: 'Amendment' });
export type Amendment = z.output<typeof amendment>;

/** An amendment with the order as it was before. */
export const amendmentWithBefore = amendment
  .extend({
    before: z.object({ items: z.array(pricedItem), costs: orderCosts, coupons: z.array(orderCoupon) }),
  })
  .meta({ id: 'AmendmentWithBefore' });
export type AmendmentWithBefore = z.output<typeof amendmentWithBefore>;

export const amendedOrder = z
  .object({ order, amendment: amendment.exactOptional().describe('Absent if the order was so already.') })
  .meta({ id: 'AmendedOrder' });
export type AmendedOrder = z.output<typeof amendedOrder>;

/** The response to confirming or cancelling an amendment. */
export const movedAmendment = z.object({ order, amendment }).meta({ id: 'MovedAmendment' });
export type MovedAmendment = z.output<typeof movedAmendment>;

const previewed = z
  .union([
    shownAmendment,
    z.object({ code: z.string(), message: z.string(), details: z.array(z.looseObject({})).exactOptional() }),
  ])
  .describe('What it would come to, or why it would be refused.');

export const amendmentPreview = z.object({ keep: previewed, reprice: previewed }).meta({ id: 'AmendmentPreview' });
export type AmendmentPreview = z.output<typeof amendmentPreview>;

export const amendmentNotFound = refusal(
  'AMENDMENT_NOT_FOUND',
  'The order has no such amendment.',
  (orderId: string, id: string) => ({ message: `Order ${orderId} has no amendment ${id}.` }),
  'ord_01h455vb4pex5vsknk084sn02q',
  'amd_01h455vb4pex5vsknk084sn02q',
);

/** The time is in milliseconds since the epoch. */
export const amendmentPending = refusal(
  'AMENDMENT_PENDING',
  'The order has an amendment that waits to be confirmed.',
  (orderId: string, id: string, expiresAtMs: number) => ({
    message: `Order ${orderId} has amendment ${id} pending until ${new Date(expiresAtMs).toISOString()}; confirm or cancel it first.`,
    details: [{ path: 'id', message: `has amendment ${id} pending; confirm or cancel it first`, amendmentId: id }],
  }),
  'ord_01h455vb4pex5vsknk084sn02q',
  'amd_01h455vb4pex5vsknk084sn02q',
  Date.UTC(2027, 4, 1, 18),
);

/** The time is in milliseconds since the epoch. */
export const amendmentExpired = refusal(
  'AMENDMENT_EXPIRED',
  'The amendment expired before it was confirmed, and gave back what it held.',
  (id: string, expiredAtMs: number) => ({
    message: `Amendment ${id} expired at ${new Date(expiredAtMs).toISOString()} and gave back what it held; make it again.`,
  }),
  'amd_01h455vb4pex5vsknk084sn02q',
  Date.UTC(2027, 4, 1, 18),
);

/** `hint`: what is possible instead. */
export const amendmentStatusConflict = refusal(
  'AMENDMENT_STATUS_CONFLICT',
  'The state of the amendment does not allow this.',
  (id: string, state: AmendmentState, hint: string) => ({ message: `Amendment ${id} is ${state}: ${hint}.` }),
  'amd_01h455vb4pex5vsknk084sn02q',
  'applied',
  'amend the order back instead of cancelling it',
);

/** The query of `GET /orders/{id}/amendments`. */
export const amendmentListQuery = listQuery({}, () => amendment);

export const orderAmendmentsFull = refusal(
  'QUOTA_EXCEEDED',
  `The order has ${AMENDMENTS_MAX} amendments, as many as an order can have.`,
  (orderId: string) => ({
    message: `Order ${orderId} has ${AMENDMENTS_MAX} amendments, as many as an order can have. Cancel it, and place another one.`,
  }),
  'ord_01h455vb4pex5vsknk084sn02q',
);
