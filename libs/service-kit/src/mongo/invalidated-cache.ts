import { announce, type BROADCAST, broadcast, type BusConnection, onBroadcast, onReconnect } from '@event-commerce/bus';
import { recordKey, type RecordNotice, recordNotice, type Tenant } from '@event-commerce/contracts';
import { LRUCache } from 'lru-cache';

/** The subjects on which a service announces changes of its records. */
type Subject = (typeof BROADCAST)['eventChanged' | 'offeringChanged'];

/**
 * What a service replied about one of its records, asked at `askedAtMs` of the monotonic clock: `record` is undefined
 * if there is none.
 */
interface Known<Record> {
  record: Record | undefined;
  askedAtMs: number;
}

/** The most memory that a character of a record takes once it was read from JSON. */
const BYTES_PER_CHARACTER = 3;
/** The memory that a cache entry takes besides. */
const ENTRY_BYTES = 256;

/**
 * Bounds the memory of a cache of records of other services: most have a few hundred bytes, and some have many
 * kilobytes.
 */
export const recordMemory = {
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: (held: object, key: string): number =>
    ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + JSON.stringify(held).length),
};

/**
 * Remembers records of another service, within a limit of memory, each until that service announces a change of it.
 * While the broker is down no notices arrive, so everything is forgotten when it is back.
 */
export function invalidatedCache<Record extends { version: number }>(bus: BusConnection, subject: Subject) {
  const cache = new LRUCache<string, Known<Record> | { staleBelow: number }>(recordMemory);
  /** The newest version heard of. Notices and replies overtake each other. */
  const newest = (key: string): number => {
    const held = cache.get(key) ?? { staleBelow: 0 };
    return 'staleBelow' in held ? held.staleBelow : (held.record?.version ?? 0);
  };

  onBroadcast(bus, subject, (payload) => {
    const { tenant, id, version } = recordNotice.parse(JSON.parse(payload));
    const key = recordKey(tenant, id);
    cache.set(key, { staleBelow: Math.max(version, newest(key)) });
  });
  let clearedAtMs = -Infinity;
  onReconnect(bus, () => {
    cache.clear();
    clearedAtMs = performance.now();
  });

  return {
    get(tenant: Tenant, id: string): Known<Record> | undefined {
      const held = cache.get(recordKey(tenant, id));
      return held === undefined || 'staleBelow' in held ? undefined : held;
    },

    /** Remembers `known`, unless it is known to be stale, or a notice that it is stale may have been lost. */
    learn(tenant: Tenant, id: string, known: Known<Record>): void {
      if (known.askedAtMs <= clearedAtMs) return;
      const key = recordKey(tenant, id);
      if ((known.record?.version ?? 0) >= newest(key)) cache.set(key, known);
    },
  };
}

/** Notifies other services of a change of a record. What this process sends afterwards arrives later. */
export function notifyOfRecord(bus: BusConnection, subject: Subject, notice: RecordNotice): void {
  broadcast(bus, subject, encodeNotice(notice));
}

/** Announces a change of a record. Resolves once no replica of another service uses an earlier version. */
export async function announceRecord(bus: BusConnection, subject: Subject, notice: RecordNotice): Promise<void> {
  await announce(bus, subject, encodeNotice(notice));
}

function encodeNotice({ tenant, id, version }: RecordNotice): string {
  return JSON.stringify({ tenant, id, version });
}
