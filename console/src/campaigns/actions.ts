import { type Client, type components, dataOf } from '@event-commerce/client';
import type { Action } from '../data/use-actions.ts';
import { count, number } from '../format/format.ts';

type Adjustment = components['schemas']['Adjustment'];

/**
 * What can be done with a campaign with one click. A coupon's adjustment follows its coupon, so the action changes the
 * coupon.
 */
export function actionsFor(client: Client, adjustment: Adjustment): Action[] {
  const { id, name, status, couponId } = adjustment;
  const set = (to: Adjustment['status']) => async () =>
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
  // Only an active coupon can become what it was before it was archived.
  const canRestore = couponId === undefined || status === 'active';

  const activates: Action = {
    label: 'Activate',
    run: set('active'),
    ...(status === 'archived' ? {} : { done: { text: `“${name}” is active.`, undo: set(status) } }),
  };
  const pauses: Action = {
    label: 'Pause',
    run: set('paused'),
    done: { text: `“${name}” is paused.`, undo: set(status) },
  };
  const archives: Action = {
    label: 'Archive',
    confirm: {
      title: `Archive “${name}”?`,
      text: [...archiveText(adjustment), 'You can bring it back later.'],
      yes: 'Archive',
      isDangerous: true,
    },
    run: archive,
    done: { text: `“${name}” is archived.`, ...(canRestore ? { undo: set(status) } : {}) },
  };
  if (status === 'archived') return [activates];
  return [status === 'active' || status === 'scheduled' ? pauses : activates, archives];
}

/** What archiving changes, and what it does not. */
function archiveText({ conditions: { code, maxRedemptions }, usage, status }: Adjustment): string[] {
  const redeemed = usage?.redeemed ?? 0;
  const cap = maxRedemptions === undefined ? '' : ` of ${number(maxRedemptions)}`;
  return [
    ...(status === 'active' ? ['From now on no order gets it.'] : []),
    ...(code === undefined ? [] : [`Its code ${code} becomes free for another campaign.`]),
    redeemed === 0
      ? 'No order has redeemed it.'
      : `It was redeemed ${redeemed === 1 && cap === '' ? 'once' : `${count(redeemed, 'time')}${cap}`}: those orders keep their price.`,
  ];
}
