import type { ErrorCode } from './errors.ts';
import { QUOTAS, type QuotaName } from '../quotas/quota.ts';
import { refusal } from './refusal.ts';

/**
 * The errors of single operations. Those of a purchase are in `purchase-refusals.ts`, those of carts and tables in
 * `cart-refusals.ts`, and those of any request are in `general-refusals.ts`.
 */

function notFound(code: ErrorCode, noun: string, example: string, when = `The company has no ${noun} of this id.`) {
  return refusal(
    code,
    when,
    (id: string) => ({
      message: `There is no ${noun} ${id}. Check the id, and that your key is for its company and environment.`,
    }),
    example,
  );
}

export const couponNotFound = notFound('COUPON_NOT_FOUND', 'coupon', 'cpn_unknown');
export const adjustmentNotFound = notFound('ADJUSTMENT_NOT_FOUND', 'adjustment', 'adj_unknown');
export const budgetNotFound = notFound('BUDGET_NOT_FOUND', 'budget', 'bud_unknown');
export const orderNotFound = notFound('ORDER_NOT_FOUND', 'order', 'ord_unknown');
export const eventNotFound = notFound('EVENT_NOT_FOUND', 'event', 'evt_unknown');
export const seriesNotFound = notFound('SERIES_NOT_FOUND', 'event series', 'evt_unknown');
export const offeringNotFound = notFound('OFFERING_NOT_FOUND', 'offering', 'off_unknown');
export const tableNotFound = notFound('TABLE_COMMITMENT_NOT_FOUND', 'table commitment', 'tbl_unknown');
export const sessionNotFound = notFound(
  'CART_SESSION_NOT_FOUND',
  'cart session',
  'cs_unknown',
  'The company has no cart session of this id, or it has expired.',
);

export const instanceNotFound = refusal(
  'INSTANCE_NOT_FOUND',
  'The series has no instance of this id.',
  (seriesId: string, id: string) => ({
    message: `Series ${seriesId} has no instance ${id}. Check both ids: GET /v1/events?seriesId=${seriesId} lists its instances.`,
  }),
  'evt_1',
  'evt_unknown',
);
export const groupNotFound = refusal(
  'PURCHASE_GROUP_NOT_FOUND',
  'The event has no purchase group of this id.',
  (id: string) => ({
    message: `This event has no purchase group ${id}. Check the id: GET /v1/events/{id}/purchase-groups lists them.`,
  }),
  'pg_unknown',
);
export const redemptionNotFound = refusal(
  'REDEMPTION_NOT_FOUND',
  'The adjustment has no redemption of this id.',
  (adjustmentId: string, id: string) => ({
    message: `Adjustment ${adjustmentId} has no redemption ${id}. Check the id: GET /v1/pricing/adjustments/{id}/redemptions lists them.`,
  }),
  'adj_1',
  'rdm_unknown',
);
export const keyNotFound = refusal(
  'API_KEY_NOT_FOUND',
  'There is no API key of this id that yours can manage.',
  () => ({
    message: 'There is no API key with this id that yours can manage. Check the id: GET /v1/admin/keys lists them.',
  }),
);

