import { keyOfTenant, type OrderSale, type SaleChange, type Tenant, tryAgainShortly } from '@event-commerce/contracts';
import { collectionOf, isDuplicateKey, retryOnConflict } from '@event-commerce/service-kit';
import type { ActivityModels, EntryDocument, SaleDayDocument } from '../models.ts';
import { BEGINNING, type Position } from '../log/domain/position.ts';
import { quarterAt } from './domain/quarters.ts';

/** An entry of the log that sales count. */
export type SaleEntry = Pick<EntryDocument, 'companyId' | 'position' | 'at'> & { sale: OrderSale };

/** What sales are counted of. */
export type SalesOf = { eventId: string } | { seriesId: string } | 'all';

/** The days from `from` on that begin before `to`. */
export interface DaysFilter {
  of: SalesOf;
  /** Days of adjustments, of each or of one; otherwise of everything. */
  ofAdjustments?: boolean;
  adjustmentId?: string | undefined;
  from: Date;
  to: Date;
}

/** A change of the counts of one document. */
interface Counting {
  position: Position;
  quarter: number;
  change: SaleChange;
}

/** What one document counts, and what is to be added to it. */
interface Due {
  identity: Omit<SaleDayDocument, 'position' | 'quarters' | 'name' | 'code'>;
  countings: Counting[];
}

export type SalesRepository = ReturnType<typeof salesRepository>;

/**
 * The counts of sales. Each document knows the position of the last entry of the log that it counts, and one
 * conditional write raises both: an entry that is counted again, after a crash or by another replica, changes nothing.
 */
export function salesRepository(models: ActivityModels) {
  const days = collectionOf(models.saleDays);
  const counted = collectionOf(models.counted);

  /** True once every entry is counted; undefined if another replica counted some of them meanwhile. */
  const countOnce = async (all: ReadonlyMap<string, Due>): Promise<true | undefined> => {
    const ids = [...all.keys()];
    const stored = await days.find({ _id: { $in: ids } }, { projection: { position: 1 } }).toArray();
    const positions = new Map(stored.map(({ _id, position }) => [_id, position]));
    const updates = [...all].flatMap(([_id, { identity, countings }]) => {
      const position = positions.get(_id);
      const left = position === undefined ? countings : countings.filter((one) => one.position > position);
      return left.length === 0 ? [] : [updateOf(identity, position, left)];
    });
    if (updates.length === 0) return true;
    try {
      const { matchedCount, upsertedCount } = await days.bulkWrite(updates, { ordered: false });
      return matchedCount + upsertedCount === updates.length ? true : undefined;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  return {
    /** Counts entries, each once. @throws {PlatformError} SERVICE_UNAVAILABLE while another replica counts them too */
    async count(entries: readonly SaleEntry[]): Promise<void> {
      const due = dueOf(entries);
      if (due.size > 0) await retryOnConflict(async () => countOnce(due), alsoCounted);
    },

    /** The position in the log up to which everything is counted. */
    async countedTo(): Promise<Position> {
      return (await counted.findOne({ _id: 'sales' }))?.position ?? BEGINNING;
    },

    async setCountedTo(position: Position): Promise<void> {
      try {
        await counted.updateOne(
          { _id: 'sales', position: { $lt: position } },
          { $set: { position } },
          { upsert: true },
        );
      } catch (error) {
        // It is there already, at a later position.
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** Up to `limit` days, in any order. */
    async days(
      tenant: Tenant,
      { of, ofAdjustments = false, adjustmentId, from, to }: DaysFilter,
      limit: number,
    ): Promise<SaleDayDocument[]> {
      const filter = {
        companyId: tenant,
        of: nameOf(of),
        adjustmentId: ofAdjustments ? (adjustmentId ?? { $exists: true }) : null,
        day: { $gte: from, $lt: to },
      };
      return await days.find(filter as object, { limit }).toArray();
    },
  };
}

function nameOf(of: SalesOf): string {
  if (of === 'all') return 'all';
  return 'eventId' in of ? `event ${of.eventId}` : `series ${of.seriesId}`;
}

/** What entries, in the order of the log, add to each document, by its id. */
function dueOf(entries: readonly SaleEntry[]): Map<string, Due> {
  const due = new Map<string, Due>();
  for (const { companyId, position, at, sale } of entries) {
    const { day, quarter } = quarterAt(at);
    for (const change of sale.changes) {
      const { eventId, seriesId, adjustment } = change;
      const of = nameOf(eventId === undefined ? (seriesId === undefined ? 'all' : { seriesId }) : { eventId });
      const key = [keyOfTenant(companyId), of, adjustment?.id ?? '', sale.currency, day.toISOString()].join('\n');
      const one = due.get(key) ?? {
        identity: {
          _id: key,
          companyId,
          of,
          ...(adjustment === undefined ? {} : { adjustmentId: adjustment.id }),
          currency: sale.currency,
          day,
        },
        countings: [],
      };
      one.countings.push({ position, quarter, change });
      due.set(key, one);
    }
  }
  return due;
}

/** The write that counts `left` if the document still counts what is up to `position`, or is not there yet. */
function updateOf({ _id, ...identity }: Due['identity'], position: Position | undefined, left: readonly Counting[]) {
  const increments = new Map<string, number>();
  const add = (path: string, by: number) => increments.set(path, (increments.get(path) ?? 0) + by);
  let named: Pick<SaleDayDocument, 'name' | 'code'> = {};
  for (const { quarter, change } of left) {
    const { added = {}, returned = {}, expired = false, adjustment } = change;
    for (const [direction, counts] of Object.entries({ added, returned })) {
      for (const [field, by] of Object.entries(counts)) add(`quarters.${quarter}.${direction}.${field}`, by);
    }
    if (expired) add(`quarters.${quarter}.expired`, 1);
    if (adjustment !== undefined) named = { ...named, name: adjustment.name, ...codeOf(adjustment) };
  }
  const last = left.at(-1)?.position;
  return {
    updateOne: {
      filter: { _id, position: position ?? { $exists: false } } as object,
      update: {
        $inc: Object.fromEntries(increments),
        $set: { position: last, ...named },
        ...(position === undefined ? { $setOnInsert: identity } : {}),
      } as object,
      upsert: position === undefined,
    },
  };
}

function codeOf({ code }: { code?: string }) {
  return code === undefined ? {} : { code };
}

function alsoCounted() {
  return tryAgainShortly('Sales are being counted by another process; try again shortly.');
}
