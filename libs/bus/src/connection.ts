import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { whyUnreachable } from '@event-commerce/telemetry';
import {
  type Authenticator,
  connect,
  type ConnectionOptions,
  createInbox,
  credsAuthenticator,
  MsgHdrsImpl,
  type NatsConnection,
  nkeyAuthenticator,
  PermissionViolationError,
} from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { inboxPrefixOf, natsUrlsIn } from './names.ts';

/**
 * A hanging broker is noticed after two pings without a reply: on the third turn, and so within two and a half seconds.
 */
const PING_INTERVAL_MS = 800;

/** Long enough for a broker that was started at the same moment. */
const FIRST_CONNECT_MS = 5_000;
const ATTEMPT_MS = 3_000;
const RETRY_MS = 250;

// The client throws when it reads a header that it would not send, and then reads nothing more: one such message would
// end the connection of each process that receives it. To us it is a message without headers.
const decode = MsgHdrsImpl.decode.bind(MsgHdrsImpl);
MsgHdrsImpl.decode = (bytes) => {
  try {
    return decode(bytes);
  } catch {
    return new MsgHdrsImpl();
  }
};

/**
 * A connection that reconnects on its own, and knows whether it is up. The process ends if the broker closes it for
 * good or refuses a subscription: the client forgets that one, and does not subscribe again when the broker is back.
 */
export interface BusConnection {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  isUp(): boolean;
  /** A subject that only this connection listens to, for one reply or several. */
  newInbox(): string;
  /** Rejects when the broker does not respond now. */
  check(): Promise<void>;
  /** Resolves once the broker has accepted every subscription so far. */
  subscribed(): Promise<void>;
  /** Finishes what was received, sends what is waiting, and closes. */
  close(): Promise<void>;
}

/** How a process authenticates to the broker, besides a user and password in the URL, and whom it trusts. */
export interface BusLogin {
  /** The text of a credentials file, as `nsc` makes it. */
  creds?: string | undefined;
  /** The seed of an NKey. */
  nkeySeed?: string | undefined;
  /** PEM texts: the authority that signed the broker's certificate, and a client certificate with its key. */
  tls?: { ca?: string | undefined; cert?: string | undefined; key?: string | undefined } | undefined;
}

export interface BusOptions extends BusLogin {
  url: string;
  name: string;
  logger: Logger;
}

/**
 * Connects to the broker at `url`, such as `nats://user:password@host:4222` (several with the same user may be given,
 * separated by commas). With `tls://` the password is only sent over TLS. Replies go to inboxes under `name`, the only
 * ones that a process's user may read.
 *
 * @throws {Error} that names the broker and its addresses, if none accepts this process within 5 seconds
 */
export async function connectBus(options: BusOptions): Promise<BusConnection> {
  const urls = natsUrlsIn(options.url).map((url) => new URL(url));
  const [{ username, password } = { username: '', password: '' }] = urls;
  const certificates = Object.fromEntries(
    Object.entries(options.tls ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const encrypted = urls.some(({ protocol }) => protocol === 'tls:') || Object.keys(certificates).length > 0;
  const authenticator = authenticatorOf(options);
  const inboxPrefix = inboxPrefixOf(options.name);
  const nats = await firstConnection({
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(authenticator === undefined ? {} : { authenticator }),
    ...(encrypted ? { tls: certificates } : {}),
    name: options.name,
    inboxPrefix,
    maxReconnectAttempts: -1,
    // By default two authentication errors in a process's life close the connection for good: one during each of two
    // broker restarts.
    ignoreAuthErrorAbort: true,
    timeout: ATTEMPT_MS,
    ...dialInRounds(),
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    // By default every request and publish creates an Error in case it fails.
    noAsyncTraces: true,
  });
  let up = true;
  let closing = false;
  const watch = async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        up = false;
        options.logger.warn('the broker is not reachable; reconnecting');
      } else if (status.type === 'reconnect') {
        up = true;
        options.logger.info('the broker is back');
      } else if (status.type === 'error') {
        const { error } = status;
        options.logger.warn({ err: error }, 'the broker reports an error');
        if (error instanceof PermissionViolationError && error.operation === 'subscription') {
          endProcess(`the broker does not let this process subscribe to ${error.subject}`, error);
        }
      }
    }
  };
  watch().catch((err: unknown) => options.logger.error({ err }, 'the broker connection can no longer be watched'));

  void nats.closed().then((cause) => {
    if (!closing) endProcess('the connection to the broker was closed for good', cause);
  });

  return {
    nats,
    logger: options.logger,
    check: async () => {
      if (!up) throw new Error('the broker is not reachable');
      await nats.flush();
    },
    subscribed: async () => {
      // A refusal comes before the reply to this, and ends the process before the next turn.
      await nats.flush();
      await turn();
    },
    newInbox: () => createInbox(inboxPrefix),
    isUp: () => up && !nats.isClosed() && !nats.isDraining(),
    close: async () => {
      closing = true;
      if (up) await nats.drain();
      else await nats.close();
    },
  };
}

function authenticatorOf({ creds, nkeySeed }: BusLogin): Authenticator | undefined {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (creds !== undefined) return credsAuthenticator(bytes(creds));
  return nkeySeed === undefined ? undefined : nkeyAuthenticator(bytes(nkeySeed.trim()));
}

/** The supervisor restarts the process. If the caller threw this, it would be a rejection, which is only logged. */
function endProcess(message: string, cause: unknown): void {
  process.nextTick(() => {
    throw new Error(message, { cause });
  });
}

/**
 * Dials each broker once, then waits. The client adds the wait to the wall clock's time of a broker's last attempt:
 * after the clock was set back, it would not dial until that time came again. With -Infinity it dials at any time.
 */
function dialInRounds(): Pick<ConnectionOptions, 'reconnectDelayHandler' | 'reconnectToServer'> {
  let brokers = 1;
  let calls = 0;
  return {
    reconnectDelayHandler: () => (calls++ % (brokers + 1) < brokers ? -Infinity : RETRY_MS),
    reconnectToServer: (pool) => {
      brokers = pool.length;
      return null;
    },
  };
}

async function firstConnection(options: ConnectionOptions): Promise<NatsConnection> {
  const deadline = performance.now() + FIRST_CONNECT_MS;
  for (;;) {
    try {
      return await connect(options);
    } catch (cause) {
      if (performance.now() > deadline) {
        const where = String(options.servers);
        const why = whyUnreachable(cause);
        const sentence =
          why === undefined
            ? `NATS at ${where} does not accept this process: ${cause instanceof Error ? cause.message : String(cause)}`
            : `NATS cannot be reached at ${where} (${why})`;
        throw new Error(sentence, { cause });
      }
      await delay(RETRY_MS);
    }
  }
}
