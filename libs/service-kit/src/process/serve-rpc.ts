import { type BusConnection, serve, type ServedRequest } from '@event-commerce/bus';
import { RPC, type ServiceName } from '@event-commerce/contracts';
import { toPlatformError } from '../errors.ts';
import { callerOn, type VerifiedIdentity, type VerifyIdentity, type VerifyProcess } from '../identity.ts';
import { parseJson } from '../json.ts';

/** How many requests of one kind a process serves at once. */
const IN_FLIGHT_MAX = 512;

type Rpc = typeof RPC;

/** What other processes ask `Service`. */
type RpcOf<Service extends ServiceName> = {
  [Id in keyof Rpc]: Rpc[Id]['subject'] extends `rpc.${Service}.${string}` ? Id : never;
}[keyof Rpc];

/** The requests that they send on their own behalf, where no caller waits. */
type ProcessRpc<Service extends ServiceName> = {
  [Id in RpcOf<Service>]: Rpc[Id]['scopes'] extends readonly [] ? Id : never;
}[RpcOf<Service>];

export interface ProcessRequest extends Omit<ServedRequest, 'body'> {
  /** Well-formed JSON that is not validated: the handler does that. */
  body: unknown;
}

export interface CallerRequest extends ProcessRequest {
  /** The caller, as signed by the gateway. */
  who: VerifiedIdentity;
}

/** Returns the reply, its JSON text, or what is sent as it is. */
type Handler<Request> = (request: Request) => Promise<object | string | Uint8Array>;

/** A handler for each request on behalf of a caller. */
export type CallerHandlers<Service extends ServiceName> = {
  readonly [Id in Exclude<RpcOf<Service>, ProcessRpc<Service>>]: Handler<CallerRequest>;
};

/** A handler for each request that processes send on their own behalf. */
export type ProcessHandlers<Service extends ServiceName> = {
  readonly [Id in ProcessRpc<Service>]: Handler<ProcessRequest>;
};

/**
 * Serves the requests of other processes to `service`, once their identity is verified. Returns a function that stops
 * serving and waits for requests in flight.
 */
export function serveRpc<Service extends ServiceName>(
  bus: BusConnection,
  service: Service,
  handlers: { callers: CallerHandlers<Service>; processes: ProcessHandlers<Service> },
  verify: { identity: VerifyIdentity; process: VerifyProcess },
): () => Promise<void> {
  const options = { group: service, inFlightMax: IN_FLIGHT_MAX, toPlatformError };
  const answer = async <Request>(handle: Handler<Request>, request: Request): Promise<string | Uint8Array> => {
    const reply = await handle(request);
    if (reply instanceof Uint8Array) return reply;
    return `{"data":${typeof reply === 'string' ? reply : JSON.stringify(reply)}}`;
  };
  const endpointOf = (id: string) => RPC[id as keyof Rpc];
  const callers: Readonly<Record<string, Handler<CallerRequest>>> = handlers.callers;
  const processes: Readonly<Record<string, Handler<ProcessRequest>>> = handlers.processes;
  const stops = [
    ...Object.entries(callers).map(([id, handle]) =>
      serve(bus, endpointOf(id), options, async (request) => {
        const who = callerOn(endpointOf(id), verify.identity, request.identityToken);
        return await answer(handle, { ...request, who, body: parseJson(request.body) });
      }),
    ),
    ...Object.entries(processes).map(([id, handle]) =>
      serve(bus, endpointOf(id), options, async (request) => {
        verify.process(request.identityToken, endpointOf(id));
        return await answer(handle, { ...request, body: parseJson(request.body) });
      }),
    ),
  ];
  return async () => {
    await Promise.all(stops.map(async (stop) => stop()));
  };
}
