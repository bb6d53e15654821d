import type { Tenant } from '@event-commerce/contracts';
import { LRUCache } from 'lru-cache';
import { CompanySnapshot } from '../domain/snapshot.ts';
import type { AdjustmentRecord, AdjustmentRepository } from './adjustment.repository.ts';
import type { UsageRecord, UsageRepository } from './usage.repository.ts';

/** An evaluation never uses a snapshot older than this; it waits for a refresh instead. */
const STALE_AFTER_MS = 1_000;
/** A snapshot older than this is refreshed in the background while it still serves. */
const REFRESH_AFTER_MS = 400;
/** Writes become visible up to this much later than the time they carry; a refresh looks that far back. */
const OVERLAP_MS = 5_000;
const COMPANIES_MAX = 1_000;
const ADJUSTMENTS_MAX = 2_000_000;
const NEVER_USED = { redeemed: 0, claimed: 0 };

interface Entry {
  snapshot: CompanySnapshot;
  /** The version held of each adjustment, and its usage, so that an older read never replaces a newer one. */
  versions: Map<string, number>;
  usages: Map<string, UsageRecord>;
  /** The newest database time seen. */
  touchedAt: Date | undefined;
  /** When the last refresh began, on the process's steady clock. */
  refreshedAtMs: number;
  /** When a write elsewhere was announced: a refresh that began earlier may have missed it. */
  expiredAtMs: number;
  refreshing: Promise<void> | undefined;
}

/**
 * Each company's live adjustments, compiled, in memory. A write here is seen at once (`apply`), a write of another replica
 * with its broadcast (`expire`), and if that is lost, within a second: a snapshot is refreshed by asking the
 * database for what was touched since, which costs an index look-up when nothing was.
 */
