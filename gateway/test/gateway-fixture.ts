import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FORWARDED_OPERATIONS, type Scope, SERVICES, type ServiceName } from '@event-commerce/contracts';
import { createIdentityVerifier, createLogger, createServiceApp, type Logger } from '@event-commerce/service-kit';
import { type ApiClient, apiClient, newCompanyId, testIdentity } from '@event-commerce/test-kit';
import { natsUrlFor } from '@event-commerce/test-kit/nats-url';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject } from 'vitest';
import { settingsOf } from '../../tests/harness/services.ts';
import { type Config, loadConfig } from '../src/config.ts';
import { startGateway } from '../src/start-gateway.ts';

export const logger = createLogger({ service: 'gateway-test', level: 'silent' });
export const ROOT_KEY = 'root-key-of-the-tests-0123456789abcdef';
export const NEXT_ROOT_KEY = 'next-root-key-of-the-tests-0123456789';

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
/** The gateways of a worker share their stores, like replicas; each test has a company of its own. */
const PREFIX = `gw${randomUUID().slice(0, 8)}`;
/** Where they store their records; tests read it as the operator. */
export const GATEWAY_DATABASE = `${PREFIX}_gateway`;
/** The operator's URL of the broker account of all gateways of this worker. */
export const natsUrlOfGateways = () => natsUrlFor('gateways');

export const newRedisPrefix = () => `${PREFIX}:${randomUUID().slice(0, 8)}`;

/** A gateway on the real servers, in front of `services` (one URL for all, or by name). */
export async function startTestGateway(
  services: string | Partial<Record<ServiceName, string>>,
  changes: Partial<Config> = {},
  log: Logger = logger,
  clock?: () => number,
): Promise<TestGateway> {
  const of = (service: ServiceName) =>
    typeof services === 'string' ? services : (services[service] ?? 'http://127.0.0.1:9');
  const settings = loadConfig({
    ...settingsOf('gateway', { natsUrl: natsUrlOfGateways(), prefix: PREFIX }),
    REDIS_URL: inject('redisUrl'),
    // Failed attempts are counted by address, and all tests have the same address.
    REDIS_KEY_PREFIX: newRedisPrefix(),
    ROOT_API_KEY: ROOT_KEY,
    ROOT_API_KEY_NEXT: NEXT_ROOT_KEY,
    API_KEY_ENVIRONMENT: 'test',
    RATE_LIMIT_PER_SECOND: '10000',
    RATE_LIMIT_BURST: '10000',
    COMPANY_RATE_LIMIT_PER_SECOND: '10000',
    COMPANY_RATE_LIMIT_BURST: '10000',
    IDENTITY_PRIVATE_KEY: identity.privateKey,
    PRICING_URL: of('pricing'),
    COMMERCE_URL: of('commerce'),
    CART_URL: of('cart'),
    EVENTS_URL: of('events'),
    ACTIVITY_URL: of('activity'),
    UPSTREAM_TIMEOUT_MS: '1000',
    HEADERS_TIMEOUT_MS: '1000',
    REQUEST_TIMEOUT_MS: '2000',
    DRAIN_DELAY_MS: '0',
    PORT: '0',
  });
  const config = { ...settings, ...changes };
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

/** A service that echoes what reached it, built like the real ones: it only accepts what the gateway signed for it. */
export function createEchoApp(service: ServiceName, drainMs = 0) {
  const app = createServiceApp({
    drainMs,
    logger,
    verifyIdentity: createIdentityVerifier([identity.publicKey], service),
    readiness: {},
    quotas: { usage: async () => ({}) },
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
  return app;
}

let echoes: Promise<Record<ServiceName, string>> | undefined;

/** One echo service for each name. A worker starts them once, and they end with the worker. */
export async function echoServices(): Promise<Record<ServiceName, string>> {
  echoes ??= Promise.all(
    SERVICES.map(async (service) => [service, await createEchoApp(service).listen({ host: '127.0.0.1', port: 0 })]),
  ).then((started) => Object.fromEntries(started) as Record<ServiceName, string>);
  return await echoes;
}

/** A gateway in front of the echo services. */
export async function startEchoingGateway(changes: Partial<Config> = {}, clock?: () => number): Promise<TestGateway> {
  return await startTestGateway(await echoServices(), changes, logger, clock);
}

interface TestServer {
  url: string;
  stop(): Promise<void>;
}

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
