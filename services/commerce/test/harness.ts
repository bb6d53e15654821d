import { connectBus } from '@event-commerce/bus';
import {
  AUDIENCE,
  type DomainEvent,
  IDENTITY_HEADER,
  type ProcessName,
  type Scope,
  type ServiceName,
} from '@event-commerce/contracts';
import { connectMongo, createLogger } from '@event-commerce/service-kit';
import {
  type ApiClient,
  apiClient,
  newCompanyId,
  type ServiceProcess,
  startServiceProcess,
  testIdentity,
} from '@event-commerce/test-kit';
import { serviceEnv } from '@event-commerce/test-kit/service-env';
import { startInThisProcess } from '@event-commerce/test-kit/start-in-this-process';
import { cart as cartService } from '../../cart/src/service.ts';
import { events as eventsService } from '../../events/src/service.ts';
import { pricing as pricingService } from '../../pricing/src/service.ts';
import { commerce as commerceService } from '../src/service.ts';
import { commerceModels } from '../src/store/models.ts';

export interface Company {
  companyId: string;
  commerce: ApiClient;
  /** The same, one for each replica. */
  replicas: readonly ApiClient[];
  pricing: ApiClient;
  events: ApiClient;
  /** Where there is a cart service. */
  cart: ApiClient;
  /** Calls to commerce with a key that has these scopes only. */
  as: (...scopes: Scope[]) => ApiClient;
}

/** How far clocks are ahead of the machine's: that of every replica of commerce, and in addition that of the second. */
interface Clocks {
  aheadMs: number;
  secondAheadMs: number;
}

/**
 * Replicas of commerce in this process, or with `killable` each in one of its own with a heap of `heapMiB`, beside real
 * pricing and events services over their own databases: in this process too, or with `othersAsProcesses` in their own.
 */
export async function startCommerceAndPricing(
  options: {
    claimTtlMs?: number;
    replicas?: number;
    killable?: boolean;
    othersAsProcesses?: boolean;
    heapMiB?: number;
    withCart?: boolean;
  } = {},
) {
  const identity = testIdentity();
  const env = serviceEnv(identity, options.claimTtlMs);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const startProcess = async (service: ServiceName, own: Record<string, string> = {}): Promise<ServiceProcess> =>
    startServiceProcess(service, { ...env, ...own });
  const startHere = {
    pricing: async (settings: Record<string, string>) => startInThisProcess(pricingService, settings),
    events: async (settings: Record<string, string>) => startInThisProcess(eventsService, settings),
    cart: async (settings: Record<string, string>) => startInThisProcess(cartService, settings),
  };
  const start = async (service: keyof typeof startHere, own: Record<string, string> = {}): Promise<ServiceProcess> =>
    options.othersAsProcesses ? startProcess(service, own) : startHere[service]({ ...env, ...own });
  const count = options.replicas ?? 1;
  const [commerceProcesses, pricing, events, cart, ...otherPricing] = await Promise.all([
    Promise.all(
      Array.from({ length: options.killable ? count : 0 }, async () =>
        startProcess(
          'commerce',
          options.heapMiB === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${options.heapMiB}` },
        ),
      ),
    ),
    start('pricing'),
    start('events', { SERVICE_PRIVATE_KEY: identity.eventsPrivateKey }),
    options.withCart
      ? start('cart', { SERVICE_PRIVATE_KEY: identity.cartPrivateKey, DEFAULT_CURRENCY: 'EUR' })
      : undefined,
    ...Array.from({ length: count - 1 }, async () => start('pricing')),
  ]);
  const clocks: Clocks = { aheadMs: 0, secondAheadMs: 0 };
  const clockOf = (replica: number) => () =>
    new Date(Date.now() + clocks.aheadMs + (replica === 1 ? clocks.secondAheadMs : 0));
  const replicas = options.killable
    ? commerceProcesses
    : await Promise.all(
        Array.from({ length: count }, async (_, n) => startInThisProcess(commerceService, env, { clock: clockOf(n) })),
      );
  const commerce = replicas[0] as { url: string };
  const bus = await connectBus({ url: env.NATS_URL, name: 'test', logger });
  /** The events of orders, as they were published: each once, whoever else published it too. */
  const told = new Map<string, DomainEvent>();
  bus.nats.subscribe('domain.commerce.order.*', {
    callback: (_error, message) => {
      const event = message.json<DomainEvent>();
      told.set(event.id, event);
    },
  });
  const mongo = await connectMongo(env.MONGO_URL, { dbName: `${env.MONGO_DB_PREFIX}_commerce`, appName: 'test' });

  return {
    pricing,
    pricingReplicas: [pricing, ...otherPricing],
    events,
    cart,
    commerceProcess: commerceProcesses[0],
    clocks,
    /** The types of the events of an order, sorted by name. */
    toldOf: (orderId: string): string[] =>
      [...told.values()]
        .filter(({ subject }) => subject === orderId)
        .map(({ type }) => type)
        .toSorted((a, b) => a.localeCompare(b)),
    bus,
    models: commerceModels(mongo),
    pricingDb: mongo.useDb(`${env.MONGO_DB_PREFIX}_pricing`),
    cartDb: mongo.useDb(`${env.MONGO_DB_PREFIX}_cart`),
    eventsDb: mongo.useDb(`${env.MONGO_DB_PREFIX}_events`),
    newCompany(): Company {
      const companyId = newCompanyId();
      return {
        companyId,
        commerce: apiClient(commerce.url, identity.headers(companyId, 'commerce')),
        replicas: replicas.map(({ url }) => apiClient(url, identity.headers(companyId, 'commerce'))),
        pricing: apiClient(pricing.url, identity.headers(companyId, 'pricing')),
        events: apiClient(events.url, identity.headers(companyId, 'events')),
        cart: apiClient(cart?.url ?? '', identity.headers(companyId, 'cart')),
        as: (...scopes) =>
          apiClient(commerce.url, {
            [IDENTITY_HEADER]: identity.token(companyId, AUDIENCE.commerce, 'live', scopes),
          }),
      };
    },
    /** The claims that pricing holds on an adjustment now. */
    async claimsOf(adjustmentId: string): Promise<unknown[]> {
      const usage = await mongo
        .useDb(`${env.MONGO_DB_PREFIX}_pricing`)
        .collection('usages')
        .findOne({ _id: adjustmentId } as never);
      return usage?.['pending'] ?? [];
    },
    context: (companyId: string) => ({
      identityToken: identity.token(companyId, ['pricing', 'commerce']),
      requestId: 'test',
    }),
    /** The identity of a service that asks commerce on its own behalf. */
    processToken: (process: ProcessName) => identity.processToken(process, 'commerce'),
    token: (companyId: string, audience: readonly ServiceName[], scopes: Scope[], originalKeyId?: string) =>
      identity.token(companyId, audience, 'live', scopes, originalKeyId),
    urls: { commerce: commerce.url, pricing: pricing.url },
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await Promise.all([pricing, events, ...otherPricing, ...(cart ? [cart] : [])].map((one) => one.stop()));
      await bus.close();
      await mongo.dropDatabase();
      await mongo.close();
    },
  };
}

export type CommerceAndPricing = Awaited<ReturnType<typeof startCommerceAndPricing>>;
