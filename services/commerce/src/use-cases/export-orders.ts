import { keyOfTenant, PlatformError, type Streamed, type Tenant } from '@event-commerce/contracts';
import { csvOf, CSV_HEADER } from '../domain/order-csv.ts';
import type { OrderFilter } from '../store/order-search.ts';
import type { OrderRepository } from '../store/order.repository.ts';

const CHUNK_CHARACTERS = 64 * 1024;
/**
 * How many exports of one company a process runs at once: each holds a cursor and a connection for as long as its
 * reader takes.
 */
const RUNNING_MAX = 4;

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', header: '', line: (order: object) => `${JSON.stringify(order)}\n` },
  csv: { type: 'text/csv; charset=utf-8; header=present', header: CSV_HEADER, line: csvOf },
} as const;
type ExportFormat = keyof typeof FORMATS;

export type ExportOrders = (tenant: Tenant, filter: OrderFilter, format: ExportFormat) => Promise<Streamed>;

/**
 * Streams every order that matches, newest first, as fast as it is read: at any time a process holds one batch of them.
 * The cursor ends with the reader.
 *
 * The returned function throws {PlatformError} RATE_LIMITED while too many exports of the company are running, and what
 * finding the first order throws
 */
export function createExport({ orders }: { orders: OrderRepository }): ExportOrders {
  const running = new Map<string, number>();
  const count = (company: string, by: number): void => {
    const now = (running.get(company) ?? 0) + by;
    if (now === 0) running.delete(company);
    else running.set(company, now);
  };

  return async (tenant, filter, format) => {
    const company = keyOfTenant(tenant);
    if ((running.get(company) ?? 0) >= RUNNING_MAX) throw tooManyExports();
    const { type, header, line } = FORMATS[format];
    count(company, 1);
    const chunks = chunksOf();
    async function* chunksOf(): AsyncGenerator<string> {
      try {
        let chunk: string = header;
        for await (const { order } of orders.all(tenant, filter)) {
          chunk += line(order);
          if (chunk.length < CHUNK_CHARACTERS) continue;
          yield chunk;
          chunk = '';
        }
        yield chunk;
      } finally {
        count(company, -1);
      }
    }
    // What fails at once is an error with a status, not a stream that breaks off.
    const first = await chunks.next();
    return { type, body: resumed(first, chunks) };
  };
}

/** `first` and then `rest`. A reader who leaves before reading anything ends `rest` too. */
function resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let next: IteratorResult<string> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const result = next ?? (await rest.next());
        next = undefined;
        return result;
      },
      return: async () => rest.return(undefined),
    }),
  };
}

function tooManyExports(): PlatformError {
  const message = `${RUNNING_MAX} exports of your company are running. Wait until one of them has ended.`;
  return new PlatformError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
}
