import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FORWARDED_OPERATIONS, quotaLimits, type Scope, SERVICES, type ServiceName } from '@event-commerce/contracts';
import {
  createEventBytes,
  createIdentityVerifier,
  createLogger,
  createServiceApp,
  type Logger,
} from '@event-commerce/service-kit';
import { type ApiClient, apiClient, newCompanyId, testIdentity } from '@event-commerce/test-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject } from 'vitest';
import { natsUrlOfThisFile } from '@event-commerce/test-kit/nats-url';
import type { Config } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';

export const logger = createLogger({ service: 'gateway-test', level: 'silent' });
export const ROOT_KEY = 'root-key-of-the-tests-0123456789abcdef';

export interface TestGateway {
  url: string;
  config: Config;
  root: ApiClient;
  /** A key of a new company, unless `body` says otherwise. */
  createKey(body?: Record<string, unknown>): Promise<{ id: string; key: string; companyId: string }>;
  /** A client with a new key that holds `scopes`. */
  client(...scopes: Scope[]): Promise<ApiClient & { companyId: string }>;
  /** Another replica: the same settings and the same stores. */
  replica(changes?: Partial<Config>, clock?: () => number): Promise<TestGateway>;
  stop(): Promise<void>;
}

const identity = testIdentity();

/** A gateway on the real servers, in front of `services` (one URL for all, or by name). */
export async function startTestGateway(
  services: string | Partial<Record<ServiceName, string>>,
  changes: Partial<Config> = {},
  log: Logger = logger,
  clock?: () => number,
): Promise<TestGateway> {
  const of = (service: ServiceName) =>
    typeof services === 'string' ? services : (services[service] ?? 'http://127.0.0.1:9');
  const config: Config = {
    HOST: '127.0.0.1',
    PORT: 0,
    LOG_LEVEL: 'silent',
    MONGO_URL: inject('mongoUrl'),
    MONGO_CONNECTIONS_MAX: 64,
    QUOTAS: quotaLimits.parse(undefined),
    MONGO_INDEXES: 'migrate',
    MONGO_DB_PREFIX: `gw_${randomUUID().slice(0, 8)}`,
    NATS_URL: natsUrlOfThisFile(),
    NATS_STREAM_REPLICAS: 1,
    REDIS_URL: inject('redisUrl'),
    REDIS_KEY_PREFIX: `gateway-test:${randomUUID()}`,
    ROOT_API_KEY: ROOT_KEY,
    API_KEY_ENVIRONMENT: 'test',
    API_KEYS_MAX: 1_000,
    RATE_LIMIT_PER_SECOND: 10_000,
    RATE_LIMIT_BURST: 10_000,
    COMPANY_RATE_LIMIT_PER_SECOND: 10_000,
    COMPANY_RATE_LIMIT_BURST: 10_000,
    IDENTITY_PRIVATE_KEY: identity.privateKey,
    PRICING_URL: of('pricing'),
    COMMERCE_URL: of('commerce'),
    CART_URL: of('cart'),
    EVENTS_URL: of('events'),
    UPSTREAM_TIMEOUT_MS: 1_000,
    UPSTREAM_CONNECTIONS_MAX: 64,
    UPSTREAM_IN_FLIGHT_MAX: 1_024,
    HELD_BYTES_MAX: 128 * 2 ** 20,
    KEPT_RESPONSE_MB_PER_HOUR: 1_000,
    HEADERS_TIMEOUT_MS: 1_000,
    REQUEST_TIMEOUT_MS: 2_000,
    STALLED_READER_MS: 7_000,
    KEEP_ALIVE_MS: 72_000,
    TRUSTED_PROXIES: undefined,
    WAIT_FOR_SERVICES_MS: 0,
    DRAIN_DELAY_MS: 0,
    ...changes,
  };
  const running = await startGateway(config, log, clock);
  const { url } = running;
  const root = apiClient(url, { authorization: `Bearer ${ROOT_KEY}` });

  const createKey: TestGateway['createKey'] = async (body = {}) => {
    const reply = await root.post('/v1/admin/keys', {
      name: 'test',
      scopes: ['*'],
      companyId: newCompanyId(),
      ...body,
    });
    if (reply.status !== 201) throw new Error(`no key: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  return {
    url,
    config,
    root,
    createKey,
    client: async (...scopes) => {
      const { key, companyId } = await createKey({ scopes });
      return { ...apiClient(url, { authorization: `Bearer ${key}` }), companyId };
    },
    replica: (more, its = clock) => startTestGateway(services, { ...config, ...more }, log, its),
    stop: () => running.stop(),
  };
}

/** The environment that starts a gateway with these settings in a process of its own, without the port. */
export function envOf(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...config, QUOTAS: '' }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** A service that echoes what reached it, built like the real ones: it only accepts what the gateway signed for it. */
async function startEchoService(service: ServiceName): Promise<TestServer> {
  const app = createServiceApp({
    logger,
    verifyIdentity: createIdentityVerifier([identity.publicKey], service),
    readiness: {},
    quotas: { usage: async () => ({}) },
    eventBytes: createEventBytes(1_000, logger),
  });
  const echo = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method === 'POST' && request.url.startsWith('/orders')) reply.code(201);
    reply.header('etag', '"1"').header('x-internal', 'secret');
    return {
      data: {
        service,
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: request.body,
        identity: request.identity,
      },
    };
  };
  for (const { method, url, scope } of FORWARDED_OPERATIONS.filter((route) => route.service === service)) {
    app.route({ method, url, config: { scope }, handler: echo });
  }
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, stop: () => app.close() };
}

/** One echo service for each name. */
export async function startEchoServices(): Promise<Record<ServiceName, string> & { stop(): Promise<void> }> {
  const running = await Promise.all(
    SERVICES.map(async (service) => [service, await startEchoService(service)] as const),
  );
  return {
    ...(Object.fromEntries(running.map(([service, { url }]) => [service, url])) as Record<ServiceName, string>),
    stop: async () => void (await Promise.all(running.map(([, server]) => server.stop()))),
  };
}

/** A gateway in front of echo services, which stop with it. */
export async function startEchoingGateway(changes: Partial<Config> = {}, clock?: () => number) {
  const services = await startEchoServices();
  const gateway = await startTestGateway(services, changes, logger, clock);
  const stop = async () => {
    await gateway.stop();
    await services.stop();
  };
  return { ...gateway, services, stop };
}

export type EchoingGateway = Awaited<ReturnType<typeof startEchoingGateway>>;

/** A service that misbehaves in its own way. */
export async function startRawService(listener: RequestListener): Promise<TestServer & { server: Server }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
