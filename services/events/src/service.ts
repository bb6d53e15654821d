import { announce, BROADCAST } from '@event-commerce/bus';
import type { OfferingNotice } from '@event-commerce/contracts';
import { createQuotas, declareService } from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { eventsHandlers } from './handlers.ts';
import { eventsAnswers } from './rpc.ts';
import { eventAmounts, eventEvent, eventRepository } from './store/event.repository.ts';
import { eventsModels } from './store/models.ts';
import { offeringAmounts, offeringEvent, offeringRepository } from './store/offering.repository.ts';
import {
  purchaseGroupAmounts,
  purchaseGroupEvent,
  purchaseGroupRepository,
} from './store/purchase-group.repository.ts';

/** Events, series and their instances, offerings and purchase groups. */
export const events = declareService({
  name: 'events',
  loadConfig,
  models: eventsModels,
  assemble({ config, mongo, models, bus, relay, logger, clock }) {
    const quotas = createQuotas(mongo, {
      limits: config.QUOTAS,
      recount: { ...eventAmounts(models), ...offeringAmounts(models), ...purchaseGroupAmounts(models) },
      logger,
    });
    const purchaseGroupRelay = relay(models.purchaseGroups, purchaseGroupEvent);
    const deps = {
      events: eventRepository(
        models,
        relay(models.events, eventEvent),
        async ({ tenant, id, version }) =>
          announce(bus, BROADCAST.eventChanged, JSON.stringify({ tenant, id, version })),
        quotas,
      ),
      purchaseGroups: purchaseGroupRepository(models, purchaseGroupRelay, quotas),
      offerings: offeringRepository(models, relay(models.offerings, offeringEvent), quotas),
      announceOffering: async (notice: OfferingNotice) =>
        announce(bus, BROADCAST.offeringChanged, JSON.stringify(notice)),
      clock,
    };
    return {
      quotas,
      operations: eventsHandlers(deps),
      answersCallers: eventsAnswers(deps),
      answersProcesses: {},
      follows: {},
    };
  },
});
