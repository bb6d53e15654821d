import { declareService } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { headFollower } from './feed/follow-head.ts';
import { openSlots } from './feed/open-slots.ts';
import { activityHandlers } from './handlers.ts';
import { forgettingSweep } from './log/forget-entries.ts';
import { keepLog } from './log/keep-log.ts';
import { leaseOn } from './log/lease.ts';
import { logRepository } from './log/log.repository.ts';
import { activityModels } from './models.ts';

const MEGABYTE = 2 ** 20;
const AGAIN_AFTER_MS = 1_000;

/** The log of what happened: as a feed, and as the history of each record. */
export const activity = declareService({
  name: 'activity',
  loadConfig,
  models: activityModels,
  assemble({ config, models, bus, logger, clock }) {
    const log = logRepository(models);
    const head = headFollower(log);
    const stopping = new AbortController();
    const deps = { log, head, slots: openSlots(), stopping: stopping.signal };
    return {
      operations: activityHandlers(deps),
      answers: {},
      follows: {},
      endLasting: () => {
        stopping.abort();
        head.wakeAll();
      },
      sweeps: [
        {
          name: 'keeping the activity log',
          everyMs: AGAIN_AFTER_MS,
          firstAfterMs: 0,
          run: async (stopped) =>
            keepLog({ bus, log, holdsLease: leaseOn(models, 'log'), clock, logger, onGrown: head.grownTo }, stopped),
        },
        forgettingSweep({
          log,
          holdsLease: leaseOn(models, 'forgetting'),
          clock,
          days: config.ACTIVITY_DAYS,
          bytesMax: config.ACTIVITY_MB * MEGABYTE,
        }),
      ],
    };
  },
});
