import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import type { User } from '../users.ts';
import { Access } from './access.ts';
import { Commands } from './commands.ts';
import { Database } from './database.ts';
import { BrokenConnectionError, CommandError, DatabaseUnavailableError, errorReply, shuttingDown } from './errors.ts';
import { frameReply, RequestReader, type Request } from './message.ts';
import { forgetOldSessions, schema } from './schema.ts';

/**
 * MongoDB's wire protocol in front of DocumentDB: `node gateway.ts --port 27017 --socket /run/postgresql`.
 * OPERATOR and OPERATOR_PASSWORD in the environment, where no process list shows them, are who may do everything there.
 *
 * While PostgreSQL does not answer, clients are turned away: what was under way ends with an error that drivers repeat, and
 * no connection is served. To a driver this is a MongoDB server that is down, which it knows how to wait for.
 */

const pollMs = 100;
const forgetEveryMs = 300_000;
/** A client that sends faster than it is answered is not read from beyond this many requests. */
const queuedMax = 64;

class Gateway {
  readonly #clientConfig: pg.ClientConfig;
  readonly #database: Database;
  readonly #commands: Commands;
  /** Every client connection, and whether a request of it is being answered. */
  readonly #clients = new Map<Socket, { answering: boolean }>();
  readonly #server: Server;
  #up = false;
  #checking: Promise<void> | undefined;
  #recovering = false;

  constructor(socketDir: string, port: number, operator: User) {
    this.#clientConfig = {
      host: socketDir,
      user: 'postgres',
      database: 'postgres',
      options: '-c client_min_messages=error',
      connectionTimeoutMillis: 3000,
    };
    this.#database = new Database(this.#clientConfig, () => void this.check());
    this.#commands = new Commands(this.#database, new Access(operator), `127.0.0.1:${port}`);
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

  /** Resolves once it is known whether PostgreSQL answers; if not, clients are turned away until it does. */
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
    if (this.#up) console.log('PostgreSQL does not answer; turning clients away until it does');
    this.#up = false;
    this.#database.reset();
    // The others' requests fail by themselves, and get an answer before their connection ends.
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
      // Tried again at the next turn; until then a few rows more are kept.
      console.error('could not forget old sessions:', error);
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
      if (!this.#up) {
        socket.destroySoon();
        return;
      }
      if (queue.length < queuedMax / 2 && socket.isPaused()) socket.resume();
    }
  }

  /** @returns undefined if the connection has to end, because there is no answer */
  async #answer(request: Request, socket: Socket): Promise<Buffer | undefined> {
    try {
      return await this.#commands.answer(request, socket);
    } catch (error) {
      if (error instanceof CommandError) return errorReply(error);
      if (error instanceof DatabaseUnavailableError) {
        // Answered once clients are turned away, if they have to be: a driver tries again at once, and only one time.
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
const { OPERATOR: user, OPERATOR_PASSWORD: password } = process.env;
if (!user || !password) throw new Error('OPERATOR and OPERATOR_PASSWORD are needed in the environment');
const gateway = new Gateway(values.socket, Number(values.port), { user, password });
await gateway.listen(Number(values.port));
console.log(`MongoDB wire protocol on 127.0.0.1:${values.port}: for development and tests only`);
await gateway.check();
