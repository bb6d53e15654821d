import { randomUUID } from 'node:crypto';
import {
  announce,
  BROADCAST,
  call,
  connectBus,
  createEventPublisher,
  ensureStreams,
  EVENT_STREAM,
} from '@event-commerce/bus';
import {
  type CheckoutReply,
  type CheckoutRequest,
  type ClaimTicketsReply,
  type ClaimTicketsRequest,
  type DomainEvent,
  type OrderChange,
  type OrderState,
  parseDomainEvent,
  type ReceivedEvent,
  type ReleaseCheckoutReply,
  type ReleaseCheckoutRequest,
  RPC,
  type ServiceName,
} from '@event-commerce/contracts';
import { connectMongo, createLogger, newId, noQuotas } from '@event-commerce/service-kit';
import {
  type ApiClient,
  apiClient,
  liveTenant,
  newCompanyId,
  type ServiceProcess,
  startServiceProcess,
  testIdentity,
} from '@event-commerce/test-kit';
import { expect } from 'vitest';
import { serviceEnv } from '@event-commerce/test-kit/service-env';
import { startInThisProcess } from '@event-commerce/test-kit/start-in-this-process';
import { events as eventsService } from '../../events/src/service.ts';
import { pricing as pricingService } from '../../pricing/src/service.ts';
import { cart as cartService } from '../src/service.ts';
import { cartModels } from '../src/store/models.ts';
import { sessionRepository } from '../src/store/session.repository.ts';
import { tableRepository } from '../src/store/table.repository.ts';
import { serveCatalogue, serveOrders, type StoredOffering } from './simulated-services.ts';

const logger = createLogger({ service: 'cart-test', level: 'silent' });
const identity = testIdentity();

/** What an event tells of an order. */
interface OrderEvent {
  orderId: string;
  sessionId: string;
  state: OrderState;
  reopenings?: number;
  /** The event to publish; by default the one that leads to `state`. */
  type?: OrderChange;
}

/** A company with its own catalogue. */
export interface Company {
  companyId: string;
  /** Calls a replica of the cart service. */
  api(replica?: number): ApiClient;
  pricing: ApiClient;
  /** Calls a replica of the events service, if there are any. */
  eventsApi(replica?: number): ApiClient;
  /** Asks as the commerce service does for an order of the company, of whichever replica. Fails as `call` does. */
  checkOut(request: Partial<CheckoutRequest> & { sessionId: string }): Promise<CheckoutReply>;
  release(request: ReleaseCheckoutRequest): Promise<ReleaseCheckoutReply>;
  /** Claims tickets of the real events service, as the commerce service does for an order. */
  claimTickets(items: ClaimTicketsRequest['items']): Promise<ClaimTicketsReply>;
  /** Publishes an order's event as the commerce service does. */
  tell(order: OrderEvent): Promise<void>;
  /** Puts an offering into the catalogue, or changes it, like the events service. */
  offer(offering: Partial<StoredOffering> & { id: string }): Promise<void>;
}

/**
 * Cart replicas over one database, with a real pricing service, and a catalogue that replies like the events service.
 */
