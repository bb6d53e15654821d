import { randomUUID } from 'node:crypto';
import { call, connectBus, KEPT_OPTION, type KeptList, NONE_KEPT, readPieces, requestRaw } from '@event-commerce/bus';
import {
  type CancelClaimsRequest,
  type ClaimReply,
  type CouponState,
  type EvaluateCartsReply,
  type EvaluateCartsRequest,
  type Evaluation,
  type FollowCouponReply,
  IDENTITY_HEADER,
  type PurchaseReply,
  type PurchaseRequest,
  RPC,
  type RpcEndpoint,
  type Scope,
} from '@event-commerce/contracts';
import { connectMongo, createLogger } from '@event-commerce/service-kit';
import {
  adjustmentBody,
  type ApiClient,
  apiClient,
  liveTenant,
  newCompanyId,
  startServiceProcess,
  testIdentity,
} from '@event-commerce/test-kit';
import { serviceEnv } from '@event-commerce/test-kit/service-env';
import { startInThisProcess } from '@event-commerce/test-kit/start-in-this-process';
import { events as eventsService } from '../../events/src/service.ts';
import { pricing as pricingService } from '../src/service.ts';
import { pricingModels } from '../src/store/models.ts';

export interface Company {
  companyId: string;
  /** The company's calls to the first replica, or to another by number. */
  api: (replica?: number) => ApiClient;
  /** Calls to pricing with a key that has these scopes only. */
  as: (...scopes: Scope[]) => ApiClient;
  /** The company's calls to a replica of the events service, where there are any. */
  eventsApi: (replica?: number) => ApiClient;
}

/** Two tickets at 50.00 EUR, unless `changes` say otherwise. */
export function aLine(changes: Partial<PurchaseRequest['lines'][number]> = {}): PurchaseRequest['lines'][number] {
  const offering = { id: 'off_1', eventId: 'evt_1', price: { amount: 5_000, currency: 'EUR' } };
  return { offering, quantity: 2, ...changes };
}

