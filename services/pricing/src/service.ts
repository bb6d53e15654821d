import { customerKeysWith } from '@event-commerce/claims';
import { causeOf } from '@event-commerce/contracts';
import {
  createCallAsProcess,
  createExports,
  createQuotas,
  declareService,
  fairTurns,
} from '@event-commerce/service-kit';
import { budgetAmounts, budgetEvent, budgetRepository } from './budgets/budget.repository.ts';
import { tellExhausted } from './budgets/budget-usage.ts';
import { loadConfig } from './config.ts';
import { eventDirectory } from './evaluate/event-contexts.ts';
import { pricingHandlers } from './handlers.ts';
import { reportSnapshots } from './metrics.ts';
import { commerceOrders, commerceReplays, eventPlaces, eventTimeZones, readCouponState } from './other-services.ts';
import { pricingAnswers } from './rpc.ts';
import { adjustmentAmounts } from './adjustments/adjustment-quota.ts';
import { adjustmentEvent } from './adjustments/adjustment-record.ts';
import { adjustmentRepository } from './adjustments/adjustment.repository.ts';
import { openChangeFeed } from './snapshot/change-feed.ts';
import { changeLogRepository } from './snapshot/change-log.repository.ts';
import { couponStateRepository } from './adjustments/coupon-state.repository.ts';
import { codeAmounts, codeBatches, codeBatchEvent } from './codes/code-batches.ts';
import { codeGuesses } from './codes/code-guesses.ts';
import { codeRepository } from './codes/code.repository.ts';
import { pricingModels } from './models.ts';
import { redemptionEvent, redemptionPools } from './redemptions/redemption-pools.ts';
import { customerRedemptions } from './redemptions/erase-customer.ts';
import { rehearsals } from './rehearsals/rehearsals.ts';
import { redemptionRepository } from './redemptions/redemption.repository.ts';
import { definitionsOf } from './snapshot/definitions.ts';
import { SnapshotCache } from './snapshot/snapshot-cache.ts';
import { createCouponFollower } from './adjustments/follow-coupon.ts';
import { budgetPoolsOf, createOrderRedemptions } from './redemptions/order-redemptions.ts';

/** Adjustments, the prices they lead to, and their redemptions. */
export const pricing = declareService({
  name: 'pricing',
  loadConfig,
  models: pricingModels,
  async assemble({ config, mongo, models, bus, relay, logger, clock }) {
    const cacheBytes = config.ADJUSTMENT_CACHE_MB * 2 ** 20;
    const quotas = createQuotas(mongo, {
      limits: config.QUOTAS,
      recount: { ...adjustmentAmounts(models), ...budgetAmounts(models), ...codeAmounts(models) },
      logger,
    });
    const pools = redemptionPools(models, relay(models.usages, redemptionEvent), clock);
    const adjustmentRelay = relay(models.adjustments, adjustmentEvent);
    const adjustments = adjustmentRepository(models, pools, adjustmentRelay, quotas, async (change) =>
      changes.announce(change),
    );
    const budgets = budgetRepository(
      models,
      pools,
      relay(models.budgets, budgetEvent),
      quotas,
      async (change) => changes.announce(change),
      clock,
    );
    const snapshots = new SnapshotCache({
      definitions: definitionsOf(adjustments, budgets),
      bytesMax: cacheBytes,
      logger,
    });
    const changes = await openChangeFeed(changeLogRepository(models), bus, logger, snapshots);
    snapshots.follow(changes);
    reportSnapshots(snapshots);

    const callAsProcess = createCallAsProcess(bus, 'pricing', config.SERVICE_PRIVATE_KEY);
    const orderRedemptions = createOrderRedemptions({ pools, ...commerceOrders(callAsProcess), logger });
    const couponStates = couponStateRepository(models);
    const coupons = createCouponFollower({ adjustments, couponStates, clock, logger });
    const codes = codeRepository(models);
    const batches = codeBatches(
      { codes, adjustments, couponStates, quotas, clock, logger },
      models,
      relay(models.codeBatches, codeBatchEvent),
    );
    const customerKeys = customerKeysWith(config.CUSTOMER_KEY);
    const deps = {
      codes,
      batches,
      exportAll: createExports(),
      guesses: codeGuesses(models, bus, clock, logger),
      adjustments,
      budgets,
      coupons,
      pools,
      orderRedemptions,
      redemptions: redemptionRepository(models),
      customerKeys,
      customerRedemptions: customerRedemptions(models, customerKeys),
      snapshots,
      events: eventDirectory(bus),
      timeZones: eventTimeZones(bus),
      clock,
      logger,
      inFairTurn: fairTurns(),
      defaultCurrency: config.DEFAULT_CURRENCY,
    };
    const rehearsing = rehearsals(
      { ...deps, orders: commerceReplays(callAsProcess), placesOf: eventPlaces(callAsProcess) },
      models,
    );
    return {
      quotas,
      operations: pricingHandlers({ ...deps, rehearsals: rehearsing }),
      answers: pricingAnswers(deps),
      follows: {
        'pricing-orders': async (event) => {
          const { tenant, data } = event;
          await orderRedemptions.follow(event, data.claims);
          await tellExhausted({ pools, budgets }, tenant, budgetPoolsOf(data.claims));
        },
        'pricing-coupons': async (event) => {
          const { tenant, data } = event;
          const read = async () => readCouponState(callAsProcess, tenant, data.id);
          await coupons.followChange({ tenant, ...causeOf(event) }, data, read);
        },
        // Its own events: finishes what a crash left unfinished, and gives a waiting coupon its code when the code's
        // holder releases it.
        'pricing-code-conflicts': async (event) => {
          const { type, tenant, data } = event;
          const writer = { tenant, ...causeOf(event) };
          const adjustment = await adjustments.find(tenant, data.id);
          if (adjustment !== undefined) await coupons.finishChange(writer, adjustment);
          if (type !== 'adjustment.created') await coupons.retryConflicts(writer);
        },
      },
      sweeps: [orderRedemptions.sweep({ ttlMs: config.CLAIM_TTL_MS }), batches.loop, rehearsing.loop],
      readiness: { adjustments: async () => describeUnreadable(snapshots.unreadable) },
      close: async () => changes.close(),
    };
  },
});

function describeUnreadable(count: number): string {
  if (count === 0) return 'ok';
  return count === 1 ? '1 adjustment cannot be read' : `${count} adjustments cannot be read`;
}
