import { type BusConnection, serve, type ServedRequest } from '@event-commerce/bus';
import { RPC, type RpcEndpoint, type ServiceName } from '@event-commerce/contracts';
import type { z } from 'zod';
import { toPlatformError } from '../http/errors.ts';
import type { Caller } from '../http/http-app.ts';
import { callerOn, type VerifiedIdentity, type VerifyIdentity, type VerifyProcess } from '../http/identity.ts';
import { parseJson } from '../http/json.ts';
import { validate, validateRequest } from '../http/validate.ts';

/** How many requests of one kind a process serves at once. */
const IN_FLIGHT_MAX = 512;

type Rpc = typeof RPC;

/** The requests that other processes send to `Service`. */
type RpcOf<Service extends ServiceName> = {
  [Id in keyof Rpc]: Rpc[Id]['subject'] extends `rpc.${Service}.${string}` ? Id : never;
}[keyof Rpc];

/** The caller for whom a process asks, as signed by the gateway; absent if no caller waits. */
type Asking<Id extends keyof Rpc> = Rpc[Id]['scopes'] extends readonly []
  ? unknown
  : { readonly caller: Caller; readonly identity: VerifiedIdentity };

/** A handler's input: the request, as the endpoint's schema parsed it. */
type RpcAsked<Id extends keyof Rpc> = Asking<Id> &
  Pick<ServedRequest, 'option'> & { readonly body: z.output<Rpc[Id]['request']> };

/**
 * One handler for each request of other processes to a service: none can be missing. It returns the reply, its JSON
 * text, or bytes that are sent unchanged.
 */
export type RpcHandlers<Service extends ServiceName> = {
  readonly [Id in RpcOf<Service>]: (asked: RpcAsked<Id>) => Promise<z.input<Rpc[Id]['reply']> | string | Uint8Array>;
};

/**
 * Serves the requests of other processes to `service`. The declaration of each endpoint says who may send it. Returns a
 * function that stops serving and waits for requests in flight.
 */
export function serveRpc<Service extends ServiceName>(
  bus: BusConnection,
  service: Service,
  handlers: RpcHandlers<Service>,
  verify: { identity: VerifyIdentity; process: VerifyProcess },
): () => Promise<void> {
  const options = { group: service, inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  // Each is called with what its own endpoint declares, which the compiler cannot infer in a loop.
  const byId: Readonly<Record<string, (asked: any) => Promise<object | string | Uint8Array>>> = handlers;
  const stops = Object.entries(byId).map(([id, handle]) => {
    const endpoint: RpcEndpoint = RPC[id as keyof Rpc];
    const read = endpoint.forwarded ? validateRequest : validate;
    return serve(bus, endpoint, options, async (request) => {
      const asking = askingFor(endpoint, request, verify);
      const body = read(endpoint.request, parseJson(request.body));
      const reply = await handle({ ...asking, body, option: request.option });
      if (reply instanceof Uint8Array) return reply;
      return `{"data":${typeof reply === 'string' ? reply : JSON.stringify(reply)}}`;
    });
  });
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}

function askingFor(
  endpoint: RpcEndpoint,
  { identityToken = '', requestId, traceparent }: ServedRequest,
  verify: { identity: VerifyIdentity; process: VerifyProcess },
): { caller: Caller; identity: VerifiedIdentity } | undefined {
  if (endpoint.scopes.length === 0) {
    verify.process(identityToken, endpoint);
    return undefined;
  }
  const identity = callerOn(endpoint, verify.identity, identityToken);
  const { tenant, companyId, keyId, keyName } = identity;
  return { caller: { tenant, companyId, keyId, keyName, requestId, identityToken, traceparent }, identity };
}
