import { keyOfTenant, PlatformError, type Streamed, type Tenant } from '@event-commerce/contracts';
import { keyedMutex } from '@event-commerce/service-kit';
import { csvOf, CSV_HEADER } from './order-csv.ts';
import type { OrderFilter } from './order-search.ts';
import type { OrderRepository } from './order.repository.ts';

const CHUNK_CHARACTERS = 64 * 1024;
/** The most orders read in one round trip. */
const PAGE = 200;
/** How many exports of one company a process runs at once. */
const RUNNING_MAX = 4;

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', header: '', line: (order: object) => `${JSON.stringify(order)}\n` },
  csv: { type: 'text/csv; charset=utf-8; header=present', header: CSV_HEADER, line: csvOf },
} as const;
type ExportFormat = keyof typeof FORMATS;

export type ExportOrders = (tenant: Tenant, filter: OrderFilter, format: ExportFormat) => Promise<Streamed>;

/**
 * Streams every order that matches, newest first, as fast as it is read, page by page: a slow reader holds one page,
 * and nothing at the database. All exports of a company together read one page at a time.
 *
 * The returned function throws {PlatformError} RATE_LIMITED while too many exports of the company are running, and the
 * errors of finding the first order
 */
export function createExport({ orders }: { orders: OrderRepository }): ExportOrders {
  const running = new Map<string, number>();
  const inTurnOfCompany = keyedMutex();
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
        let cursor: string | undefined;
        do {
          const query = { ...filter, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
          const { data, page } = await inTurnOfCompany(company, async () => orders.page(tenant, query));
          for (const { order } of data) {
            chunk += line(order);
            if (chunk.length < CHUNK_CHARACTERS) continue;
            yield chunk;
            chunk = '';
          }
          // The first bytes are sent without waiting for the next page.
          if (chunk !== '') yield chunk;
          chunk = '';
          cursor = page.next ?? undefined;
        } while (cursor !== undefined);
      } finally {
        count(company, -1);
      }
    }
    // An immediate failure is an error with a status, not a stream that breaks off.
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
  const message = `${RUNNING_MAX} exports of your company are already running. Start another once one of them completes.`;
  return new PlatformError('RATE_LIMITED', message, { retryAfterSeconds: 5 });
}
