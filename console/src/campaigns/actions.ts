import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';

type Adjustment = components['schemas']['Adjustment'];

/**
 * What can be done with a campaign with one click. A coupon's adjustment follows its coupon, so the action changes the
 * coupon.
 */
export function actionsFor(client: Client, { id, name, status, couponId }: Adjustment): Action[] {
  const set = (to: 'active' | 'paused') => async () =>
    couponId === undefined
      ? await dataOf(client.PATCH('/v1/pricing/adjustments/{id}', { params: { path: { id } }, body: { status: to } }))
      : await dataOf(
          client.PATCH('/v1/coupons/{id}', {
            params: { path: { id: couponId } },
            body: { status: to === 'active' ? 'active' : 'inactive' },
          }),
        );
  const archive = async () =>
    couponId === undefined
      ? await dataOf(client.DELETE('/v1/pricing/adjustments/{id}', { params: { path: { id } } }))
      : await dataOf(client.DELETE('/v1/coupons/{id}', { params: { path: { id: couponId } } }));

  const activates: Action = { label: 'Activate', run: set('active') };
  const archives: Action = {
    label: 'Archive',
    confirm: `Archive “${name}”? It no longer applies, and its code is free again.`,
    run: archive,
  };
  if (status === 'archived') return [activates];
  return [status === 'active' || status === 'scheduled' ? { label: 'Pause', run: set('paused') } : activates, archives];
}
