import type { Socket } from 'node:net';
import { CommandError } from './errors.ts';
import type { Fields, Request } from './message.ts';
import type { TransactionCommand } from './transactions.ts';

/** The parts of a command's message and connection that it needs. */
export interface Call {
  readonly db: string;
  readonly fields: Fields;
  readonly request: Request;
  readonly socket: Socket;
}

export function transactionOf({ fields }: Call): TransactionCommand | undefined {
  if (fields.boolean('autocommit') !== false) return undefined;
  const session = fields.raw('lsid');
  const number = fields.integer('txnNumber');
  if (session === undefined || number === undefined) return undefined;
  // The bytes are kept for the life of the transaction; a copy does not retain the whole message.
  return { session: Buffer.from(session), number, starts: fields.boolean('startTransaction') === true };
}

export function notInTransaction(call: Call): never {
  throw new CommandError(251, 'NoSuchTransaction', `${call.fields.first} outside of a transaction`);
}

export function collection(call: Call): string {
  const name = call.fields.string(call.fields.first);
  if (name === undefined) throw new CommandError(73, 'InvalidNamespace', 'collection name has invalid type');
  return name;
}

/** A cursor belongs to its database: a user without access to it cannot continue it. */
export function cursorOf({ db }: Call, id: string): string {
  return `${db} ${id}`;
}

export function scale(call: Call): string {
  return String(call.fields.integer('scale') ?? 1n);
}