export async function startCarts(
  options: {
    replicas?: number;
    /** Starts replicas as processes of their own, which can be killed; otherwise they run in this one. */
    asProcesses?: boolean;
    /** The same for the other services. */
    othersAsProcesses?: boolean;
    /** Replicas of the pricing service; one by default. */
    pricingReplicas?: number;
    /** Replicas of the real events service instead of the simulated catalogue. */
    eventsReplicas?: number;
    clock?: () => Date;
    env?: Record<string, string>;
  } = {},
) {
  const env = {
    ...serviceEnv(identity),
    DEFAULT_CURRENCY: 'EUR',
    ...options.env,
  };
  const bus = await connectBus({ url: env.NATS_URL, name: 'cart-test', logger });
  await ensureStreams(bus, 1);
  const catalogue = serveCatalogue(bus, identity.publicKey, { serving: options.eventsReplicas === undefined });
  const orders = serveOrders(bus);
  const startProcess = async (service: ServiceName) => startServiceProcess(service, env);
  const startHere = {
    pricing: async () => startInThisProcess(pricingService, env),
    events: async () => startInThisProcess(eventsService, env),
  };
  const start = async (service: keyof typeof startHere) =>
    options.othersAsProcesses ? startProcess(service) : startHere[service]();
  const replicasOf = async (service: keyof typeof startHere, count: number) =>
    Promise.all(Array.from({ length: count }, async () => start(service)));
  const [pricing, others, events] = await Promise.all([
    start('pricing'),
    replicasOf('pricing', (options.pricingReplicas ?? 1) - 1),
    replicasOf('events', options.eventsReplicas ?? 0),
  ]);
  const startReplica = async (): Promise<ServiceProcess> =>
    options.asProcesses
      ? startProcess('cart')
      : startInThisProcess(cartService, env, options.clock && { clock: options.clock });
  const replicas = await Promise.all(Array.from({ length: options.replicas ?? 1 }, startReplica));
  const mongo = await connectMongo(env.MONGO_URL, { dbName: `${env.MONGO_DB_PREFIX}_cart`, appName: 'test' });
  const models = cartModels(mongo);
  const publishEvent = createEventPublisher(bus);
  const ended = { publish: () => {}, stop: async () => {} };

  return {
    replicas,
    pricing,
    catalogue,
    orders,
    models,
    /** The pricing service's records. */
    pricingDatabase: () => mongo.useDb(`${env.MONGO_DB_PREFIX}_pricing`),
    bus,
    publishEvent,
    /** The tables and sessions as seen by a replica that ends before it does anything else. */
    tables: tableRepository(models, ended, noQuotas),
    sessions: sessionRepository(models, ended, 60_000, noQuotas),
    newCompany: (companyId = newCompanyId()): Company => {
      const context = () => ({ identityToken: identity.token(companyId, ['cart', 'events']), requestId: randomUUID() });
      return {
        companyId,
        api: (replica = 0) => apiClient(replicas[replica]?.url ?? '', identity.headers(companyId, 'cart')),
        pricing: apiClient(pricing.url, identity.headers(companyId, 'pricing')),
        eventsApi: (replica = 0) => apiClient(events[replica]?.url ?? '', identity.headers(companyId, 'events')),
        checkOut: async (request) => {
          const order = { orderId: newId('ord'), key: randomUUID(), content: 'any', attempt: randomUUID() };
          return await call(bus, RPC.checkout, { ...order, ...request }, context());
        },
        release: async (request) => call(bus, RPC.releaseCheckout, request, context()),
        claimTickets: async (items) => {
          const orderId = newId('ord');
          return await call(bus, RPC.claimTickets, { orderId, key: orderId, items }, context());
        },
        tell: async ({ orderId, sessionId, state, reopenings = 0, type = `order.${state}` }) => {
          const known = { id: orderId, companyId, orderNumber: 'N-1', version: 1, customer: {} };
          await publishEvent({
            specversion: '1.0',
            id: randomUUID(),
            source: '/commerce',
            type,
            subject: orderId,
            time: new Date().toISOString(),
            datacontenttype: 'application/json',
            companyid: companyId,
            environment: 'live',
            schemaversion: 1,
            data: { ...known, state, reopenings, claims: [], tickets: [], cartSessionId: sessionId },
          });
        },
        offer: async (offering) => {
          const { id, version } = catalogue.put(companyId, offering);
          await announce(
            bus,
            BROADCAST.offeringChanged,
            JSON.stringify({ tenant: liveTenant(companyId), id, version }),
          );
        },
      };
    },
    /** Resolves when the service has handled every event of an order. */
    async followed(): Promise<void> {
      type Consumer = Record<'num_pending' | 'num_ack_pending', number> & { name: string };
      const waiting = async () => {
        const listed = await bus.nats.request(`$JS.API.CONSUMER.LIST.${EVENT_STREAM}`);
        const consumers = listed.json<{ consumers: Consumer[] }>().consumers;
        const ofOrders = consumers.filter(({ name }) => name.startsWith('cart-orders'));
        return new Set(ofOrders.map((one) => one.num_pending + one.num_ack_pending));
      };
      await expect.poll(waiting).toEqual(new Set([0]));
    },
    /** Collects the company's events of `type` from now on: each once, though two replicas may publish it. */
    events<T extends DomainEvent['type']>(companyId: string, type: T): ReceivedEvent<T>[] {
      const seen: ReceivedEvent<T>[] = [];
      const ids = new Set<string>();
      bus.nats.subscribe(`domain.cart.${type}`, {
        callback: (error, message) => {
          if (error) return;
          const event = parseDomainEvent(message.json()) as ReceivedEvent<T>;
          // The stream drops a repeat by its id. A plain subscription does not.
          if (event.companyid !== companyId || ids.has(event.id)) return;
          ids.add(event.id);
          seen.push(event);
        },
      });
      return seen;
    },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([pricing, ...others, ...events].map((process) => process.stop()));
      await catalogue.stop();
      await orders.stop();
      await bus.close();
      await mongo.dropDatabase();
      await mongo.close();
    },
  };
}

export type Carts = Awaited<ReturnType<typeof startCarts>>;
