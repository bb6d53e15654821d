import { type BusConnection, call } from '@event-commerce/bus';
import {
  type ProcessName,
  RPC,
  type RpcEndpoint,
  type RpcReply,
  type RpcRequest,
  type ServiceName,
  type SettleOrderReply,
  settleOrderReply,
  type SettleOrderRequest,
} from '@event-commerce/contracts';
import { createProcessSigner } from '../identity.ts';
import { newId } from '../ids.ts';

/** Calls an endpoint on this process's own behalf, because no caller waits. The reply is not validated. */
export type CallAsProcess = <To extends RpcEndpoint>(
  endpoint: To,
  request: RpcRequest<To>,
  requestId?: string,
) => Promise<RpcReply<To>>;

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
