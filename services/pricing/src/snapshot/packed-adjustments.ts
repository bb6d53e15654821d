import { setImmediate as turn } from 'node:timers/promises';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Tenant } from '@event-commerce/contracts';
import { LRUCache } from 'lru-cache';
import type { UnreadableAdjustment } from '../adjustments/adjustment-record.ts';
import type { Definition, Definitions } from './definitions.ts';

/** The memory that a company takes besides its adjustments. */
const COMPANY_BYTES = 300;
/** How much JSON is packed or unpacked at once, in about a millisecond: an adjustment may have hundreds of targets. */
const PIECE_LENGTH = 200_000;

type Batch = readonly Definition[];
type Readable = Exclude<Definition, UnreadableAdjustment>;

/**
 * Reads companies' live adjustments and budgets, and keeps them compressed, in a fraction of a snapshot's memory: a
 * company whose snapshot was evicted is restored without a query. A company that has changed since it was read is
 * dropped.
 */
export class PackedAdjustments {
  readonly #adjustments: Pick<Definitions, 'readLive'>;
  readonly #packed: LRUCache<Tenant, readonly Uint8Array[]>;
  /** The last read of each company: only a read without a change in between is kept. */
  readonly #readings = new Map<Tenant, symbol>();

  constructor(adjustments: Pick<Definitions, 'readLive'>, bytesMax: number) {
    this.#adjustments = adjustments;
    this.#packed = new LRUCache({ maxSize: bytesMax, maxEntrySize: bytesMax / 2, sizeCalculation: bytesOf });
  }

  get bytes(): number {
    return this.#packed.calculatedSize;
  }

  async *readLive(tenant: Tenant): AsyncGenerator<Batch> {
    const packed = this.#packed.get(tenant);
    yield* packed === undefined ? this.#readAndPack(tenant) : unpackAll(packed);
  }

  forget(tenant: Tenant): void {
    this.#packed.delete(tenant);
    this.#readings.delete(tenant);
  }

  forgetAll(): void {
    this.#packed.clear();
    this.#readings.clear();
  }

  async *#readAndPack(tenant: Tenant): AsyncGenerator<Batch> {
    const reading = Symbol();
    this.#readings.set(tenant, reading);
    try {
      let packed: Uint8Array[] | undefined = [];
      for await (const batch of this.#adjustments.readLive(tenant)) {
        packed = isReadable(batch) ? packed?.concat(await packAll(batch)) : undefined;
        yield batch;
      }
      if (packed !== undefined && this.#readings.get(tenant) === reading) this.#packed.set(tenant, packed);
    } finally {
      if (this.#readings.get(tenant) === reading) this.#readings.delete(tenant);
    }
  }
}

/** What cannot be read is tried again from time to time, so it is not kept. */
function isReadable(batch: Batch): batch is readonly Readable[] {
  return batch.every((adjustment) => !('error' in adjustment));
}

async function packAll(batch: readonly Readable[]): Promise<Uint8Array[]> {
  const packed: Uint8Array[] = [];
  for (const piece of piecesOf(batch)) {
    if (packed.length > 0) await turn();
    packed.push(pack(piece));
  }
  return packed;
}

function* piecesOf(batch: readonly Readable[]): Generator<string> {
  let texts: string[] = [];
  let length = 0;
  for (const text of batch.values().map((adjustment) => JSON.stringify(adjustment))) {
    if (length > 0 && length + text.length > PIECE_LENGTH) {
      yield `[${texts.join()}]`;
      [texts, length] = [[], 0];
    }
    texts.push(text);
    length += text.length;
  }
  yield `[${texts.join()}]`;
}

function pack(piece: string): Uint8Array {
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
  // A copy, as the result is a part of a larger buffer.
  return new Uint8Array(zstdCompressSync(piece, level));
}

async function* unpackAll(packed: readonly Uint8Array[]): AsyncGenerator<Batch> {
  for (const [n, piece] of packed.entries()) {
    if (n > 0) await turn();
    yield unpack(piece);
  }
}

function unpack(packed: Uint8Array): Readable[] {
  return JSON.parse(zstdDecompressSync(packed).toString()) as Readable[];
}

function bytesOf(packed: readonly Uint8Array[]): number {
  return packed.reduce((bytes, { byteLength }) => bytes + byteLength, COMPANY_BYTES);
}