export class SnapshotCache {
  readonly #adjustments: Pick<AdjustmentRepository, 'listLive' | 'findAll' | 'touchedSince'>;
  readonly #usage: Pick<UsageRepository, 'touchedSince' | 'findAll'>;
  readonly #entries = new LRUCache<Tenant, Entry>({
    max: COMPANIES_MAX,
    maxSize: ADJUSTMENTS_MAX,
    sizeCalculation: (entry) => entry.versions.size + 1,
  });

  constructor(
    adjustments: Pick<AdjustmentRepository, 'listLive' | 'findAll' | 'touchedSince'>,
    usage: Pick<UsageRepository, 'touchedSince' | 'findAll'>,
  ) {
    this.#adjustments = adjustments;
    this.#usage = usage;
  }

  /** A snapshot at most a second old. */
  get(companyId: Tenant): CompanySnapshot | Promise<CompanySnapshot> {
    const entry = this.#entries.get(companyId);
    if (entry === undefined) return this.fresh(companyId);
    const ageMs = performance.now() - entry.refreshedAtMs;
    if (ageMs > STALE_AFTER_MS || entry.refreshedAtMs <= entry.expiredAtMs) return this.fresh(companyId);
    if (ageMs > REFRESH_AFTER_MS && entry.refreshing === undefined) {
      // A failure shows when the snapshot is stale and the next evaluation has to wait for a refresh.
      this.#refresh(companyId, entry).catch(() => undefined);
    }
    return entry.snapshot;
  }

  /** A snapshot of now: everything written before this call is in it. */
  async fresh(companyId: Tenant): Promise<CompanySnapshot> {
    let entry = this.#entries.get(companyId);
    if (entry === undefined) {
      entry = {
        snapshot: new CompanySnapshot(),
        versions: new Map(),
        usages: new Map(),
        touchedAt: undefined,
        refreshedAtMs: Number.NEGATIVE_INFINITY,
        expiredAtMs: Number.NEGATIVE_INFINITY,
        refreshing: undefined,
      };
      this.#entries.set(companyId, entry);
    }
    // One that is under way may have read before the write that the caller asks for.
    const beganBefore = entry.refreshing;
    if (beganBefore !== undefined) await beganBefore.catch(() => undefined);
    await (entry.refreshing ?? this.#refresh(companyId, entry));
    return entry.snapshot;
  }

  /** Takes in adjustments that were just written here. */
  apply(companyId: Tenant, records: readonly AdjustmentRecord[]): void {
    const entry = this.#entries.get(companyId);
    if (entry !== undefined) takeAdjustments(entry, records);
  }

  /** Takes in usage that was just read or written here. */
  applyUsage(companyId: Tenant, usage: UsageRecord): void {
    const entry = this.#entries.get(companyId);
    if (entry !== undefined) takeUsages(entry, [usage]);
  }

  /** Makes the next evaluation of the company wait for a refresh. */
  expire(companyId: Tenant): void {
    const entry = this.#entries.peek(companyId);
    if (entry !== undefined) entry.expiredAtMs = performance.now();
  }

  #refresh(companyId: Tenant, entry: Entry): Promise<void> {
    const run = async () => {
      const beganAtMs = performance.now();
      const { records, usages, touched } = await (entry.touchedAt === undefined
        ? this.#readAll(companyId)
        : this.#readNews(companyId, entry, entry.touchedAt));
      takeUsages(entry, usages);
      takeAdjustments(entry, records);
      for (const { touchedAt } of [...touched, ...usages]) {
        if (entry.touchedAt === undefined || touchedAt > entry.touchedAt) entry.touchedAt = touchedAt;
      }
      entry.refreshedAtMs = Math.max(entry.refreshedAtMs, beganAtMs);
      if (records.length > 0 && this.#entries.peek(companyId) === entry) this.#entries.set(companyId, entry);
    };
    entry.refreshing = run().finally(() => {
      entry.refreshing = undefined;
    });
    return entry.refreshing;
  }

  /** What was never capped needs no usage yet: whoever caps it touches its usage too. */
  async #readAll(companyId: Tenant): Promise<Reading> {
    const records = await this.#adjustments.listLive(companyId);
    const usages = await this.#usage.findAll(records.filter(isCapped).map(({ id }) => id));
    return { records, usages, touched: records };
  }

  /** Finds again what was written shortly before the newest, thousands after an import: of what is known, only that it is. */
  async #readNews(companyId: Tenant, entry: Entry, newest: Date): Promise<Reading> {
    const since = new Date(newest.getTime() - OVERLAP_MS);
    const [touched, usages] = await Promise.all([
      this.#adjustments.touchedSince(companyId, since),
      this.#usage.touchedSince(companyId, since),
    ]);
    const news = touched.filter(({ id, version }) => version > (entry.versions.get(id) ?? 0));
    return { records: await this.#adjustments.findAll(news.map(({ id }) => id)), usages, touched };
  }
}

interface Reading {
  records: readonly AdjustmentRecord[];
  usages: readonly UsageRecord[];
  /** Everything that was found, known before or not. */
  touched: readonly { touchedAt: Date }[];
}

function takeAdjustments(entry: Entry, records: readonly AdjustmentRecord[]): void {
  const changed = records.filter(({ id, version }) => version > (entry.versions.get(id) ?? 0));
  for (const { id, version } of changed) entry.versions.set(id, version);
  if (changed.length === 0) return;
  entry.snapshot.apply(changed.map((record) => ({ ...record, usage: entry.usages.get(record.id) ?? NEVER_USED })));
}

function takeUsages(entry: Entry, usages: readonly UsageRecord[]): void {
  for (const usage of usages) {
    if (usage.version < (entry.usages.get(usage.adjustmentId)?.version ?? 0)) continue;
    entry.usages.set(usage.adjustmentId, usage);
    entry.snapshot.setUsage(usage.adjustmentId, usage);
  }
}

function isCapped({ conditions }: AdjustmentRecord): boolean {
  return conditions.maxRedemptions !== undefined;
}
