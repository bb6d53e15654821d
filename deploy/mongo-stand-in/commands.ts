import { deserialize } from 'bson';
import type { Socket } from 'node:net';
import type { Access } from './access.ts';
import { type Call, collection, cursorOf, notInTransaction, scale, transactionOf } from './call.ts';
import { Cursors } from './cursors.ts';
import { type Database, type Row, runWithin, type Statement, type Value } from './database.ts';
import { CommandError, translateWriteErrors, withWriteConcernError } from './errors.ts';
import { FailPoints } from './fail-points.ts';
import { FIXED_REPLIES, hello } from './hello.ts';
import { encode, Fields, type Request } from './message.ts';
import { retryLost } from './retry-lost.ts';
import { statements } from './statements.ts';
import { Transactions } from './transactions.ts';

type Command = (call: Call) => Promise<Buffer> | Buffer;
type Verb = 'insert' | 'update' | 'delete' | 'findAndModify' | 'findAndRemove';

const ok = encode({ ok: 1 });

/** Runs commands as the primary of a replica set of one. One per process; `Socket` only identifies a connection. */
export class Commands {
  readonly #database: Database;
  readonly #access: Access;
  readonly #transactions: Transactions;
  readonly #cursors = new Cursors();
  readonly #failPoints = new FailPoints();
  readonly #table: Readonly<Record<string, Command>>;
  /** Concurrent index builds on one collection can deadlock; sequential ones cannot. */
  #indexBuild: Promise<unknown> = Promise.resolve();

