import { adjustmentsTooLarge, companyIdOf, type Tenant } from '@event-commerce/contracts';
import { inTime, type Logger, RESPOND_WITHIN_MS } from '@event-commerce/service-kit';
import { LRUCache } from 'lru-cache';
import { CompanySnapshot } from './domain/snapshot.ts';
import type { ChangeFeed, Follower } from './change-feed.ts';
import type { Change } from './change-log.repository.ts';
import { type Definition, type Definitions, isBudget } from './definitions.ts';
import { PackedAdjustments } from './packed-adjustments.ts';

/** The memory that a company takes besides its adjustments. */
const COMPANY_BYTES = 2_000;
/**
 * The total size is estimated from this many adjustments, before others are evicted for a company that is too large
 * anyway.
 */
const SAMPLE = 2_000;
/** The most changes recorded for an idle company; beyond that, reloading everything costs no more. */
const CHANGED_MAX = 5_000;
/** The share of the memory for companies whose snapshots were evicted. */
const PACKED_PART = 1 / 8;
/** How long to wait before retrying an unreadable adjustment, or a company that is too large. */
const RETRY_AFTER_MS = 10_000;

const IS_LOADING = "The company's adjustments are being loaded; try again shortly.";

interface Entry {
  snapshot: CompanySnapshot;
  loaded: boolean;
  /** Why it is not loaded: it was too large in the last attempt. */
  tooLarge: boolean;
  /** What was written and has not been read since. */
  changed: Set<string>;
  /** The reading in progress. */
  round: Promise<void> | undefined;
  /** When, on the process's monotonic clock, what could not be loaded is retried. */
  retryAtMs: number;
}

interface SnapshotCacheOptions {
  definitions: Definitions;
  /** The memory of all companies together; one may take half of it, so that it never evicts all others. */
  bytesMax: number;
  logger: Logger;
}

/**
 * Each company's live adjustments and budgets, compiled, in memory. The change feed records what was written, here or
 * elsewhere, and the next request waits until exactly that has been read. An idle company costs no query, and is
 * evicted when others need the memory; its data is kept compressed.
 */
export class SnapshotCache implements Follower {
  readonly #definitions: Definitions;
  readonly #logger: Logger;
  readonly #companyBytesMax: number;
  readonly #packed: PackedAdjustments;
  readonly #entries: LRUCache<Tenant, Entry>;
  #feed: Pick<ChangeFeed, 'catchUp' | 'readNow'> | undefined;

