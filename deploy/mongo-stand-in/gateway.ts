import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Access } from './access.ts';
import { Commands } from './commands.ts';
import { Database } from './database.ts';
import { BrokenConnectionError, CommandError, DatabaseUnavailableError, errorReply, shuttingDown } from './errors.ts';
import type { KnownUser } from './known-user.ts';
import { frameReply, RequestReader, type Request } from './message.ts';
import { forgetOldSessions, schema } from './schema.ts';

/**
 * MongoDB's wire protocol in front of DocumentDB: `node gateway.ts --port 27017 --socket /run/postgresql`. MONGO_USERS
 * lists the users (`known-user.ts`) in JSON.
 *
 * While PostgreSQL does not respond, clients are disconnected: commands in flight fail with an error that drivers
 * retry, and no connection is served. To a driver this is a MongoDB server that is down, which it knows how to wait
 * for.
 */

const pollMs = 100;
const forgetEveryMs = 300_000;
/** A PostgreSQL that is down refuses at once; one that is busy with a race of hundreds of writers may take seconds. */
const connectWithinMs = 30_000;
/** Beyond this many requests in flight the connection is not read: its client sends faster than it gets replies. */
const queuedMax = 64;

class Gateway {
  readonly #clientConfig: pg.ClientConfig;
  readonly #database: Database;
  readonly #commands: Commands;
  /** Every client connection, and whether one of its requests is in progress. */
  readonly #clients = new Map<Socket, { answering: boolean }>();
  readonly #server: Server;
  #up = false;
  #checking: Promise<void> | undefined;
  #recovering = false;

  constructor(socketDir: string, port: number, users: readonly KnownUser[]) {
    this.#clientConfig = {
      host: socketDir,
      user: 'postgres',
      database: 'postgres',
      options: '-c client_min_messages=error',
      connectionTimeoutMillis: connectWithinMs,
    };
    this.#database = new Database(this.#clientConfig, () => void this.check());
    this.#commands = new Commands(this.#database, new Access(users), `127.0.0.1:${port}`);
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    setInterval(() => {
      if (this.#up) void this.#forgetOldSessions();
    }, forgetEveryMs).unref();
  }

  /** Resolves once it is known whether PostgreSQL responds. If not, clients are disconnected until it does. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    if (await this.#prepareDatabase()) {
      if (!this.#up) console.log('ready');
      this.#up = true;
      return;
    }
    if (this.#up) console.log('PostgreSQL does not respond; disconnecting clients until it does');
    this.#up = false;
    this.#database.reset();
    // The other requests fail on their own, and get a reply before their connection closes.
    for (const [socket, { answering }] of this.#clients) if (!answering) socket.destroy();
    if (!this.#recovering) void this.#recover();
  }

  async #recover(): Promise<void> {
    this.#recovering = true;
    while (!this.#up) {
      await delay(pollMs);
      await this.check();
    }
    this.#recovering = false;
  }

  async #prepareDatabase(): Promise<boolean> {
    const client = new pg.Client(this.#clientConfig);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query(this.#up ? 'SELECT 1' : schema);
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && !error.code?.startsWith('57P')) console.error(error.message);
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #forgetOldSessions(): Promise<void> {
    try {
      const connection = await this.#database.take();
      await connection.execute(forgetOldSessions).finally(() => this.#database.give(connection));
    } catch (error) {
      // Retried on the next turn; until then a few more rows are kept.
      console.error('could not delete old sessions:', error);
    }
  }

  #accept(socket: Socket): void {
    if (!this.#up) {
      socket.destroy();
      return;
    }
    const client = { answering: false };
    this.#clients.set(socket, client);
    const reader = new RequestReader();
    const queue: Request[] = [];
    socket.on('data', (chunk: Buffer) => {
      try {
        queue.push(...reader.push(chunk));
      } catch (error) {
        console.error('closing a client connection:', error);
        socket.destroy();
        return;
      }
      if (queue.length > queuedMax) socket.pause();
      if (client.answering) return;
      client.answering = true;
      void this.#answerAll(queue, socket).finally(() => {
        client.answering = false;
      });
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#clients.delete(socket);
      queue.length = 0;
    });
  }

  /** Answers requests in order, one at a time: a connection's commands may depend on each other. */
  async #answerAll(queue: Request[], socket: Socket): Promise<void> {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      const reply = await this.#answer(request, socket);
      if (socket.destroyed) return;
      if (reply === undefined) {
        socket.destroy();
        return;
      }
      if (request.wantsReply) socket.write(frameReply(request, reply));
      if (!this.#up) {
        socket.destroySoon();
        return;
      }
      if (queue.length < queuedMax / 2 && socket.isPaused()) socket.resume();
    }
  }

  /** @returns undefined if the connection must close because there is no reply */
  async #answer(request: Request, socket: Socket): Promise<Buffer | undefined> {
    try {
      return await this.#commands.answer(request, socket);
    } catch (error) {
      if (error instanceof CommandError) return errorReply(error);
      if (error instanceof DatabaseUnavailableError) {
        // Replies only once clients have been disconnected, if they must be: a driver retries at once, and only once.
        await this.check();
        return errorReply(shuttingDown(request.body));
      }
      if (!(error instanceof BrokenConnectionError)) console.error('closing a client connection:', error);
      return undefined;
    }
  }
}

const { values } = parseArgs({ options: { port: { type: 'string' }, socket: { type: 'string' } } });
if (values.port === undefined || values.socket === undefined) throw new Error('--port and --socket are needed');
const { MONGO_USERS: users } = process.env;
if (!users) throw new Error('MONGO_USERS is needed in the environment');
const gateway = new Gateway(values.socket, Number(values.port), JSON.parse(users) as KnownUser[]);
await gateway.listen(Number(values.port));
console.log(`MongoDB wire protocol on 127.0.0.1:${values.port}: for development and tests only`);
await gateway.check();
