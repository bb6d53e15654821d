import { type OrderState, orderExpired, orderStatusConflict, type PlatformError } from '@event-commerce/contracts';

export type Transition = 'confirm' | 'cancel' | 'expire' | 'reopen';

/** The outcome of a transition: it is made now, was made before, or is not possible. */
export type Outcome = 'moves' | 'stays' | 'refused';

/** The life of an order. A pending one whose time is over counts as expired before it is marked so: see `isOverdue`. */
export const ORDER_LIFE: Readonly<Record<OrderState, Readonly<Record<Transition, Outcome>>>> = {
  pending: { confirm: 'moves', cancel: 'moves', expire: 'moves', reopen: 'stays' },
  placed: { confirm: 'stays', cancel: 'moves', expire: 'stays', reopen: 'stays' },
  cancelled: { confirm: 'refused', cancel: 'stays', expire: 'stays', reopen: 'moves' },
  expired: { confirm: 'refused', cancel: 'stays', expire: 'stays', reopen: 'moves' },
};

const STATES = Object.keys(ORDER_LIFE) as OrderState[];

/** The states that `transition` moves an order from. */
export function movedBy(transition: Transition): OrderState[] {
  return STATES.filter((state) => ORDER_LIFE[state][transition] === 'moves');
}

/** Whether an order is pending and its time is over. `now` is the time of the process that decides. */
export function isOverdue(order: { state: OrderState; expiresAt?: Date | undefined }, now: Date): boolean {
  return order.state === 'pending' && order.expiresAt !== undefined && order.expiresAt <= now;
}

/** Why an order in this state cannot make `transition`; undefined if it can, or has made it. */
export function whyNot(
  transition: Transition,
  order: { id: string; state: OrderState; expiresAt?: Date | undefined; changedAt: Date },
): PlatformError | undefined {
  if (ORDER_LIFE[order.state][transition] !== 'refused') return undefined;
  if (order.state === 'expired') return orderExpired(order.id, (order.expiresAt ?? order.changedAt).getTime());
  return orderStatusConflict(order.id, order.state, 'reopen it instead');
}
