import { label } from '../schema/primitives.ts';

/** The statuses that the platform sets. Any other one is the company's label on a placed order. */
export const ORDER_STATES = ['pending', 'placed', 'cancelled', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The state of an order with `status`, which may be the company's label. */
export function orderStateFrom(status: string): OrderState {
  return ORDER_STATES.find((state) => state === status) ?? 'placed';
}

/** The state in an order's event. Undefined for one of a later release, which this release ignores. */
export function knownOrderState(state: string): OrderState | undefined {
  return ORDER_STATES.find((known) => known === state);
}

/** A status of an order. States are recognized in any spelling: `Pending` and `pend ing` are `pending`, not labels. */
export const orderStatus = label.transform((given) => {
  const letters = given
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
  return ORDER_STATES.find((state) => state === letters) ?? given;
});
