import { z } from 'zod';
import { cartLine, codeResult, modifier } from '../adjustments/evaluation.ts';
import { repliedRefusal } from '../errors/replied-refusal.ts';
import { CLAIMS_MAX, claimRequest, claimsRefused, redemptionClaim } from '../messages/rpc.ts';
import { couponCode } from '../schema/codes.ts';
import { ARRAY_LENGTH_MAX, externalId, minorUnits } from '../schema/primitives.ts';
import { orderCosts, orderShare } from './order.ts';
import { priceBasis, purchaseLine, purchaseRequest } from './purchase.ts';

/**
 * How an amendment is priced. `keep`: what stays costs what it cost, and added tickets are an order of their own.
 * `reprice`: what stays and what is added is priced as one purchase, by the rules under which the order was placed.
 */
export const AMENDMENT_MODES = ['keep', 'reprice'] as const;
export type AmendmentMode = (typeof AMENDMENT_MODES)[number];

/** Minor units of the order's currency. */
const amount = z.int();

/**
 * A line as it was last priced: all of its tickets together. Returned tickets do not change it, so that the steps in
 * which they are returned change no amount. A new line, and one that is priced again, is bought as it is then.
 */
const bought = z.object({
  quantity: z.int().min(1),
  charged: minorUnits,
  /** Its parts of what changed the price of the order as a whole. */
  shares: z.array(orderShare),
  /** What it costs more because returned tickets were not refunded: see `amendment.withheld`. 0 as placed. */
  withheld: z.int().min(0),
});

/** A line of the order as it is. */
const standingLine = z.object({
  lineId: externalId,
  /**
   * As in the request that priced it: `price` is the list price of one unit, 0 for an item without a price. `tags` and
   * contexts matter only to a code that is new: it is judged by them.
   */
  offering: cartLine.shape.offering,
  /** Its tickets now. */
  quantity: z.int().min(1),
  /** Its tickets after the amendment: no more than now. */
  remaining: z.int().min(0),
  /** The price of one unit after adjustments of single units. */
  effectiveUnitPrice: minorUnits,
  modifiers: z.array(modifier),
  bought,
});

/**
 * The request of `rpc.pricing.amend`: an order as it is, and as it should become. Commerce has resolved which lines
 * lose tickets, and which are added at which list price.
 */
export const amendRequest = claimRequest
  .extend({
    /**
     * Absent: the reply has both modes, and nothing is claimed. Otherwise the growth is claimed as a purchase claims:
     * all or none, and what is released stays held until the order is written.
     */
    mode: z.enum(AMENDMENT_MODES).optional(),
    currency: purchaseLine.shape.offering.shape.price.shape.currency.unwrap(),
    cartContext: purchaseRequest.shape.cartContext,
    order: z.object({
      lines: z.array(standingLine).max(ARRAY_LENGTH_MAX),
      /** `pricing.modifiers` of the order. */
      modifiers: z.array(modifier),
      fees: minorUnits,
      tax: minorUnits,
      /** The tax that was last stated, and what the goods cost then. */
      taxed: z.object({ tax: minorUnits, goods: minorUnits }),
      /** The codes of its `coupons`, redeemed or not. */
      codes: z.array(couponCode).max(ARRAY_LENGTH_MAX),
      /** What it has redeemed, and keeps. */
      claims: z.array(redemptionClaim).max(CLAIMS_MAX),
      /** Whether `pricing.source` is `stated`. */
      isStated: z.boolean(),
      basis: priceBasis.optional(),
    }),
    added: z.array(purchaseLine.safeExtend({ lineId: externalId, quantity: z.int().min(1) })).max(ARRAY_LENGTH_MAX),
    /** All codes the order should have. Absent: no change. */
    codes: z.array(couponCode).max(ARRAY_LENGTH_MAX).optional(),
    /** Stated amounts: they stand. */
    costs: z.object({ fees: minorUnits.optional(), tax: minorUnits.optional(), total: minorUnits.optional() }),
    /** Whether what remains may cost more than it did. */
    chargeDifference: z.boolean(),
  })
  .meta({ id: 'AmendRequest' });
