import { announce, type BROADCAST, type BusConnection, onBroadcast, onReconnect } from '@event-commerce/bus';
import { recordKey, type RecordNotice, recordNotice, type Tenant } from '@event-commerce/contracts';
import { LRUCache } from 'lru-cache';

/** The subjects on which a service announces changes of its records. */
type Subject = (typeof BROADCAST)['eventChanged' | 'offeringChanged'];

/** What a service said about one of its records, asked at `askedAtMs`: `record` is undefined if there is none. */
interface Known<Record> {
  record: Record | undefined;
  askedAtMs: number;
}

/**
 * Remembers at most `max` records of another service, each until that announces a change of it. While the broker is
 * down no notices arrive, so everything is forgotten when it is back.
 */
export function knownRecords<Record extends { version: number }>(bus: BusConnection, subject: Subject, max: number) {
  const cache = new LRUCache<string, Known<Record> | { staleBelow: number }>({ max });
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
  onReconnect(bus, () => cache.clear());

  return {
    get(tenant: Tenant, id: string): Known<Record> | undefined {
      const held = cache.get(recordKey(tenant, id));
      return held === undefined || 'staleBelow' in held ? undefined : held;
    },

    /** Remembers `known`, unless what was heard before says that it is stale. */
    learn(tenant: Tenant, id: string, known: Known<Record>): void {
      const key = recordKey(tenant, id);
      if ((known.record?.version ?? 0) >= newest(key)) cache.set(key, known);
    },
  };
}

/** Announces a change of a record. Resolves once no replica of another service uses an earlier version. */
export async function announceRecord(bus: BusConnection, subject: Subject, notice: RecordNotice): Promise<void> {
  const { tenant, id, version } = notice;
  await announce(bus, subject, JSON.stringify({ tenant, id, version }));
}
