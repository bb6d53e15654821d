import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@event-commerce/contracts';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import { type Loop, startLoop } from '../concurrency/loop.ts';
import type { serviceSettings } from './config.ts';
import { createServiceApp, type UsageOfQuotas } from '../http/http-app.ts';
import { createIdentityVerifier, createProcessVerifier, type ProcessKey } from '../http/identity.ts';
import { indexesOf, type IndexesOn } from '../mongo/indexes.ts';
import type { Logger } from './logger.ts';
import { pingMongo } from '../mongo/mongo.ts';
import type { ReadinessChecks } from '../http/readiness.ts';
import { type Handlers, serveOperations } from '../http/serve-operations.ts';
import { connectProcess, type ProcessBase } from './connect-process.ts';
import { type EventHandlers, followEvents } from './follow-events.ts';
import { runProcess } from './run-process.ts';
import { type RpcHandlers, serveRpc } from './serve-rpc.ts';
import { VERSION } from './version.ts';

/** The settings of a service. `SERVICE_PUBLIC_KEYS` exists only if it accepts requests for which no caller waits. */
export type ServiceSettings = z.output<typeof serviceSettings> & {
  PORT: number;
  SERVICE_PUBLIC_KEYS?: readonly ProcessKey[];
};

/** What a service is assembled from. */
interface ServiceBase<Config, Models> extends Omit<ProcessBase, 'close'> {
  config: Config;
  models: Models;
  clock: () => Date;
  logger: Logger;
}

const NO_QUOTAS: UsageOfQuotas = { usage: async () => ({}) };

/** The parts of a service: what it does, and when. */
interface ServiceParts<Name extends ServiceName> {
  /** Absent for a service whose records no quota bounds. */
  quotas?: UsageOfQuotas & { recounts: Loop };
  /** The handler of each HTTP operation. */
  operations: Handlers<Name>;
  /** The handler of each request of another process. */
  answers: RpcHandlers<Name>;
  /** The handler of each consumer. */
  follows: EventHandlers<Name>;
  sweeps?: readonly Loop[];
  readiness?: ReadinessChecks;
  /** Called first when the service stops: ends the responses that last, such as streams. */
  endLasting?: () => void;
  /** Called once nothing is in flight, before the service disconnects. */
  close?: () => Promise<void>;
}

/** A service as its `service.ts` declares it. */
export interface ServiceDeclaration<Name extends ServiceName, Config extends ServiceSettings, Models extends object> {
  name: Name;
  loadConfig: (env?: NodeJS.ProcessEnv) => Config;
  models: (connection: Connection) => Models;
  /** Assembles the parts without starting any. */
  assemble: (base: ServiceBase<Config, Models>) => ServiceParts<Name> | Promise<ServiceParts<Name>>;
}

export interface RunningService {
  /** Its URL. */
  url: string;
  /** Finishes what is in flight, then disconnects. */
  stop: () => Promise<void>;
}

/** For a declaration whose types follow from its members. */
export function declareService<Name extends ServiceName, Config extends ServiceSettings, Models extends object>(
  declaration: ServiceDeclaration<Name, Config, Models>,
): ServiceDeclaration<Name, Config, Models> {
  return declaration;
}

/**
 * Starts a service: connects it, starts its consumers, loops and requests from other processes, and finally listens.
 *
 * @throws {Error} that says what cannot be reached or used, and what to do
 */
export async function startService<Name extends ServiceName, Config extends ServiceSettings, Models extends object>(
  { name, models: modelsOn, assemble }: ServiceDeclaration<Name, Config, Models>,
  { config, logger, clock = () => new Date() }: { config: Config; logger: Logger; clock?: () => Date },
): Promise<RunningService> {
  const { close, ...base } = await connectProcess(name, config, indexesBy(modelsOn), logger);
  const parts = await assemble({ ...base, config, models: modelsOn(base.mongo), logger, clock });
  const { bus, mongo } = base;
  const verify = {
    identity: createIdentityVerifier(config.IDENTITY_PUBLIC_KEYS, name),
    process: createProcessVerifier(config.SERVICE_PUBLIC_KEYS ?? [], name),
  };

  const stopFollowing = await followEvents<Name>(bus, parts.follows, logger);
  const stopLoops = [...(parts.quotas ? [parts.quotas.recounts] : []), ...(parts.sweeps ?? [])].map((loop) =>
    startLoop(loop, logger),
  );
  const stopAnswering = serveRpc(bus, name, parts.answers, verify);
  const app = createServiceApp({
    logger,
    quotas: parts.quotas ?? NO_QUOTAS,
    drainMs: config.DRAIN_DELAY_MS,
    verifyIdentity: verify.identity,
    readiness: { mongo: async () => pingMongo(mongo), nats: async () => bus.check(), ...parts.readiness },
  });
  serveOperations(app, name, parts.operations);
  await bus.subscribed();
  const url = await app.listen({ host: config.HOST, port: config.PORT });
  logger.info({ url, ...VERSION }, 'serving');

  return {
    url,
    async stop() {
      const closing = app.close();
      // Until then it serves as before.
      await delay(config.DRAIN_DELAY_MS);
      parts.endLasting?.();
      const stops = [stopFollowing, stopAnswering, ...stopLoops];
      await Promise.all([closing, ...stops.map(async (stop) => stop())]);
      await parts.close?.();
      await close();
    },
  };
}

/** Runs a service as this process: see `runProcess`. */
export async function runService<Name extends ServiceName, Config extends ServiceSettings, Models extends object>(
  service: ServiceDeclaration<Name, Config, Models>,
): Promise<void> {
  await runProcess(
    service.name,
    () => service.loadConfig(),
    async (config, logger) => (await startService(service, { config, logger })).stop,
    indexesBy(service.models),
  );
}

function indexesBy(models: (connection: Connection) => object): IndexesOn {
  return (connection) => indexesOf(models(connection));
}
