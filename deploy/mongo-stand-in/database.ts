import pg from 'pg';
import { DatabaseUnavailableError, translate } from './errors.ts';

/** A prepared statement: planned once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}
export type Value = string | Buffer | bigint | number | boolean | null;
export type Row = readonly (Buffer | null)[];

/** Two cores do not run more statements at once; more connections would only wait for each other. */
const connectionsUsual = 10;
/** Below the server's max_connections (200), which also serves its own workers. */
const connectionsMax = 160;
/**
 * A statement that waits for another transaction's row lock holds its connection. A caller that queues longer than this
 * gets a new connection; otherwise the lock's owner could be queued behind those who wait for it.
 */
const growAfterMs = 10;
const closeIdleAfterMs = 30_000;

interface Waiter {
  resolve(connection: Connection): void;
  reject(error: unknown): void;
}

/** One PostgreSQL connection, used by one statement or one transaction at a time. */
export class Connection {
  readonly #client: pg.Client;
  broken = false;
  idleSinceMs = 0;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** @throws CommandError, DatabaseUnavailableError */
  async run(statement: Statement, values: readonly Value[]): Promise<Row> {
    try {
      const result = await this.#client.query<Row>({
        name: statement.name,
        text: statement.text,
        values: values as Value[],
        rowMode: 'array',
      } as pg.QueryArrayConfig);
      return result.rows[0] ?? [];
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Runs SQL text without parameters. */
  async execute(text: string): Promise<void> {
    try {
      await this.#client.query(text);
    } catch (error) {
      throw this.#failed(error);
    }
  }

  close(): void {
    this.broken = true;
    void this.#client.end().catch(() => undefined);
  }

  #failed(error: unknown): Error {
    const translated = translate(error);
    if (translated instanceof DatabaseUnavailableError) this.broken = true;
    return translated;
  }
}

/** PostgreSQL connections for statements and transactions: few while that suffices, more when all of them wait. */
export class Database {
  readonly #config: pg.ClientConfig;
  readonly #onLost: () => void;
  readonly #idle: Connection[] = [];
  readonly #waiting: Waiter[] = [];
  #open = 0;
  #growing = false;

  /** @param onLost called when a connection closes that was not closed here */
  constructor(config: pg.ClientConfig, onLost: () => void) {
    this.#config = config;
    this.#onLost = onLost;
    setInterval(() => this.#closeIdle(), closeIdleAfterMs / 2).unref();
  }

  /** @throws CommandError, DatabaseUnavailableError */
  async run(statement: Statement, values: readonly Value[]): Promise<Row> {
    const connection = await this.take();
    try {
      return await connection.run(statement, values);
    } finally {
      this.give(connection);
    }
  }

  /** A connection for the caller alone, until `give`. @throws DatabaseUnavailableError */
  async take(): Promise<Connection> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#open < connectionsUsual) return this.#connect();
    return new Promise<Connection>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#growSoon();
    });
  }

  give(connection: Connection): void {
    if (connection.broken) {
      this.#open -= 1;
      connection.close();
      this.#growSoon();
      return;
    }
    const waiter = this.#waiting.shift();
    if (waiter !== undefined) {
      waiter.resolve(connection);
      return;
    }
    connection.idleSinceMs = Date.now();
    this.#idle.push(connection);
  }

  /** Fails all waiting callers and drops idle connections: their server is gone. */
  reset(): void {
    for (const connection of this.#idle.splice(0)) {
      connection.broken = true;
      this.give(connection);
    }
    for (const waiter of this.#waiting.splice(0)) waiter.reject(new DatabaseUnavailableError('the database is down'));
  }

  async #connect(): Promise<Connection> {
    this.#open += 1;
    const client = new pg.Client(this.#config);
    const connection = new Connection(client);
    let connected = false;
    const lost = (): void => {
      if (connection.broken || !connected) return;
      connection.broken = true;
      const at = this.#idle.indexOf(connection);
      if (at >= 0) {
        this.#idle.splice(at, 1);
        this.#open -= 1;
      }
      this.#onLost();
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.connect();
      connected = true;
      return connection;
    } catch (error) {
      this.#open -= 1;
      connection.close();
      this.#onLost();
      throw new DatabaseUnavailableError('cannot connect to the database', { cause: error });
    }
  }

  #growSoon(): void {
    if (this.#growing) return;
    this.#growing = true;
    setTimeout(() => void this.#grow(), growAfterMs);
  }

  /** Opens one connection at a time: a start costs PostgreSQL more than most statements do. */
  async #grow(): Promise<void> {
    if (this.#waiting.length > 0 && this.#open < connectionsMax) {
      try {
        this.give(await this.#connect());
      } catch (error) {
        this.#waiting.shift()?.reject(error);
      }
    }
    this.#growing = false;
    if (this.#waiting.length > 0) this.#growSoon();
  }

  #closeIdle(): void {
    const before = Date.now() - closeIdleAfterMs;
    while (this.#open > connectionsUsual && this.#idle[0] !== undefined && this.#idle[0].idleSinceMs < before) {
      this.#idle.shift()?.close();
      this.#open -= 1;
    }
  }
}

/** Runs a statement that the server gives up after `timeoutMs`. */
export async function runWithin(
  connection: Connection,
  timeoutMs: number,
  of: Statement,
  values: readonly Value[],
): Promise<Row> {
  await connection.execute(`SET statement_timeout = ${timeoutMs}`);
  try {
    return await connection.run(of, values);
  } finally {
    if (!connection.broken) await connection.execute('RESET statement_timeout');
  }
}
