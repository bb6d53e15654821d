import { createCallAsProcess, createQuotas, declareService } from '@event-commerce/service-kit';
import { cartAnswers } from './rpc.ts';
import { cartPricing } from './sessions/cart-pricing.ts';
import { loadConfig, sessionTimes } from './config.ts';
import { cartHandlers } from './handlers.ts';
import { customerSessions } from './sessions/erase-customer.ts';
import { offeringCatalogue } from './sessions/offering-catalogue.ts';
import { commerceOrders } from './orders.ts';
import { cartModels } from './models.ts';
import { sessionOrders } from './sessions/session-orders.ts';
import { sessionEvent } from './sessions/session-record.ts';
import { sessionAmounts, sessionRepository } from './sessions/session.repository.ts';
import { tableEvent } from './tables/table-record.ts';
import { tableAmounts, tableRepository } from './tables/table.repository.ts';
import { createChangeSession } from './sessions/change-session.ts';
import { followOrder, reservationSweep } from './sessions/follow-order.ts';
import { finishLeave } from './tables/leave-table.ts';
import { createJoinTable, finishJoin } from './tables/join-table.ts';
import { seatLapseSweep } from './tables/lapse-seats.ts';

const MEGABYTE = 2 ** 20;

/** Cart sessions and table commitments. */
export const cart = declareService({
  name: 'cart',
  loadConfig,
  models: cartModels,
  assemble({ config, mongo, models, bus, relay, logger, clock }) {
    const quotas = createQuotas(mongo, {
      limits: config.QUOTAS,
      recount: { ...sessionAmounts(models), ...tableAmounts(models) },
      logger,
    });
    const sessionRelay = relay(models.sessions, sessionEvent);
    const times = sessionTimes(config);
    const deps = {
      sessions: sessionRepository(models, sessionRelay, times, quotas),
      customerSessions: customerSessions(models, sessionRelay, clock),
      sessionOrders: sessionOrders(models, sessionRelay, times.idleMs),
      tables: tableRepository(models, relay(models.tables, tableEvent), quotas),
      catalogue: offeringCatalogue(bus),
      pricing: cartPricing(bus, config.PRICE_CACHE_MB * MEGABYTE),
      orders: commerceOrders(createCallAsProcess(bus, 'cart', config.SERVICE_PRIVATE_KEY)),
      defaultCurrency: config.DEFAULT_CURRENCY,
      clock,
      logger,
    };
    return {
      quotas,
      operations: cartHandlers({
        ...deps,
        changeSession: createChangeSession(deps),
        joinTable: createJoinTable(deps),
      }),
      answers: cartAnswers(deps),
      follows: {
        'cart-joins': async (event) => finishJoin(deps, event),
        'cart-leaves': async (event) => finishLeave(deps, event),
        'cart-orders': async (event) => followOrder(deps, event),
      },
      sweeps: [seatLapseSweep(deps), reservationSweep({ ...deps, ttlMs: config.CLAIM_TTL_MS })],
    };
  },
});
