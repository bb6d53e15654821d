import { deserialize, type Document } from 'bson';
import type { Socket } from 'node:net';
import { CommandError } from './errors.ts';
import type { KnownUser } from './known-user.ts';
import type { Fields } from './message.ts';
import { type Challenge, challenge, type ScramKeys, scramKeys, userIn } from './scram.ts';

const named = (commands: string) => new Set(commands.split(' '));
/** Allowed before a client has authenticated. */
const FOR_ANYONE = named('hello ismaster saslstart saslcontinue ping buildinfo connectionstatus whatsmyuri');
/** Sessions and their transactions belong to no database. */
const FOR_ANY_USER = named('startsession refreshsessions endsessions killsessions committransaction aborttransaction');
/** The commands known here that MongoDB's role `readWrite` allows in its database. */
const READ_WRITE = named(
  'find aggregate count distinct getmore killcursors listcollections listindexes collstats dbstats ' +
    'insert update delete findandmodify create drop createindexes dropindexes',
);
/** Aggregation stages that may name another database. */
const ELSEWHERE = new Set(['$out', '$merge', '$lookup', '$graphLookup', '$unionWith']);
/** How BSON begins a string field named "db". */
const NAMES_DATABASE = Buffer.from('\u0002db\0', 'latin1');

interface Account {
  keys(): ScramKeys;
  /** Whether the user may read and write in `database`; absent for a user who may do everything. */
  owns?: (database: string) => boolean;
}

interface Client {
  asked?: { user: Account; challenge: Challenge };
  user?: Account;
}

/** Authenticates clients, and allows most of them what MongoDB's role `readWrite` allows in their databases. */
export class Access {
  readonly #users: ReadonlyMap<string, Account>;
  readonly #clients = new WeakMap<Socket, Client>();

  constructor(users: readonly KnownUser[]) {
    this.#users = new Map(
      users.map(({ user, password, databaseSuffix }) => [
        user,
        {
          keys: once(() => scramKeys(password)),
          ...(databaseSuffix === undefined ? {} : { owns: (database) => database.endsWith(databaseSuffix) }),
        } satisfies Account,
      ]),
    );
  }

  /** The authentication part of a hello reply. Authenticating within the hello saves a round trip. */
  hello(fields: Fields, socket: Socket): Document {
    const first = fields.raw('speculativeAuthenticate');
    const started = first && this.#challenge(deserialize(first), socket);
    return {
      ...(fields.has('saslSupportedMechs') ? { saslSupportedMechs: ['SCRAM-SHA-256'] } : {}),
      ...(started === undefined ? {} : { speculativeAuthenticate: started }),
    };
  }

  /** @throws CommandError */
  saslStart(command: Buffer, socket: Socket): Document {
    const started = this.#challenge(deserialize(command), socket);
    if (started === undefined) throw authenticationFailed();
    return started;
  }

  /** @throws CommandError */
  saslContinue(command: Buffer, socket: Socket): Document {
    const { asked } = this.#clients.get(socket) ?? {};
    const message = asked?.challenge.verify(payloadOf(deserialize(command)));
    if (asked === undefined || message === undefined) {
      this.#clients.delete(socket);
      throw authenticationFailed();
    }
    this.#clients.set(socket, { user: asked.user });
    return { conversationId: 1, done: true, payload: Buffer.from(message) };
  }

  /**
   * Refuses a command, named in lower case, that the client of `socket` may not run.
   * @throws CommandError with MongoDB's code 13
   */
  check(command: string, { db, fields, body }: { db: string; fields: Fields; body: Buffer }, socket: Socket): void {
    if (FOR_ANYONE.has(command)) return;
    const user = this.#clients.get(socket)?.user;
    if (user === undefined) throw unauthorized(`Command ${fields.first} requires authentication`);
    if (user.owns === undefined || FOR_ANY_USER.has(command)) return;
    const leaves = command === 'aggregate' && body.includes(NAMES_DATABASE) && leavesFor(deserialize(body), user.owns);
    if (READ_WRITE.has(command) && user.owns(db) && !leaves) return;
    throw unauthorized(`not authorized on ${db} to execute command ${fields.first}`);
  }

  #challenge(start: Document, socket: Socket): Document | undefined {
    const clientFirst = payloadOf(start);
    const user = this.#users.get(userIn(clientFirst) ?? '');
    if (user === undefined || start['mechanism'] !== 'SCRAM-SHA-256') return undefined;
    const asked = { user, challenge: challenge(clientFirst, user.keys()) };
    this.#clients.set(socket, { asked });
    return { conversationId: 1, done: false, payload: Buffer.from(asked.challenge.message) };
  }
}

/** Whether any stage in `value` names a database that is not owned. */
function leavesFor(value: unknown, owns: (database: string) => boolean, inStage = false): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) =>
      (inStage && name === 'db' && typeof inner === 'string' && !owns(inner)) ||
      leavesFor(inner, owns, inStage || ELSEWHERE.has(name)),
  );
}

function payloadOf({ payload }: Document): string {
  const bytes = (payload as { buffer?: Uint8Array } | undefined)?.buffer;
  return bytes === undefined ? '' : Buffer.from(bytes).toString();
}

function authenticationFailed(): CommandError {
  return new CommandError(18, 'AuthenticationFailed', 'Authentication failed.');
}

function unauthorized(message: string): CommandError {
  return new CommandError(13, 'Unauthorized', message);
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