export const alreadyExists = refusal(
  'ALREADY_EXISTS',
  'The id is taken by another record of the company.',
  (noun: string, id: string, cause?: unknown) => ({
    message: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id} already exists.`,
    details: [{ path: 'id', message: `is taken by another ${noun}; choose another id or change that one` }],
    cause,
  }),
  'offering',
  'off_standing',
);

export const changedByOthers = refusal(
  'VERSION_CONFLICT',
  'Other requests kept changing the record. Try again.',
  (what: string) => ({
    message: `${what} is being changed by other requests. Read it, and send your change again.`,
    retryAfterSeconds: 1,
  }),
  'The record',
);

/** `what`: `cart session`. `version`: undefined if there is none. For every operation that accepts `If-Match`. */
export const otherVersion = refusal(
  'VERSION_CONFLICT',
  'The record is not at the version in `If-Match`.',
  (what: string, version: number | undefined) => {
    const now = version === undefined ? 'it does not exist' : `it is at version ${version}`;
    return {
      message: `The ${what} does not match If-Match: ${now}. Read it and try again.`,
      details: [{ path: 'If-Match', message: now, ...(version === undefined ? {} : { version }) }],
    };
  },
  'record',
  3,
);
/** Proxies that compress a response make its tag weak. */
export const weakTag = refusal('VERSION_CONFLICT', '`If-Match` names only weak tags, which never match.', () => {
  const message = 'A weak tag never matches: send the version in quotes, or turn compression off.';
  return { message, details: [{ path: 'If-Match', message: 'is a weak tag (W/"..."), which never matches' }] };
});
export const keyNotRotatable = refusal(
  'VERSION_CONFLICT',
  'The key was already rotated or revoked, or has expired.',
  () => ({
    message:
      'This key was already rotated or revoked, or has expired. Create a new one, or rotate the key that replaced it.',
  }),
);

/** The coupon or adjustment that holds a code. `usedUp`: it has no redemptions left, and is not archived. */
export interface CodeHolder {
  name: string;
  adjustmentId?: string | undefined;
  couponId?: string | undefined;
  usedUp: boolean;
}

/** `path`: where the request has the code. `holder` is unknown if it is being changed. */
export const codeTaken = refusal(
  'COUPON_CODE_TAKEN',
  'Another active coupon or adjustment of the company has the code. The details name it. One that has ended, or is archived, has none; one that is used up has its code until you archive it.',
  (code: string, path: string, holder?: CodeHolder, cause?: unknown) => {
    const { couponId, adjustmentId } = holder ?? {};
    const kind = couponId === undefined ? 'adjustment' : 'coupon';
    const named =
      holder === undefined
        ? 'another active coupon or adjustment'
        : `${kind} ${couponId ?? adjustmentId} (${JSON.stringify(holder.name)})`;
    const usedUp = holder?.usedUp === true ? ', which is used up but not archived' : '';
    return {
      message: `The code ${code} is already held by ${named}${usedUp}.`,
      details: [
        {
          path,
          message: `is held by ${named}${usedUp}; archive that ${holder === undefined ? 'one' : kind} first, or choose another code`,
          ...(couponId === undefined ? {} : { couponId }),
          ...(adjustmentId === undefined ? {} : { adjustmentId }),
        },
      ],
      cause,
    };
  },
  'SUMMER20',
  'code',
  { couponId: 'cpn_01k0000000e00800000000000g', name: 'Summer sale', usedUp: true },
);

/** `path`: where the request names the company. */
export const otherCompany = refusal(
  'FORBIDDEN',
  "The body names a company other than the key's.",
  (path: string) => ({
    message: `${path} is not the company of this API key. Send this key's company id, or the other company's key.`,
    details: [
      { path, message: "is not the company of this API key; send this key's company id, or the other company's key" },
    ],
  }),
  'order.companyId',
);

/** `used`: how much the company already stores. */
export const quotaExceeded = refusal(
  'QUOTA_EXCEEDED',
  'The company would keep more than a quota allows; `details` name the quota, its limit and what is used of it.',
  (name: QuotaName, limit: number, used: number) => {
    const { what, relief } = QUOTAS[name];
    const most = `at most ${limit.toLocaleString('en')} ${what}`;
    return {
      message: `Your company may have ${most}. ${relief}, or ask the operator to raise the quota ${name}.`,
      details: [{ path: name, message: `may be ${most}`, quota: name, limit, used }],
    };
  },
  'offerings',
  1_000_000,
  1_000_000,
);
export const tooManyKeys = refusal(
  'QUOTA_EXCEEDED',
  'The company has reached its limit of API keys.',
  (most: number) => ({
    message: `API key limit reached (${most}). Revoke keys that you no longer need, or ask the operator to raise the quota apiKeys.`,
  }),
  100,
);
const CACHE = 'ADJUSTMENT_CACHE_MB';
export const adjustmentsTooLarge = refusal(
  'QUOTA_EXCEEDED',
  "The company's active and scheduled adjustments take more memory than one company may have.",
  () => ({
    message: `Your active and scheduled adjustments need more memory than one company may have (${CACHE}). Archive those that you no longer need, or ask the operator to raise it.`,
    details: [{ path: 'pricing.adjustments', message: `exceed the quota ${CACHE}`, quota: CACHE }],
  }),
);

export const otherCompanysKeys = refusal('FORBIDDEN', '`companyId` is not that of the key.', () => ({
  message:
    'companyId is not the company of your API key, which can only manage the keys of its own company. Leave companyId out.',
}));
export const otherWorldsKeys = refusal(
  'FORBIDDEN',
  '`environment` is not that of the key.',
  (environment: string) => ({
    message: `Your API key is a ${environment} key, and can only manage ${environment} keys. Send environment ${environment}, or leave it out.`,
  }),
  'live',
);
export const scopeNotHeld = refusal(
  'FORBIDDEN',
  'The new key would have more than the key that asks: a scope, a rate limit or a longer life.',
  (missing: string) => ({
    message: `A key cannot have more scopes than the key that creates it, and yours lacks ${missing}. Leave that scope out, or use a key that has it.`,
  }),
  'orders:write',
);
