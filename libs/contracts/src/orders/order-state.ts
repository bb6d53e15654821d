import { label } from '../schema/primitives.ts';

/** The statuses that the platform sets. Any other one is the company's label on a placed order. */
export const ORDER_STATES = ['pending', 'placed', 'cancelled', 'expired'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** What `status` says about an order, whatever label the company gave it. */
export function orderStateFrom(status: string): OrderState {
  return ORDER_STATES.find((state) => state === status) ?? 'placed';
}

/** The state that an event of an order tells. Undefined for one of a later release, on which nobody here acts. */
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
