// Checked only by the compiler: a line that should fail but compiles is an error.
import type { Handlers } from './serve-operations.ts';

declare const handlers: Handlers<'commerce'>;
const { getCoupon, ...others } = handlers;

export const complete: Handlers<'commerce'> = { ...others, getCoupon };

// @ts-expect-error -- getCoupon is missing
export const incomplete: Handlers<'commerce'> = others;

export const wrong: Handlers<'commerce'> = {
  ...handlers,
  // @ts-expect-error -- a coupon needs more than an id
  getCoupon: async ({ params }) => ({ id: params.id }),
  // @ts-expect-error -- an order was placed now or before: the status says which
  createOrder: async () => ({ order: await handlers.getOrder({} as Parameters<typeof handlers.getOrder>[0]) }),
  listCoupons: async (asked) => {
    // @ts-expect-error -- not in the query
    void asked.query.percentOff;
    return await handlers.listCoupons(asked);
  },
  getOrder: async (asked) => {
    // @ts-expect-error -- only a change takes If-Match
    void asked.ifMatch;
    return await handlers.getOrder(asked);
  },
  updateCoupon: async (asked) => {
    const limit: number | null | undefined = asked.body.limit;
    // @ts-expect-error -- an alias, which the schema has made `limit` of
    void asked.body.maxUses;
    return await getCoupon({ ...asked, body: undefined, query: limit === null ? undefined : asked.query });
  },
};

// @ts-expect-error -- evaluation is served on the bus
export type OverHttp = Handlers<'pricing'>['evaluateAdjustments'];