  constructor({ definitions, bytesMax, logger }: SnapshotCacheOptions) {
    this.#definitions = definitions;
    this.#logger = logger;
    this.#companyBytesMax = bytesMax / 2;
    this.#packed = new PackedAdjustments(definitions, bytesMax * PACKED_PART);
    this.#entries = new LRUCache({
      maxSize: bytesMax * (1 - PACKED_PART),
      sizeCalculation: ({ snapshot }) => bytesOf(snapshot),
    });
  }

  /** Receives no changes until it follows a feed. */
  follow(feed: Pick<ChangeFeed, 'catchUp' | 'readNow'>): void {
    this.#feed = feed;
  }

  /**
   * Includes everything that was acknowledged to any caller before this call.
   *
   * @throws {PlatformError} QUOTA_EXCEEDED if the company has more than fits
   */
  get(tenant: Tenant): CompanySnapshot | Promise<CompanySnapshot> {
    const behind = this.#feed?.catchUp();
    if (behind !== undefined) return behind.then(async () => this.#upToDate(tenant));
    const entry = this.#entries.get(tenant);
    return entry !== undefined && isUpToDate(entry) ? entry.snapshot : this.#upToDate(tenant);
  }

  /** Includes everything that was written before this call, even if no response has been sent yet. */
  async fresh(tenant: Tenant): Promise<CompanySnapshot> {
    await this.#feed?.readNow();
    return await this.#upToDate(tenant);
  }

  note(changes: readonly Change[]): void {
    for (const { tenant, id, version } of changes) {
      this.#packed.forget(tenant);
      const entry = this.#entries.peek(tenant);
      if (entry === undefined || (entry.snapshot.versionOf(id) ?? 0) >= version) continue;
      // For a company that is too large, only the fact that something changed matters.
      if (!entry.tooLarge || entry.changed.size === 0) entry.changed.add(id);
      if (entry.changed.size > CHANGED_MAX) this.#entries.delete(tenant);
    }
  }

  forgetAll(): void {
    this.#entries.clear();
    this.#packed.forgetAll();
  }

  get bytes(): number {
    return this.#entries.calculatedSize + this.#packed.bytes;
  }

  /** How many live adjustments of the companies in memory are skipped, because this version cannot read them. */
  get unreadable(): number {
    let count = 0;
    for (const { snapshot } of this.#entries.values()) count += snapshot.unreadable.size;
    return count;
  }

  async #upToDate(tenant: Tenant): Promise<CompanySnapshot> {
    let entry = this.#entries.get(tenant);
    if (entry === undefined) {
      entry = {
        snapshot: new CompanySnapshot(),
        loaded: false,
        tooLarge: false,
        changed: new Set(),
        round: undefined,
        retryAtMs: Number.POSITIVE_INFINITY,
      };
      this.#entries.set(tenant, entry);
    }
    const ready = this.#bringUpToDate(tenant, entry);
    // A company of 100,000 may take longer to load than its callers wait; loading continues for later ones.
    await (entry.loaded ? ready : inTime(ready, RESPOND_WITHIN_MS, IS_LOADING));
    if (entry.tooLarge) throw adjustmentsTooLarge();
    return entry.snapshot;
  }

  async #bringUpToDate(tenant: Tenant, entry: Entry): Promise<void> {
    // A read in progress may have begun before the change that the caller must see.
    await entry.round?.catch(() => undefined);
    if (!isUpToDate(entry)) await this.#startRound(tenant, entry);
  }

  #startRound(tenant: Tenant, entry: Entry): Promise<void> {
    entry.round ??= this.#read(tenant, entry).finally(() => {
      entry.round = undefined;
    });
    return entry.round;
  }

  async #read(tenant: Tenant, entry: Entry): Promise<void> {
    if (entry.loaded) await this.#readChanged(tenant, entry);
    else await this.#load(tenant, entry);
  }

  async #load(tenant: Tenant, entry: Entry): Promise<void> {
    if (entry.tooLarge && (entry.changed.size === 0 || performance.now() < entry.retryAtMs)) return;
    entry.changed.clear();
    entry.tooLarge = false;
    entry.snapshot = new CompanySnapshot();
    let sampled = false;
    for await (const some of this.#packed.readLive(tenant)) {
      this.#take(tenant, entry, some);
      if (entry.tooLarge) return;
      const { size, bytes } = entry.snapshot;
      if (sampled || size < SAMPLE) continue;
      sampled = true;
      const bytesOfAll = (bytes / size) * (await this.#definitions.countLive(tenant));
      if (bytesOfAll > this.#companyBytesMax) return this.#refuse(tenant, entry);
    }
    entry.loaded = true;
  }

  async #readChanged(tenant: Tenant, entry: Entry): Promise<void> {
    const ids = new Set(entry.changed);
    if (performance.now() >= entry.retryAtMs) for (const id of entry.snapshot.unreadable.keys()) ids.add(id);
    entry.changed.clear();
    try {
      this.#take(tenant, entry, await this.#definitions.readAll(tenant, [...ids]));
    } catch (error) {
      for (const id of ids) entry.changed.add(id);
      throw error;
    }
  }

  #take(tenant: Tenant, entry: Entry, definitions: readonly Definition[]): void {
    const { snapshot } = entry;
    for (const adjustment of definitions) {
      if (isBudget(adjustment)) {
        snapshot.applyBudget(adjustment);
        continue;
      }
      const { id } = adjustment;
      const before = snapshot.unreadable.get(id);
      if ('error' in adjustment) snapshot.noteUnreadable(id, adjustment);
      else snapshot.apply([adjustment]);
      const now = snapshot.unreadable.get(id);
      if (now === undefined || now.version === before?.version) continue;
      const about = { err: now.error, companyId: companyIdOf(tenant), adjustmentId: id };
      this.#logger.error(about, 'an adjustment cannot be read by this version, and is left out');
    }
    entry.retryAtMs = snapshot.unreadable.size === 0 ? Number.POSITIVE_INFINITY : performance.now() + RETRY_AFTER_MS;
    if (bytesOf(snapshot) > this.#companyBytesMax) this.#refuse(tenant, entry);
    // A company evicted meanwhile has received no changes since: it serves the waiting callers, and no later ones.
    if (this.#entries.peek(tenant) !== entry) return;
    // Only what is new is measured.
    this.#entries.delete(tenant);
    this.#entries.set(tenant, entry);
  }

  #refuse(tenant: Tenant, entry: Entry): void {
    const { size: adjustments, bytes } = entry.snapshot;
    const about = { companyId: companyIdOf(tenant), adjustments, bytes };
    this.#logger.error(about, "a company's adjustments do not fit ADJUSTMENT_CACHE_MB");
    entry.snapshot = new CompanySnapshot();
    entry.loaded = false;
    entry.tooLarge = true;
    entry.retryAtMs = performance.now() + RETRY_AFTER_MS;
  }
}

function bytesOf(snapshot: CompanySnapshot): number {
  return COMPANY_BYTES + snapshot.bytes;
}

function isUpToDate({ loaded, changed, round, retryAtMs }: Entry): boolean {
  if (!loaded || changed.size > 0 || round !== undefined) return false;
  return retryAtMs === Number.POSITIVE_INFINITY || performance.now() < retryAtMs;
}
