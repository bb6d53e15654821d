import { keyOfTenant, type Page, PlatformError, type Streamed, type Tenant } from '@event-commerce/contracts';
import { keyedMutex } from '../concurrency/keyed-mutex.ts';
import { type CsvCell, csvRow } from './csv.ts';

const CHUNK_CHARACTERS = 64 * 1024;
/** The most records read in one round trip. */
const PAGE = 200;
/** How many exports of one company a process runs at once. */
const RUNNING_MAX = 4;

/** How a record is written. */
interface Format<T> {
  type: string;
  header: string;
  line: (record: T) => string;
}

/** The formats of exports; `csv`: how to write records as rows. */
export function formatsOf<T extends object>(csv: Pick<Format<T>, 'header' | 'line'>) {
  return {
    ndjson: { type: 'application/x-ndjson', header: '', line: (record: T) => `${JSON.stringify(record)}\n` },
    csv: { type: 'text/csv; charset=utf-8; header=present', ...csv },
  } as const satisfies Record<string, Format<T>>;
}

/** What each column shows of a record, by its name. */
export type Columns<T> = Readonly<Record<string, (record: T) => CsvCell>>;

/** Records as CSV (RFC 4180): the header, and each record as one line. Amounts are minor units. */
export function csvWith<T>(columns: Columns<T>) {
  const cells = Object.values(columns);
  return { header: csvRow(Object.keys(columns)), line: (record: T) => csvRow(cells.map((cell) => cell(record))) };
}

type ReadPage<T> = (query: { limit: number; cursor?: string }) => Promise<Page<T>>;
export type ExportAll = <T>(tenant: Tenant, format: Format<T>, read: ReadPage<T>) => Promise<Streamed>;

/**
 * Streams everything that `read` has, newest first, as fast as it is read, page by page: a slow reader holds one page,
 * and nothing at the database. All exports of a company together read one page at a time.
 *
 * The returned function throws {PlatformError} RATE_LIMITED while too many exports of the company are running, and the
 * errors of finding the first record
 */
export function createExports(): ExportAll {
  const running = new Map<string, number>();
  const inTurnOfCompany = keyedMutex();
  const count = (company: string, by: number): void => {
    const now = (running.get(company) ?? 0) + by;
    if (now === 0) running.delete(company);
    else running.set(company, now);
  };

  return async <T>(tenant: Tenant, { type, header, line }: Format<T>, read: ReadPage<T>) => {
    const company = keyOfTenant(tenant);
    if ((running.get(company) ?? 0) >= RUNNING_MAX) throw tooManyExports();
    count(company, 1);
    const chunks = chunksOf();
    async function* chunksOf(): AsyncGenerator<string> {
      try {
        let chunk = header;
        let cursor: string | undefined;
        do {
          const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
          const { data, page } = await inTurnOfCompany(company, async () => read(query));
          for (const record of data) {
            chunk += line(record);
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