  /** @param address where clients reach this process, as the only member of a replica set */
  constructor(database: Database, access: Access, address: string) {
    this.#database = database;
    this.#access = access;
    this.#transactions = new Transactions(database);
    const read = (of: Statement): Command => {
      return (call) => this.#query(call, of, [call.db, call.request.body]);
    };
    const cursor = (of: Statement): Command => {
      return (call) => this.#openCursor(call, of);
    };
    const modify = (verb: Verb): Command => {
      return (call) => this.#write(call, verb);
    };
    const fixed = (document: Record<string, unknown>): Command => {
      const reply = encode({ ...document, ok: 1 });
      return () => reply;
    };
    this.#table = {
      hello: (call) => this.#hello(call, address),
      ismaster: (call) => this.#hello(call, address),
      saslstart: ({ request, socket }) => encode({ ...access.saslStart(request.body, socket), ok: 1 }),
      saslcontinue: ({ request, socket }) => encode({ ...access.saslContinue(request.body, socket), ok: 1 }),
      ping: () => ok,
      ...Object.fromEntries(Object.entries(FIXED_REPLIES).map(([name, reply]) => [name, fixed(reply)])),
      whatsmyuri: (call) => encode({ you: `${call.socket.remoteAddress}:${call.socket.remotePort}`, ok: 1 }),
      serverstatus: () => encode({ version: '7.0.0', uptime: process.uptime(), localTime: new Date(), ok: 1 }),

      find: cursor(statements.find),
      aggregate: cursor(statements.aggregate),
      listcollections: cursor(statements.listCollections),
      listindexes: cursor(statements.listIndexes),
      getmore: (call) => this.#getMore(call),
      killcursors: (call) => this.#killCursors(call),

      insert: modify('insert'),
      update: modify('update'),
      delete: modify('delete'),
      findandmodify: (call) =>
        this.#write(call, call.fields.boolean('remove') === true ? 'findAndRemove' : 'findAndModify'),

      count: read(statements.count),
      distinct: read(statements.distinct),
      validate: read(statements.validate),
      collstats: (call) => this.#query(call, statements.collStats, [call.db, collection(call), scale(call)]),
      dbstats: (call) => this.#query(call, statements.dbStats, [call.db, scale(call)]),
      listdatabases: (call) => this.#query(call, statements.listDatabases, [call.request.body]),

      create: read(statements.create),
      createindexes: (call) =>
        this.#inTurn(() => this.#query(call, statements.createIndexes, [call.db, call.request.body])),
      dropindexes: (call) =>
        this.#inTurn(() => this.#query(call, statements.dropIndexes, [call.db, call.request.body])),
      collmod: (call) => this.#query(call, statements.collMod, [call.db, call.request.body, collection(call)]),
      renamecollection: (call) => this.#query(call, statements.renameCollection, [call.request.body]),
      drop: (call) => this.#drop(call),
      dropdatabase: async (call) => {
        await this.#inTurn(() => this.#database.run(statements.dropDatabase, [call.db]));
        return encode({ dropped: call.db, ok: 1 });
      },

      committransaction: async (call) => {
        await this.#transactions.commit(transactionOf(call) ?? notInTransaction(call));
        return ok;
      },
      aborttransaction: async (call) => {
        await this.#transactions.abort(transactionOf(call) ?? notInTransaction(call));
        return ok;
      },
      startsession: () => encode({ timeoutMinutes: 30, ok: 1 }),
      refreshsessions: () => ok,
      endsessions: (call) => this.#endSessions(call),
      killsessions: (call) => this.#endSessions(call),
      configurefailpoint: (call) => {
        this.#failPoints.configure(call.request.body);
        return ok;
      },
    };
  }

  /** @throws CommandError, DatabaseUnavailableError, MalformedMessageError */
  async answer(request: Request, socket: Socket): Promise<Buffer> {
    const fields = new Fields(request.body);
    const name = fields.first.toLowerCase();
    const db = fields.string('$db') ?? 'admin';
    this.#access.check(name, { db, fields, body: request.body }, socket);
    const command = this.#table[name];
    if (command === undefined) throw new CommandError(59, 'CommandNotFound', `no such command: '${fields.first}'`);
    const wrong = await this.#failPoints.fail(fields, socket);
    const reply = await command({ db, fields, request, socket });
    return wrong === undefined ? reply : withWriteConcernError(reply, wrong, fields);
  }

  #hello({ fields, socket }: Call, address: string): Buffer {
    const client = fields.raw('client');
    const application = client && new Fields(client).raw('application');
    const name = application && new Fields(application).string('name');
    if (name !== undefined) this.#failPoints.introduced(socket, name);
    return encode({ ...hello(socket, address), ...this.#access.hello(fields, socket), ok: 1 });
  }

  /** Runs a statement within the call's transaction if it names one, otherwise on any connection. */
  async #run(call: Call, of: Statement, values: readonly Value[]): Promise<Row> {
    const transaction = transactionOf(call);
    if (transaction !== undefined) {
      return this.#transactions.run(transaction, (connection) => connection.run(of, values));
    }
    const timeoutMs = call.fields.first === 'getMore' ? undefined : call.fields.integer('maxTimeMS');
    if (timeoutMs === undefined || timeoutMs === 0n) return this.#database.run(of, values);
    const connection = await this.#database.take();
    try {
      return await runWithin(connection, Number(timeoutMs), of, values);
    } finally {
      this.#database.give(connection);
    }
  }

  async #query(call: Call, of: Statement, values: readonly Value[]): Promise<Buffer> {
    const run = async () => this.#run(call, of, values);
    const [reply] = await (transactionOf(call) === undefined ? retryLost(run) : run());
    return reply ?? ok;
  }

  async #write(call: Call, verb: Verb): Promise<Buffer> {
    const { fields, request } = call;
    const transaction = transactionOf(call);
    const number = fields.integer('txnNumber');
    const session = fields.raw('lsid');
    const plain = verb.startsWith('find') ? [call.db, request.body] : [call.db, request.body, request.sequence];
    if (transaction !== undefined) {
      return this.#transactions.run(transaction, async (connection, end) => {
        const row = await connection.run(statements[verb], plain);
        if (!succeeded(row)) end();
        return writeReply(row, true);
      });
    }
    const repeatable = number !== undefined && session !== undefined;
    const of = repeatable ? statements.writeOnce : statements[verb];
    const values = repeatable ? [call.db, request.body, request.sequence, verb, session, number] : plain;
    return retryLost(async () => writeReply(await this.#run(call, of, values), false));
  }

  async #openCursor(call: Call, of: Statement): Promise<Buffer> {
    const [page, continuation, id] = await this.#run(call, of, [call.db, call.request.body]);
    if (page == null) throw new CommandError(8000, 'InternalError', 'the database returned nothing');
    if (continuation != null && id != null) this.#cursors.opened(cursorOf(call, String(id)), continuation);
    return page;
  }

  async #getMore(call: Call): Promise<Buffer> {
    const id = String(call.fields.integer('getMore'));
    const continuation = this.#cursors.continuation(cursorOf(call, id));
    if (continuation === undefined) throw new CommandError(43, 'CursorNotFound', `cursor id ${id} not found`);
    const [page, next] = await this.#run(call, statements.getMore, [call.db, call.request.body, continuation]);
    if (page == null) throw new CommandError(8000, 'InternalError', 'the database returned nothing');
    this.#cursors.advanced(cursorOf(call, id), next ?? undefined);
    return page;
  }

  #killCursors(call: Call): Buffer {
    const { cursors = [] } = deserialize(call.request.body, { useBigInt64: true }) as { cursors?: bigint[] };
    const cursorsKilled = cursors.filter((id) => this.#cursors.killed(cursorOf(call, String(id))));
    const cursorsNotFound = cursors.filter((id) => !cursorsKilled.includes(id));
    return encode({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 });
  }

  async #drop(call: Call): Promise<Buffer> {
    const name = collection(call);
    await this.#inTurn(() => this.#database.run(statements.drop, [call.db, name]));
    return encode({ ns: `${call.db}.${name}`, ok: 1 });
  }

  async #endSessions(call: Call): Promise<Buffer> {
    const sessions = call.fields.raw(call.fields.first);
    if (sessions !== undefined) {
      const ended: Promise<void>[] = [];
      const list = new Fields(sessions);
      for (let i = 0; list.has(String(i)); i++) {
        const session = list.raw(String(i));
        if (session !== undefined) ended.push(this.#transactions.sessionEnded(session));
      }
      await Promise.all(ended);
    }
    return ok;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#indexBuild.then(work, work);
    this.#indexBuild = turn.catch(() => undefined);
    return turn;
  }
}

/** Whether every part of a write took effect. */
function succeeded([, success]: Row): boolean {
  // The only column that is not bytes.
  return (success as unknown) === true;
}

/** @throws CommandError for a write conflict */
function writeReply(row: Row, inTransaction: boolean): Buffer {
  const [reply] = row;
  if (reply == null) throw new CommandError(8000, 'InternalError', 'the database returned nothing');
  return succeeded(row) ? reply : translateWriteErrors(reply, inTransaction);
}
