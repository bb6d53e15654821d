import type { Operation } from '../operation.ts';
import { CART_OPERATIONS } from './carts.ts';
import { COUPON_OPERATIONS } from './coupons.ts';
import { EVENT_OPERATIONS } from './events.ts';
import { HEALTH_OPERATIONS } from './health.ts';
import { KEY_OPERATIONS } from './keys.ts';
import { ORDER_OPERATIONS } from './orders.ts';
import { PRICING_OPERATIONS } from './pricing.ts';
import { USAGE_OPERATIONS } from './usage.ts';

/** Every operation of the platform. Their examples, sent in this order, tell one story. */
export const OPERATIONS: readonly Operation[] = [
  ...EVENT_OPERATIONS,
  ...PRICING_OPERATIONS,
  ...COUPON_OPERATIONS,
  ...CART_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...KEY_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...HEALTH_OPERATIONS,
];
