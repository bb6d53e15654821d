import type { Connection, Database, Row, Statement, Value } from './database.ts';
import { CommandError, DatabaseUnavailableError, isWriteConflict, transientTransactionError } from './errors.ts';

/**
 * As in MongoDB, a transaction outlives the connection of a killed client, until transactionLifetimeLimitSeconds is
 * over.
 */
const transactionLifetimeMs = 5_000;

const rememberCommit: Statement = {
  name: 'remember-commit',
  text: `INSERT INTO stand_in.commits AS c VALUES ($1, $2, clock_timestamp())
    ON CONFLICT (session) DO UPDATE SET number = excluded.number, written_at = excluded.written_at`,
};
const findCommit: Statement = {
  name: 'find-commit',
  text: 'SELECT number FROM stand_in.commits WHERE session = $1 AND number = $2',
};

interface Transaction {
  readonly session: Buffer;
  readonly number: bigint;
  readonly connection: Connection;
  readonly startedAtMs: number;
  busy: boolean;
  expired: boolean;
}

export interface TransactionCommand {
  readonly session: Buffer;
  readonly number: bigint;
  readonly starts: boolean;
}

/** Multi-document transactions. Each has its own PostgreSQL connection from its first command to its end. */
export class Transactions {
  readonly #database: Database;
  readonly #bySession = new Map<string, Transaction>();

  constructor(database: Database) {
    this.#database = database;
    setInterval(() => void this.#expire(), 1000).unref();
  }

  /**
   * Runs a command's statement within its transaction. Any failure ends the transaction, as in MongoDB: a thrown error,
   * or one in the reply, after which `work` calls `end`.
   * @throws CommandError, DatabaseUnavailableError
   */
  async run<T>(command: TransactionCommand, work: (connection: Connection, end: () => void) => Promise<T>): Promise<T> {
    const transaction = await this.#enter(command);
    try {
      return await work(transaction.connection, () => {
        transaction.expired = true;
      });
    } catch (error) {
      await this.#end(transaction, 'ROLLBACK').catch(() => undefined);
      if (isWriteConflict(error)) {
        throw new CommandError(error.code, error.codeName, error.message, [transientTransactionError]);
      }
      throw error;
    } finally {
      transaction.busy = false;
      if (transaction.expired) await this.#abort(transaction);
    }
  }

  /** Commits a transaction. Safe to repeat: a commit that already happened succeeds again. */
  async commit(command: TransactionCommand): Promise<void> {
    const transaction = this.#find(command);
    if (transaction === undefined) {
      const row: Row = await this.#database.run(findCommit, [command.session, command.number]);
      if (row.length === 0) throw noSuchTransaction(command);
      return;
    }
    transaction.busy = true;
    try {
      const values: Value[] = [command.session, command.number];
      await transaction.connection.run(rememberCommit, values);
      await this.#end(transaction, 'COMMIT');
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) {
        this.#release(transaction);
        throw error;
      }
      await this.#end(transaction, 'ROLLBACK').catch(() => undefined);
      if (isWriteConflict(error)) {
        throw new CommandError(error.code, error.codeName, error.message, [transientTransactionError]);
      }
      throw error;
    }
  }

  async abort(command: TransactionCommand): Promise<void> {
    const transaction = this.#find(command);
    if (transaction === undefined) throw noSuchTransaction(command);
    await this.#abort(transaction);
  }

  /** Aborts the session's transaction, if it has one. */
  async sessionEnded(session: Buffer): Promise<void> {
    const transaction = this.#bySession.get(session.toString('latin1'));
    if (transaction !== undefined) await this.#abort(transaction);
  }

  async #enter(command: TransactionCommand): Promise<Transaction> {
    if (!command.starts) {
      const transaction = this.#find(command);
      if (transaction === undefined || transaction.expired) throw noSuchTransaction(command);
      transaction.busy = true;
      return transaction;
    }
    await this.sessionEnded(command.session);
    const connection = await this.#database.take();
    const transaction: Transaction = {
      session: command.session,
      number: command.number,
      connection,
      startedAtMs: Date.now(),
      busy: true,
      expired: false,
    };
    this.#bySession.set(command.session.toString('latin1'), transaction);
    try {
      await connection.execute('BEGIN ISOLATION LEVEL REPEATABLE READ');
    } catch (error) {
      this.#release(transaction);
      throw error;
    }
    return transaction;
  }

  #find(command: TransactionCommand): Transaction | undefined {
    const transaction = this.#bySession.get(command.session.toString('latin1'));
    return transaction?.number === command.number ? transaction : undefined;
  }

  /** A transaction in the middle of a statement is aborted when that statement finishes. */
  async #abort(transaction: Transaction): Promise<void> {
    transaction.expired = true;
    if (transaction.busy) return;
    await this.#end(transaction, 'ROLLBACK').catch(() => undefined);
  }

  async #end(transaction: Transaction, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    if (this.#bySession.get(transaction.session.toString('latin1')) !== transaction) return;
    try {
      await transaction.connection.execute(how);
    } catch (error) {
      // A failed COMMIT has rolled back. A connection that could not even roll back is unusable.
      if (how === 'ROLLBACK') transaction.connection.broken = true;
      else if (!(error instanceof DatabaseUnavailableError)) this.#release(transaction);
      throw error;
    } finally {
      if (how === 'ROLLBACK') this.#release(transaction);
    }
    this.#release(transaction);
  }

  #release(transaction: Transaction): void {
    const key = transaction.session.toString('latin1');
    if (this.#bySession.get(key) !== transaction) return;
    this.#bySession.delete(key);
    this.#database.give(transaction.connection);
  }

  async #expire(): Promise<void> {
    const before = Date.now() - transactionLifetimeMs;
    const old = [...this.#bySession.values()].filter((transaction) => transaction.startedAtMs < before);
    await Promise.all(old.map((transaction) => this.#abort(transaction)));
  }
}

function noSuchTransaction(command: TransactionCommand): CommandError {
  return new CommandError(251, 'NoSuchTransaction', `transaction ${command.number} is not in progress`, [
    transientTransactionError,
  ]);
}
