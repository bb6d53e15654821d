import { adjustmentNotFound, allows, type Identity, type Redemption, type Usage } from '@event-commerce/contracts';
import { type Handlers, makeOnce } from '@event-commerce/service-kit';
import { countingClaims } from './metrics.ts';
import { toAdjustment } from './adjustments/adjustment-record.ts';
import type { AdjustmentRepository } from './adjustments/adjustment.repository.ts';
import { usagesOf } from './redemptions/redemption-pools.ts';
import { settleTimes, type SettleTimesDeps } from './adjustments/settle-times.ts';
import { changeAdjustment } from './adjustments/change-adjustment.ts';
import { redeemAdjustment, type RedeemDeps } from './redemptions/redeem-adjustment.ts';
import { releaseRedemption } from './redemptions/release-redemption.ts';

interface HandlerDeps extends RedeemDeps, SettleTimesDeps {
  adjustments: AdjustmentRepository;
  clock: () => Date;
}

/** The handlers of pricing's operations. */
export function pricingHandlers(deps: HandlerDeps): Handlers<'pricing'> {
  const { adjustments, redemptions, pools, clock } = deps;
  return {
    createAdjustment: async ({ caller, body }) => {
      const input = await settleTimes(deps, caller, body);
      const record = await makeOnce(caller, 'adj', {
        find: async (id) => {
          const earlier = await adjustments.find(caller.tenant, id);
          if (earlier !== undefined) await adjustments.makeKnown(earlier);
          return earlier;
        },
        make: (id) => adjustments.create(caller, id, input, clock()),
      });
      return toAdjustment(record);
    },

    listAdjustments: async ({ identity: { tenant }, query }) => {
      const { data, page } = await adjustments.page(tenant, query);
      const usage = await usagesOf(pools, data);
      const shown = data.map((record) => ({ ...toAdjustment(record), usage: usage(record) }));
      return { data: shown, page };
    },

    getAdjustment: async ({ identity: { tenant }, params: { id } }) => {
      const record = await adjustments.find(tenant, id);
      if (record === undefined) throw adjustmentNotFound(id);
      const usage = await usagesOf(pools, [record]);
      return { ...toAdjustment(record), usage: usage(record) };
    },

    updateAdjustment: async ({ caller, ifMatch, params: { id }, body }) => {
      return toAdjustment(await changeAdjustment(deps, caller, id, body, ifMatch));
    },

    archiveAdjustment: async ({ caller, ifMatch, params: { id } }) => {
      return toAdjustment(await changeAdjustment(deps, caller, id, { status: 'archived' }, ifMatch));
    },

    redeemAdjustment: async ({ caller, identity, params: { id }, body }) => {
      const { repeated, ...redeemed } = await countingClaims(redeemAdjustment(deps, caller, id, body), (answer) => ({
        outcome: answer.repeated ? 'repeated' : 'claimed',
        count: 1,
      }));
      return { status: repeated ? 200 : 201, data: shownTo(identity, redeemed) };
    },

    listRedemptions: async ({ identity: { tenant }, params: { id }, query }) => {
      if ((await adjustments.find(tenant, id)) === undefined) throw adjustmentNotFound(id);
      return await redemptions.page(tenant, id, query);
    },

    releaseRedemption: async ({ caller, identity, params: { id, redemptionId } }) =>
      shownTo(identity, await releaseRedemption(deps, caller, id, redemptionId)),
  };
}

/** Codes are secrets: a redemption shows its code to a key that may read adjustments. */
function shownTo(
  { scopes }: Pick<Identity, 'scopes'>,
  { redemption, usage }: { redemption: Redemption; usage: Usage },
) {
  if (allows(scopes, 'pricing:read')) return { redemption, usage };
  const { code: _, ...shown } = redemption;
  return { redemption: shown, usage };
}
