import { type BusConnection, call } from '@event-commerce/bus';
import {
  type ProcessName,
  RPC,
  type RpcEndpoint,
  type ServiceName,
  type SettleOrderReply,
  settleOrderReply,
  type SettleOrderRequest,
} from '@event-commerce/contracts';
import type { z } from 'zod';
import { createProcessSigner } from '../identity.ts';
import { newId } from '../ids.ts';

/** Calls an endpoint on this process's own behalf, because no caller waits. The reply is not validated. */
export type CallAsProcess = <Endpoint extends RpcEndpoint>(
  endpoint: Endpoint,
  request: z.output<Endpoint['request']>,
  requestId?: string,
) => Promise<z.output<Endpoint['reply']>>;

/** Calls as `process`, whose private key is base64 of PKCS#8 DER. */
export function createCallAsProcess(bus: BusConnection, process: ProcessName, privateKeyBase64: string): CallAsProcess {
  const sign = createProcessSigner(process, privateKeyBase64);
  return async (endpoint, request, requestId = newId('req')) => {
    const [, service] = endpoint.subject.split('.') as ['rpc', ServiceName];
    return await call(bus, endpoint, request, { identityToken: sign(service), requestId });
  };
}

/** Asks commerce what became of an order that claims are held for. An outcome that this process does not know throws. */
export async function settleOrder(
  callAsProcess: CallAsProcess,
  request: SettleOrderRequest,
): Promise<SettleOrderReply> {
  return settleOrderReply.parse(await callAsProcess(RPC.settleOrder, request, `settle-${request.orderId}`));
}
