import { collectionOf, createCallAsProcess, declareService, leaseOn } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { logEraser } from './erasure/erase-from-log.ts';
import { createErasures, erasureEvent } from './erasure/erasures.ts';
import { headFollower } from './feed/follow-head.ts';
import { openSlots } from './feed/open-slots.ts';
import { activityHandlers } from './handlers.ts';
import { forgettingSweep } from './log/forget-entries.ts';
import { keepLog } from './log/keep-log.ts';
import { logRepository } from './log/log.repository.ts';
import { activityModels } from './models.ts';
import { attemptSlots } from './webhooks/attempt-slots.ts';
import { deliverWebhooks } from './webhooks/deliver-webhooks.ts';
import { deliveryRepository } from './webhooks/delivery.repository.ts';
import { replayRepository } from './webhooks/replay.repository.ts';
import { countSales } from './sales/count-sales.ts';
import { salesRepository } from './sales/sales.repository.ts';
import { sealWith } from './seal.ts';
import { webhookSender } from './webhooks/send-webhook.ts';
import { webhookEvent, webhookRepository } from './webhooks/webhook.repository.ts';

const MEGABYTE = 2 ** 20;
const AGAIN_AFTER_MS = 1_000;
/** One company has at most half of these. */
const ATTEMPTS_AT_ONCE = 256;

/** The log of what happened: as a feed, as the history of each record, and sent to webhooks. */
export const activity = declareService({
  name: 'activity',
  loadConfig,
  models: activityModels,
  assemble({ config, models, bus, relay, logger, clock }) {
    const log = logRepository(models);
    const head = headFollower(log);
    const sales = salesRepository(models);
    const stopping = new AbortController();
    // The same holder at every run, or a run after a failure would wait for the lease of the one before to lapse.
    const holdsLease = leaseOn(collectionOf(models.leases), 'log', { creates: true }).holds;
    const addresses = { allowsLocal: config.WEBHOOK_LOCAL, refusedPorts: config.WEBHOOK_REFUSED_PORTS };
    const sender = webhookSender(addresses, clock);
    const deps = {
      log,
      head,
      slots: openSlots(),
      stopping: stopping.signal,
    };
    const webhookDeps = {
      log,
      head,
      addresses,
      sender,
      webhooks: webhookRepository(models, relay(models.webhooks, webhookEvent), clock),
      deliveries: deliveryRepository(models, clock),
      replays: replayRepository(models, clock),
      seal: sealWith(config.WEBHOOK_KEY),
      slots: attemptSlots({ max: ATTEMPTS_AT_ONCE, maxOfCompany: ATTEMPTS_AT_ONCE / 2 }),
      clock,
      logger,
    };
    const { deliveries, seal } = webhookDeps;
    const erasures = createErasures(models, relay(models.erasures, erasureEvent), {
      log,
      seal,
      callAsProcess: createCallAsProcess(bus, 'activity', config.SERVICE_PRIVATE_KEY),
      eraseFromLog: logEraser({ bus, log, deliveries }),
      clock,
      logger,
    });
    return {
      operations: activityHandlers(deps, webhookDeps, erasures, { bus, log, sales, clock }),
      answers: {},
      follows: {},
      endLasting: () => {
        stopping.abort();
        head.wakeAll();
      },
      close: async () => sender.close(),
      sweeps: [
        {
          name: 'keeping the activity log',
          everyMs: AGAIN_AFTER_MS,
          firstAfterMs: 0,
          run: async (stopped) => keepLog({ bus, log, holdsLease, clock, logger, head }, stopped),
        },
        forgettingSweep({
          log,
          holdsLease,
          countedTo: async () => sales.countedTo(),
          clock,
          days: config.ACTIVITY_DAYS,
          bytesMax: config.ACTIVITY_MB * MEGABYTE,
        }),
        countSales({ log, sales, head, holdsLease }),
        erasures.loop,
        deliverWebhooks({ ...webhookDeps, holdsLease }),
      ],
    };
  },
});
