import { randomUUID } from 'node:crypto';
import { connectBus, createEventPublisher, EVENT_STREAM } from '@event-commerce/bus';
import {
  AUDIENCE,
  type DomainEvent,
  IDENTITY_HEADER,
  parseDomainEvent,
  type ProcessName,
  type ReceivedEvent,
  type Scope,
  SERVICES,
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
import { natsUrlFor, natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Connection } from 'mongoose';
import { expect, inject } from 'vitest';
import { urlAsProcess } from '../../deploy/local/users.ts';
import { activity } from '../../services/activity/src/service.ts';
import { activityModels } from '../../services/activity/src/models.ts';
import { cart } from '../../services/cart/src/service.ts';
import { cartModels } from '../../services/cart/src/models.ts';
import { commerce } from '../../services/commerce/src/service.ts';
import { commerceModels } from '../../services/commerce/src/models.ts';
import { events } from '../../services/events/src/service.ts';
import { eventsModels } from '../../services/events/src/models.ts';
import { pricing } from '../../services/pricing/src/service.ts';
import { pricingModels } from '../../services/pricing/src/models.ts';
import { startInThisProcess } from './start-in-this-process.ts';

type Start = (env: Record<string, string>, options?: { clock: () => Date }) => Promise<ServiceProcess>;

const START: Record<ServiceName, Start> = {
  pricing: async (env, options) => startInThisProcess(pricing, env, options),
  commerce: async (env, options) => startInThisProcess(commerce, env, options),
  cart: async (env, options) => startInThisProcess(cart, env, options),
  events: async (env, options) => startInThisProcess(events, env, options),
  activity: async (env, options) => startInThisProcess(activity, env, options),
};

export interface ServicesOptions {
  /** How many replicas of each service run; a service without a number does not run. */
  replicas: Partial<Record<ServiceName, number>>;
  /** Services whose replicas run in processes of their own, which can be killed; the others run in this one. */
  asProcesses?: readonly ServiceName[];
  /** How old an unconfirmed claim must be for a sweep to ask about it; by default sweeps leave all claims alone. */
  claimTtlMs?: number;
  /** The clock of a replica that runs in this process; the machine's by default. */
  clock?: (service: ServiceName, replica: number) => Date;
  /** Further settings of a replica. */
  env?: (service: ServiceName, replica: number) => Record<string, string>;
  /** The operator's URL of the broker account; by default that of this test file. */
  natsUrl?: string;
}

/** A service's API as one company calls it: at the first replica, with a key that may do everything. */
export interface ServiceClient extends ApiClient {
  /** The same, at another replica. */
  replica: (number: number) => ApiClient;
  /** The same, with a key that has these scopes only. */
  as: (...scopes: Scope[]) => ApiClient;
}

/** A company that only one test uses. */
export interface Company extends Record<ServiceName, ServiceClient> {
  companyId: string;
  /** The identity that a request over the bus carries for the company. */
  context: (scopes?: Scope[]) => { identityToken: string; requestId: string };
  /** The company's events so far, each once, in the order of their publication. */
  published(): ReceivedEvent[];
  published<Type extends DomainEvent['type']>(type: Type): ReceivedEvent<Type>[];
}

/** A sweep that waits this long leaves alone what a test leaves unconfirmed. */
const NEVER_MS = 3_600_000;

/** What a replica of `name` needs in its environment, besides keys: the stores of the test run, with its own users. */
export function settingsOf(
  name: ProcessName,
  { natsUrl, prefix }: { natsUrl: string; prefix: string },
): Record<string, string> {
  return {
    MONGO_URL: inject('mongoUrlOf')[name],
    MONGO_INDEXES: 'migrate',
    MONGO_DB_PREFIX: prefix,
    NATS_URL: inject('natsUrls').length === 1 ? natsUrl : urlAsProcess(natsUrl, name),
    DEFAULT_CURRENCY: 'EUR',
    DRAIN_DELAY_MS: '0',
    LOG_LEVEL: 'silent',
  };
}

function domainEventIn(text: string): ReceivedEvent | undefined {
  try {
    return parseDomainEvent(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Services over databases and a broker account of their own, and what a test needs to look behind them. */
export async function startServices(options: ServicesOptions) {
  const identity = testIdentity();
  const mongoUrl = inject('mongoUrl');
  const natsUrl = options.natsUrl ?? natsUrlOfThisFile();
  const prefix = `t${randomUUID().slice(0, 8)}`;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const [bus, mongo] = await Promise.all([
    connectBus({ url: natsUrl, name: 'test', logger }),
    connectMongo(mongoUrl, { dbName: `${prefix}_test`, appName: 'test' }),
  ]);
  const published = new Map<string, ReceivedEvent>();
  bus.nats.subscribe('domain.>', {
    callback: (error, message) => {
      // The stream drops a repeat by its id; a plain subscription does not. What tests publish need not be an event.
      const event = error ? undefined : domainEventIn(message.string());
      if (event !== undefined && !published.has(event.id)) published.set(event.id, event);
    },
  });

  const start = async (service: ServiceName, replica: number): Promise<ServiceProcess> => {
    const settings = {
      ...settingsOf(service, { natsUrl, prefix }),
      ...identity.keysOf(service),
      CLAIM_TTL_MS: String(options.claimTtlMs ?? NEVER_MS),
      ...options.env?.(service, replica),
    };
    if (options.asProcesses?.includes(service)) return await startServiceProcess(service, settings);
    const { clock } = options;
    return await START[service](settings, clock && { clock: () => clock(service, replica) });
  };
  const started = await Promise.all(
    SERVICES.map(async (service) => {
      const count = options.replicas[service] ?? 0;
      return [service, await Promise.all(Array.from({ length: count }, async (_, n) => start(service, n)))] as const;
    }),
  );
  const replicas = Object.fromEntries(started) as Record<ServiceName, ServiceProcess[]>;
  const databases = Object.fromEntries(
    SERVICES.map((service) => [service, mongo.useDb(`${prefix}_${service}`)]),
  ) as Record<ServiceName, Connection>;

  const clientOf = (companyId: string, service: ServiceName): ServiceClient => {
    const at = (replica: number, scopes?: Scope[]) =>
      // An identity of its own for each request: on a busy machine, a test takes longer than one is valid.
      apiClient(replicas[service][replica]?.url ?? `no replica ${replica} of ${service}`, () => ({
        [IDENTITY_HEADER]: identity.token(companyId, AUDIENCE[service], 'live', scopes),
      }));
    return { ...at(0), replica: (number) => at(number), as: (...scopes) => at(0, scopes) };
  };

  return {
    natsUrl,
    prefix,
    identity,
    bus,
    publish: createEventPublisher(bus),
    replicas,
    databases,
    models: {
      pricing: pricingModels(databases.pricing),
      commerce: commerceModels(databases.commerce),
      cart: cartModels(databases.cart),
      events: eventsModels(databases.events),
      activity: activityModels(databases.activity),
    },
    newCompany: (companyId = newCompanyId()): Company => ({
      companyId,
      pricing: clientOf(companyId, 'pricing'),
      commerce: clientOf(companyId, 'commerce'),
      cart: clientOf(companyId, 'cart'),
      events: clientOf(companyId, 'events'),
      activity: clientOf(companyId, 'activity'),
      context: (scopes) => ({
        identityToken: identity.token(companyId, SERVICES, 'live', scopes),
        requestId: 'test',
      }),
      published: (type?: string) =>
        [...published.values()].filter(
          (event) => event.companyid === companyId && (type === undefined || event.type === type),
        ) as never,
    }),
    /** Resolves when `service` has handled every order event that was published. */
    followedOrders: async (service: ServiceName): Promise<void> => {
      const { consumers } = await jetstreamManager(bus.nats);
      const waiting = async () =>
        (await Array.fromAsync(consumers.list(EVENT_STREAM)))
          .filter(({ name }) => name.startsWith(`${service}-orders`))
          .reduce((sum, info) => sum + info.num_pending + info.num_ack_pending, 0);
      await expect.poll(waiting).toBe(0);
    },
    stop: async (): Promise<void> => {
      await Promise.all(started.flatMap(([, processes]) => processes).map(async (process) => process.stop()));
      await bus.close();
      await Promise.all(SERVICES.map(async (service) => databases[service].dropDatabase()));
      await mongo.close();
    },
  };
}

export type Services = Awaited<ReturnType<typeof startServices>>;

let shared: Promise<Services> | undefined;

/**
 * Two replicas of each service, shared by test files that change nothing about them. A worker starts them once, and
 * stops them at its end. Sweeps leave claims alone.
 */
export async function sharedServices(): Promise<Services> {
  shared ??= startServices({
    replicas: { pricing: 2, commerce: 2, cart: 2, events: 2, activity: 2 },
    natsUrl: natsUrlFor('shared services'),
  }).catch((error: unknown) => {
    // The next file tries again.
    shared = undefined;
    throw error;
  });
  return await shared;
}
