import { setTimeout as delay } from 'node:timers/promises';
import { whyUnreachable } from '@event-commerce/telemetry';
import { connect, type ConnectionOptions, createInbox, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from 'pino';
import { inboxPrefixOf } from './names.ts';

/** A broker that hangs is noticed after two pings without an answer: at the third turn, and so within two and a half seconds. */
const PING_INTERVAL_MS = 800;

/** Long enough for a broker that was started at the same moment. */
const FIRST_CONNECT_MS = 5_000;
const ATTEMPT_MS = 3_000;
const RETRY_MS = 250;

/** A connection that finds its way back by itself, and knows whether it is up now. */
export interface BusConnection {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  isUp(): boolean;
  /** A subject that only this connection listens to, for one answer or several. */
  newInbox(): string;
  /** Rejects when the broker does not answer now. */
  check(): Promise<void>;
  /** Finishes what was received, sends what is waiting, and closes. */
  close(): Promise<void>;
}

/**
 * Connects to the broker at `url`, such as `nats://user:password@host:4222` (several may be given, comma separated, with one
 * user). With `tls://` the password is sent to nobody who does not speak TLS. Answers come to inboxes under `name`, which is all
 * that a process's user may hear of them.
 *
 * @throws {Error} that names the broker and its addresses, if none lets this process in within 5 seconds
 */
export async function connectBus(options: { url: string; name: string; logger: Logger }): Promise<BusConnection> {
  const urls = options.url.split(',').map((url) => new URL(url.includes('://') ? url.trim() : `nats://${url.trim()}`));
  const [{ username, password } = { username: '', password: '' }] = urls;
  const encrypted = urls.some(({ protocol }) => protocol === 'tls:');
  const inboxPrefix = inboxPrefixOf(options.name);
  const nats = await firstConnection({
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(encrypted ? { tls: {} } : {}),
    name: options.name,
    inboxPrefix,
    maxReconnectAttempts: -1,
    // Otherwise two refusals in a process's life end the connection for good: one during each of two restarts of the broker.
    ignoreAuthErrorAbort: true,
    timeout: ATTEMPT_MS,
    reconnectTimeWait: RETRY_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    // Otherwise every request and publish builds an Error for the case that it fails.
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
        options.logger.warn({ err: status.error }, 'the broker reports an error');
      }
    }
  };
  watch().catch((err: unknown) => options.logger.error({ err }, 'lost sight of the broker connection'));

  void nats.closed().then((cause) => {
    if (closing) return;
    // Nothing here opens it again. Whoever runs this process starts it anew.
    setImmediate(() => {
      throw new Error('the connection to the broker was closed for good', { cause });
    });
  });

  return {
    nats,
    logger: options.logger,
    check: async () => {
      if (!up) throw new Error('the broker is not reachable');
      await nats.flush();
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
            ? `NATS at ${where} does not let this process in: ${cause instanceof Error ? cause.message : String(cause)}`
            : `NATS cannot be reached at ${where} (${why})`;
        throw new Error(sentence, { cause });
      }
      await delay(RETRY_MS);
    }
  }
}
