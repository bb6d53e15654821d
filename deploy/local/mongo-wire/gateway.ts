import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Commands } from './commands.ts';
import { Database } from './database.ts';
import { CommandError, DatabaseUnavailableError, errorReply } from './errors.ts';
import { frameReply, RequestReader, type Request } from './message.ts';
import { forgetOldSessions, schema } from './schema.ts';

/**
 * MongoDB's wire protocol in front of DocumentDB: `node gateway.ts --port 27017 --socket /run/postgresql`.
 *
 * While PostgreSQL does not answer, every client connection is closed at once: to a driver this is a MongoDB server that is
 * down, which it knows how to wait for and when to repeat.
 */

const pollMs = 100;
const forgetEveryMs = 300_000;
/** A client that sends faster than it is answered is not read from beyond this many requests. */
const queuedMax = 64;

class Gateway {
  readonly #clientConfig: pg.ClientConfig;
  readonly #database: Database;
  readonly #commands: Commands;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #up = false;
  #checking: Promise<void> | undefined;

  constructor(socketDir: string) {
    this.#clientConfig = {
      host: socketDir,
      user: 'postgres',
      database: 'postgres',
      options: '-c client_min_messages=error',
      connectionTimeoutMillis: 3000,
    };
    this.#database = new Database(this.#clientConfig, () => void this.check());
    this.#commands = new Commands(this.#database);
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

  /** Finds out whether PostgreSQL answers, and waits until it does. */
  check(): Promise<void> {
    this.#checking ??= this.#waitForDatabase().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #waitForDatabase(): Promise<void> {
    while (!(await this.#prepareDatabase())) {
      if (this.#up) {
        this.#up = false;
        console.log('PostgreSQL does not answer; closing client connections until it does');
      }
      this.#database.reset();
      for (const socket of this.#sockets) socket.destroy();
      await delay(pollMs);
    }
    if (!this.#up) console.log('ready');
    this.#up = true;
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
      // Tried again at the next turn; until then a few rows more are kept.
      console.error('could not forget old sessions:', error);
    }
  }

  #accept(socket: Socket): void {
    if (!this.#up) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    const reader = new RequestReader();
    const queue: Request[] = [];
    let answering = false;
    socket.on('data', (chunk: Buffer) => {
      try {
        queue.push(...reader.push(chunk));
      } catch (error) {
        console.error('closing a client connection:', error);
        socket.destroy();
        return;
      }
      if (queue.length > queuedMax) socket.pause();
      if (answering) return;
      answering = true;
      void this.#answerAll(queue, socket).finally(() => {
        answering = false;
      });
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      queue.length = 0;
      void this.#commands.disconnected(socket);
    });
  }

  /** In order, one at a time: a connection's commands may depend on each other. */
  async #answerAll(queue: Request[], socket: Socket): Promise<void> {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      const reply = await this.#answer(request, socket);
      if (socket.destroyed) return;
      if (reply === undefined) {
        socket.destroy();
        return;
      }
      if (request.wantsReply) socket.write(frameReply(request, reply));
      if (queue.length < queuedMax / 2 && socket.isPaused()) socket.resume();
    }
  }

  /** @returns undefined if the connection has to end, because there is no true answer */
  async #answer(request: Request, socket: Socket): Promise<Buffer | undefined> {
    try {
      return await this.#commands.answer(request, socket);
    } catch (error) {
      if (error instanceof CommandError) return errorReply(error);
      // Without an answer that is true, the driver has to find out by itself: it repeats what can be repeated.
      console.error('closing a client connection:', error);
      if (error instanceof DatabaseUnavailableError) void this.check();
      return undefined;
    }
  }
}

const { values } = parseArgs({ options: { port: { type: 'string' }, socket: { type: 'string' } } });
if (values.port === undefined || values.socket === undefined) throw new Error('--port and --socket are needed');
const gateway = new Gateway(values.socket);
await gateway.listen(Number(values.port));
console.log(
  `MongoDB wire protocol on 127.0.0.1:${values.port}, without authentication: for development and tests only`,
);
await gateway.check();
