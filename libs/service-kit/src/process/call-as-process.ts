import { type BusConnection, call, connectBus } from '@event-commerce/bus';
import {
  PlatformError,
  type ProcessName,
  RPC,
  type RpcEndpoint,
  type RpcReply,
  type RpcRequest,
  type ServiceName,
  type SettleOrderReply,
  settleOrderReply,
  type SettleOrderRequest,
  tryAgainShortly,
} from '@event-commerce/contracts';
import { z } from 'zod';
import { brokerOf, NATS_SETTINGS, processSettings, readConfig } from './config.ts';
import { createProcessSigner } from '../http/identity.ts';
import { newId } from '../mongo/ids.ts';
import { createLogger } from './logger.ts';

/** Calls an endpoint on this process's own behalf, because no caller waits. The reply is not validated. */
export type CallAsProcess = <To extends RpcEndpoint>(
  endpoint: To,
  request: RpcRequest<To>,
  requestId?: string,
) => Promise<RpcReply<To>>;

/**
 * Calls as `process`, whose private key is base64 of PKCS#8 DER. If the other service rejects this process's key or
 * clock, the call fails as SERVICE_UNAVAILABLE: nothing is wrong with the request, and the failure lasts until an
 * operator fixes it.
 */
export function createCallAsProcess(bus: BusConnection, process: ProcessName, privateKeyBase64: string): CallAsProcess {
  const sign = createProcessSigner(process, privateKeyBase64);
  return async (endpoint, request, requestId = newId('req')) => {
    const [, service] = endpoint.subject.split('.') as ['rpc', ServiceName];
    try {
      return await call(bus, endpoint, request, { identityToken: sign(service), requestId });
    } catch (cause) {
      if (!(cause instanceof PlatformError) || !['UNAUTHORIZED', 'FORBIDDEN'].includes(cause.code)) throw cause;
      const { subject } = endpoint;
      bus.logger.error({ err: cause, subject }, `${service} refuses this process; check its private key and its clock`);
      throw tryAgainShortly('A service that this request needs is unavailable; try again shortly.', { cause });
    }
  };
}

/**
 * Asks commerce what became of an order that claims are held for. An outcome that this process does not know throws.
 */
export async function settleOrder(
  callAsProcess: CallAsProcess,
  request: SettleOrderRequest,
): Promise<SettleOrderReply> {
  return settleOrderReply.parse(await callAsProcess(RPC.settleOrder, request, `settle-${request.orderId}`));
}

/**
 * Asks commerce which of at most 500 orders wait to be confirmed. The answer may be a moment old. One that was reopened
 * or amended is left out: what is held for it may be from before.
 */
export async function waitingOrders(
  callAsProcess: CallAsProcess,
  orderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { standing } = await callAsProcess(RPC.ordersStanding, { orderIds: [...orderIds], isShown: true });
  const waiting = standing.filter(({ isPending, revision }) => isPending && revision === 0);
  return new Set(waiting.map(({ orderId }) => orderId));
}

/** Asks commerce what became of orders, for a command that an operator runs with the settings of `service`. */
export async function askCommerce(service: ServiceName) {
  const settings = processSettings.pick(NATS_SETTINGS).extend({ SERVICE_PRIVATE_KEY: z.string().min(1) });
  const config = readConfig(settings, process.env);
  const logger = createLogger({ service: `${service} repair`, level: 'warn' });
  const bus = await connectBus({ ...brokerOf(config), name: service, logger });
  const callAsProcess = createCallAsProcess(bus, service, config.SERVICE_PRIVATE_KEY);
  return {
    settleOrder: async (request: SettleOrderRequest) => settleOrder(callAsProcess, request),
    /** Which of at most 500 orders were cancelled, expired, reopened or amended. */
    async changed(orderIds: readonly string[]): Promise<Set<string>> {
      const { over, standing } = await callAsProcess(RPC.ordersStanding, { orderIds: [...orderIds] });
      const changed = [...over, ...standing.filter(({ revision }) => revision > 0)];
      return new Set(changed.map(({ orderId }) => orderId));
    },
    close: async () => bus.close(),
  };
}
