import { randomUUID } from 'node:crypto';
import { call, connectBus, createEventPublisher, EVENT_STREAM } from '@event-commerce/bus';
import {
  type CancelTicketsRequest,
  type ClaimTicketsReply,
  type ClaimTicketsRequest,
  type DomainEvent,
  type OfferingsReply,
  type DomainEventData,
  parseDomainEvent,
  RPC,
  type RpcEndpoint,
  type TicketClaim,
} from '@event-commerce/contracts';
import { connectMongo, createLogger, newId } from '@event-commerce/service-kit';
import { type ApiClient, apiClient, newCompanyId, startServiceProcess, testIdentity } from '@event-commerce/test-kit';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { expect } from 'vitest';
import { serviceEnv } from '@event-commerce/test-kit/service-env';
import { startInThisProcess } from '@event-commerce/test-kit/start-in-this-process';
import { events as eventsService } from '../src/service.ts';
import { eventsModels } from '../src/store/models.ts';

export interface Company {
  companyId: string;
  /** Calls the first replica, or another by number. */
  api: (replica?: number) => ApiClient;
}

/** Replicas of the events service over one database of their own, with what a test needs to look behind them. */
export async function startEventsReplicas(options: {
  replicas: number;
  /** Starts replicas as processes of their own, which can be killed; otherwise they run in this one. */
  asProcesses?: boolean;
  claimTtlMs?: number;
}) {
  const identity = testIdentity();
  const env = serviceEnv(identity, options.claimTtlMs);
  const dbName = `${env.MONGO_DB_PREFIX}_events`;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const start = async () => {
    if (options.asProcesses) return await startServiceProcess('events', env);
    return await startInThisProcess(eventsService, env);
  };
  const replicas = await Promise.all(Array.from({ length: options.replicas }, start));
  const bus = await connectBus({ url: env.NATS_URL, name: 'test', logger });
  const mongo = await connectMongo(env.MONGO_URL, { dbName, appName: 'test' });
  const publish = createEventPublisher(bus);

  return {
    replicas,
    bus,
    env,
    mongoUrl: env.MONGO_URL,
    dbName,
    models: eventsModels(mongo),
    newCompany(): Company {
      const companyId = newCompanyId();
      return {
        companyId,
        api: (replica = 0) => apiClient(replicas[replica]?.url ?? '', identity.headers(companyId, 'events')),
      };
    },
    async askOfferings(companyId: string, ids: unknown): Promise<OfferingsReply> {
      const identityToken = identity.token(companyId, ['cart', 'events']);
      const context = { identityToken, requestId: 'test' };
      return (await call(bus, RPC.offerings as RpcEndpoint, { ids }, context)) as OfferingsReply;
    },
    /** Claims tickets for a new order, or the one in `request`, as commerce does. */
    async claimTickets(
      companyId: string,
      items: Record<string, number>,
      request: Partial<ClaimTicketsRequest> = {},
    ): Promise<ClaimTicketsReply> {
      const asked = Object.entries(items).map(([offeringId, quantity], index) => ({ index, offeringId, quantity }));
      const whole: ClaimTicketsRequest = { orderId: newId('ord'), items: asked, ...request };
      return await call(bus, RPC.claimTickets, whole, {
        identityToken: identity.token(companyId, ['events']),
        requestId: 'test',
      });
    },
    async cancelTickets(companyId: string, request: CancelTicketsRequest): Promise<void> {
      const identityToken = identity.token(companyId, ['events']);
      await call(bus, RPC.cancelTickets, request, { identityToken, requestId: 'test' });
    },
    /** Publishes what becomes of an order, as commerce does. */
    async tellOfOrder(
      companyId: string,
      type: Extract<DomainEvent['type'], `order.${string}`>,
      order: { id: string; tickets: TicketClaim[]; state?: DomainEventData<'order.placed'>['state'] },
    ): Promise<void> {
      await publish({
        specversion: '1.0',
        id: randomUUID(),
        source: '/commerce',
        type,
        subject: order.id,
        time: new Date().toISOString(),
        datacontenttype: 'application/json',
        companyid: companyId,
        environment: 'live',
        schemaversion: 1,
        data: {
          companyId,
          orderNumber: order.id,
          version: 1,
          state: type === 'order.cancelled' ? 'cancelled' : 'placed',
          reopenings: 0,
          customer: {},
          claims: [],
          ...order,
        },
      });
    },
    /** Resolves when the service has handled every event of an order. */
    async settled(): Promise<void> {
      const { consumers } = await jetstreamManager(bus.nats);
      const open = async () =>
        (await Array.fromAsync(consumers.list(EVENT_STREAM)))
          .filter(({ name }) => name.startsWith('events-orders'))
          .reduce((sum, info) => sum + info.num_pending + info.num_ack_pending, 0);
      await expect.poll(open, { timeout: 20_000 }).toBe(0);
    },
    /** The events service's domain events about a company, earlier ones included, in stream order. */
    async listen(companyId: string): Promise<DomainEvent[]> {
      const heard: DomainEvent[] = [];
      const consumer = await jetstream(bus.nats).consumers.get(EVENT_STREAM, { filter_subjects: 'domain.events.>' });
      await consumer.consume({
        callback: (message) => {
          const event = parseDomainEvent(message.json());
          if (event.companyid === companyId) heard.push(event);
        },
      });
      return heard;
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await bus.close();
      await mongo.dropDatabase();
      await mongo.close();
    },
  };
}

export type EventsReplicas = Awaited<ReturnType<typeof startEventsReplicas>>;

/** The ids of all pages of a list, in order, read `limit` at a time. */
export async function allPages(api: ApiClient, listPath: string, limit: number): Promise<any[]> {
  const found: any[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await api.get(`${listPath}${listPath.includes('?') ? '&' : '?'}limit=${limit}${next}`);
    if (status !== 200) throw new Error(`${listPath} answered ${status}: ${JSON.stringify(body)}`);
    found.push(...body.data);
    cursor = body.page.next;
  } while (cursor !== null);
  return found;
}
