import { customerKeysWith } from '@event-commerce/claims';
import { BROADCAST } from '@event-commerce/bus';
import { causeOf, type DomainEvent, type RecordNotice, type Tenant } from '@event-commerce/contracts';
import type { OutboxEntry } from '@event-commerce/outbox';
import {
  announceRecord,
  createCallAsProcess,
  createQuotas,
  declareService,
  notifyOfRecord,
} from '@event-commerce/service-kit';
import { loadConfig } from './config.ts';
import { eventsHandlers } from './handlers.ts';
import { callOffEvent, callOffs } from './call-offs/call-offs.ts';
import { commerceOrders, listedPrices } from './other-services.ts';
import { eventsAnswers } from './rpc.ts';
import { eventAmounts, eventEvent, eventRepository } from './events/event.repository.ts';
import { dateJobs } from './events/date-jobs.ts';
import { zoneSweep } from './events/follow-zone.ts';
import { eventsModels } from './models.ts';
import { offeringEvent, type OfferingRecord } from './offerings/offering-record.ts';
import { offeringAmounts, offeringRepository } from './offerings/offering.repository.ts';
import {
  purchaseGroupAmounts,
  purchaseGroupEvent,
  purchaseGroupRepository,
} from './groups/purchase-group.repository.ts';
import { customerGroups } from './groups/erase-customer.ts';
import { ticketPools } from './tickets/ticket-pools.ts';
import { createFollowEvent, followOffering } from './tickets/follow-capacity.ts';
import { createOrderTickets } from './tickets/order-tickets.ts';
import { availabilityTeller } from './tickets/tell-availability.ts';
import { sellableReader } from './tickets/ticket-limits.ts';

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
    /**
     * The notice is sent before the event, whichever process publishes it: a consumer of the event finds the change in
     * the next cart and price.
     */
    const noticed =
      <Doc extends { companyId: Tenant; version: number }>(
        subject: typeof BROADCAST.eventChanged | typeof BROADCAST.offeringChanged,
        toEvent: (entry: OutboxEntry, document: Doc) => DomainEvent,
      ) =>
      (entry: OutboxEntry, document: Doc): DomainEvent => {
        const event = toEvent(entry, document);
        notifyOfRecord(bus, subject, { tenant: document.companyId, id: event.subject, version: document.version });
        return event;
      };
    const purchaseGroupRelay = relay(models.purchaseGroups, purchaseGroupEvent);
    const callAsProcess = createCallAsProcess(bus, 'events', config.SERVICE_PRIVATE_KEY);
    const stores = {
      events: eventRepository(models, relay(models.events, noticed(BROADCAST.eventChanged, eventEvent)), quotas),
      offerings: offeringRepository(
        models,
        relay(models.offerings, noticed(BROADCAST.offeringChanged, offeringEvent)),
        quotas,
      ),
      pools: ticketPools(models, clock, (pool) => tellAvailability.afterSeen([pool])),
    };
    const limits = { ...stores, sellables: sellableReader(stores), clock, logger };
    const tellAvailability = availabilityTeller(limits);
    const orderTickets = createOrderTickets({
      ...limits,
      tellAvailability,
      ...commerceOrders(callAsProcess),
    });
    const deps = {
      ...limits,
      tellAvailability,
      orderTickets,
      customerKeys: customerKeysWith(config.CUSTOMER_KEY),
      listedPrices: listedPrices(bus),
      purchaseGroups: purchaseGroupRepository(models, purchaseGroupRelay, quotas),
      customerGroups: customerGroups(models, purchaseGroupRelay, clock),
      announceEvent: async (notice: RecordNotice) => announceRecord(bus, BROADCAST.eventChanged, notice),
      followEvent: createFollowEvent({ ...limits, tellAvailability }),
      followOffering: async (tenant: Tenant, offering: OfferingRecord) =>
        followOffering({ ...limits, tellAvailability }, tenant, offering),
      announceOffering: async (notice: RecordNotice) => announceRecord(bus, BROADCAST.offeringChanged, notice),
    };
    const callOffEvents = callOffs({ ...deps, callAsProcess }, models, relay(models.callOffs, callOffEvent));
    const changeDeps = { ...deps, isCallOffRunning: callOffEvents.isRunning };
    const dates = dateJobs(changeDeps, models);
    return {
      quotas,
      operations: eventsHandlers({
        ...changeDeps,
        dates,
        callOffs: callOffEvents,
      }),
      answers: eventsAnswers({ ...deps, callOffs: callOffEvents }),
      follows: {
        // A process that was killed may not have begun the work.
        'events-call-offs': async (event) =>
          callOffEvents.begin(event.tenant, event.data.id, event.data.callOff, causeOf(event)),
        'events-orders': async (event) => orderTickets.follow(event, event.data.tickets),
      },
      sweeps: [
        orderTickets.sweep({ ttlMs: config.CLAIM_TTL_MS, seeFull: tellAvailability.afterSeen }),
        dates.loop,
        callOffEvents.loop,
        zoneSweep(deps, { ttlMs: config.CLAIM_TTL_MS, logger }),
      ],
    };
  },
});