/** Pricing replicas over one database of their own, with everything a test needs to look behind them. */
export async function startPricingReplicas(options: {
  replicas: number;
  /** Starts replicas as processes of their own, which can be killed; otherwise they run in this one. */
  asProcesses?: boolean;
  claimTtlMs?: number;
  /** Replicas of the real events service beside it. */
  eventsReplicas?: number;
  natsUrls?: string[];
  env?: Record<string, string>;
}) {
  const identity = testIdentity();
  const env = {
    ...serviceEnv(identity, options.claimTtlMs),
    ...options.env,
  };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const start = async (n: number) => {
    const own = { ...env, NATS_URL: options.natsUrls?.[n] ?? env.NATS_URL };
    if (options.asProcesses) return await startServiceProcess('pricing', own);
    return await startInThisProcess(pricingService, own);
  };
  const events = await Promise.all(
    Array.from({ length: options.eventsReplicas ?? 0 }, async () => startInThisProcess(eventsService, env)),
  );
  const replicas = await Promise.all(Array.from({ length: options.replicas }, (_, n) => start(n)));
  const bus = await connectBus({ url: env.NATS_URL, name: 'test', logger });
  const mongo = await connectMongo(env.MONGO_URL, { dbName: `${env.MONGO_DB_PREFIX}_pricing`, appName: 'test' });
  const models = pricingModels(mongo);

  return {
    replicas,
    events,
    bus,
    models,
    newCompany(): Company {
      const companyId = newCompanyId();
      return {
        companyId,
        api: (replica = 0) => apiClient(replicas[replica]?.url ?? '', identity.headers(companyId, 'pricing')),
        as: (...scopes) =>
          apiClient(replicas[0]?.url ?? '', {
            [IDENTITY_HEADER]: identity.token(companyId, ['pricing'], 'live', scopes),
          }),
        eventsApi: (replica = 0) => apiClient(events[replica]?.url ?? '', identity.headers(companyId, 'events')),
      };
    },
    /** What a call in the name of the company carries. */
    context: (companyId: string) => ({ identityToken: identity.token(companyId, ['pricing']), requestId: 'test' }),
    /** The counters of an adjustment. */
    async usage({ companyId }: Company, id: string) {
      const document = await models.usages.findOne({ _id: id, companyId: liveTenant(companyId) }).lean();
      const { confirmed = 0, claimed = 0, pending = [] } = document ?? {};
      return { confirmed, claimed, pending: pending.length };
    },
    /** Claims what an order names, without lines to price. */
    async claim(
      companyId: string,
      { customerId, ...order }: Partial<PurchaseRequest> & { customerId?: string },
    ): Promise<ClaimReply> {
      return await this.purchase(companyId, { ...order, lines: [], cartContext: { customerId } });
    },
    /** Buys two tickets at 50.00 EUR, unless `request` says otherwise, as commerce does for an order. */
    async purchase(
      companyId: string,
      request: Partial<PurchaseRequest> = {},
      scopes?: Scope[],
    ): Promise<PurchaseReply> {
      const whole = {
        orderId: `ord_${randomUUID()}`,
        lines: [aLine()],
        cartContext: {},
        codes: [],
        adjustmentIds: [],
        charges: 0,
        ...request,
      };
      const identityToken = identity.token(companyId, ['pricing', 'events'], 'live', scopes);
      return await call(bus, RPC.purchase, whole, { identityToken, requestId: 'test' });
    },
    /** Gives back what a purchase claimed, as commerce does for an order that was not written. */
    async cancel(companyId: string, request: CancelClaimsRequest): Promise<void> {
      const identityToken = identity.token(companyId, ['pricing']);
      await call(bus, RPC.cancelClaims, request, { identityToken, requestId: 'test' });
    },
    /** Tells pricing what a coupon says now, as commerce does. */
    async followCoupon(companyId: string, state: CouponState): Promise<FollowCouponReply> {
      const identityToken = identity.token(companyId, ['pricing']);
      return await call(bus, RPC.followCoupon, state, { identityToken, requestId: 'test' });
    },
    async ask<T>(
      companyId: string,
      body: unknown,
      askOptions: Record<string, string> = {},
      scopes?: Scope[],
    ): Promise<T> {
      const identityToken = identity.token(companyId, ['pricing', 'events'], 'live', scopes);
      const context = { identityToken, requestId: 'test', options: askOptions };
      return (await call(bus, RPC.evaluate as RpcEndpoint, body, context)) as T;
    },
    /**
     * Asks as a gateway does that has `kept` a list; also returns the list of the reply, and the size of what was sent.
     */
    async askInPieces(companyId: string, body: unknown, kept?: KeptList) {
      const identityToken = identity.token(companyId, ['pricing', 'events']);
      const reply = await requestRaw(bus, RPC.evaluate, JSON.stringify(body), {
        identityToken,
        requestId: 'test',
        options: { [KEPT_OPTION]: kept?.digest ?? NONE_KEPT },
      });
      const { parts, list } = readPieces(reply.body, kept);
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as { data: Evaluation };
      return { data, list, bytes: reply.body.length };
    },
    /** Asks what carts cost, as the cart service does. */
    async askCarts(companyId: string, carts: EvaluateCartsRequest['carts']): Promise<EvaluateCartsReply['carts']> {
      const identityToken = identity.token(companyId, ['pricing', 'events']);
      const context = { identityToken, requestId: 'test' };
      return (await call(bus, RPC.evaluateCarts, { carts }, context)).carts;
    },
    async stop() {
      await Promise.all([...replicas, ...events].map((replica) => replica.stop()));
      await bus.close();
      await mongo.dropDatabase();
      await mongo.close();
    },
  };
}

export type PricingReplicas = Awaited<ReturnType<typeof startPricingReplicas>>;

/** Creates an adjustment with `code` and these caps or other conditions. Returns its id. */
export async function createCapped(company: Company, code: string, conditions: object = {}): Promise<string> {
  const body = adjustmentBody(code, { conditions: { code, ...conditions } });
  return (await company.api().post('/pricing/adjustments', body)).body.data.id;
}
