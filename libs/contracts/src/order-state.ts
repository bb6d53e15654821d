import { slug } from './primitives.ts';

/** The statuses that the platform sets. Any other one is the company's label on a placed order. */
export const ORDER_STATES = ['pending', 'placed', 'cancelled', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What `status` says about an order, whatever label the company gave it. */
export function orderStateFrom(status: string): OrderState {
  return ORDER_STATES.find((state) => state === status) ?? 'placed';
}

/** As it is written: `Pending` is `pending`, and no label. */
export const orderStatus = slug.transform(
  (given) => ORDER_STATES.find((state) => state === given.toLowerCase()) ?? given,
);