export type AmendRequest = z.output<typeof amendRequest>;
export type StandingLine = AmendRequest['order']['lines'][number];

/** A line of the amended order, with what its item shows. */
const amendedLine = z.object({
  lineId: z.string(),
  quantity: z.int(),
  unitPrice: amount,
  effectiveUnitPrice: amount,
  /** `effectiveUnitPrice` x `quantity`. */
  total: amount,
  /** The modifiers, with totals of `quantity` units. */
  modifiers: z.array(modifier),
  /** The parts of `quantity` units. */
  shares: z.array(orderShare),
  withheld: amount,
  charged: amount,
  /** For the next amendment. */
  bought,
});
export type AmendedLine = z.output<typeof amendedLine>;

const beforeAndAfter = z.object({ before: amount, after: amount });
const costs = orderCosts.pick({ subtotal: true, modifiers: true, fees: true, tax: true, total: true });

/** An amendment as it is shown, without what commerce adds, and the order that results from it. */
export const pricedAmendment = z.object({
  /** To be paid, or negative to be paid back: the sum of the lines' dues, and of what fees and tax change. */
  due: amount,
  /** How much more the amended order's lines cost because returned tickets were not refunded. */
  withheld: amount,
  costs: z.object({ before: costs, after: costs }),
  /** Every line that the order had, or gets. */
  lines: z.array(z.object({ lineId: z.string(), quantity: beforeAndAfter, charged: beforeAndAfter, due: amount })),
  /** What each adjustment adds to the whole order, over its single units and the order. */
  modifiers: z.array(
    z.object({ adjustmentId: z.string(), name: z.string(), code: z.string().exactOptional(), total: beforeAndAfter }),
  ),
  /** The adjustments whose redemption the order keeps, needs, and releases. */
  redemptions: z.object({
    kept: z.array(z.string()),
    claimed: z.array(z.string()),
    released: z.array(z.string()),
    /** For adjustments with limited tickets: how many of the amended order's tickets they count for. */
    tickets: z.record(z.string(), z.int().min(0)),
    /** How much the amended order takes from each budget. */
    budgets: z.record(z.string(), z.int().min(0)),
  }),
  /** The results of the codes that are new. */
  codes: z.array(codeResult),
  /** The amended order. */
  order: z.object({
    /** The lines with tickets, in order; added ones last. */
    lines: z.array(amendedLine),
    /** `pricing.modifiers`. */
    modifiers: z.array(modifier),
    taxed: z.object({ tax: amount, goods: amount }),
    /** Whether prices of it were stated: then it has no basis. */
    isStated: z.boolean(),
    basis: priceBasis.exactOptional(),
  }),
});
export type PricedAmendment = z.output<typeof pricedAmendment>;

/** An amendment, or why it is refused in this mode. */
const judgedAmendment = z.union([pricedAmendment, z.object({ refusal: repliedRefusal })]);
export type JudgedAmendment = z.output<typeof judgedAmendment>;

/**
 * Without a mode: both. With one: the amendment with its new claims (`spare`: what else is held for the order), or the
 * refusal.
 */
export const amendReply = z
  .union([
    z.object({ keep: judgedAmendment, reprice: judgedAmendment }),
    z.object({
      amendment: pricedAmendment,
      claims: z.array(redemptionClaim),
      spare: z.array(redemptionClaim).exactOptional(),
    }),
    claimsRefused(redemptionClaim),
  ])
  .meta({ id: 'AmendReply' });
export type AmendReply = z.output<typeof amendReply>;
/** The reply to a request without a mode. */
export type AmendmentInModes = Extract<AmendReply, { keep: unknown }>;
/** The reply to a request with a mode. */
export type AmendmentClaimed = Exclude<AmendReply, AmendmentInModes>;
