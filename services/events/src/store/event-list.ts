import type { EventQuery, Page, Tenant } from '@event-commerce/contracts';
import { afterCursor, fillPage, findPage, pageAfter, pageRange, toPage } from '@event-commerce/service-kit';
import type { EventRecord } from '../domain/event-record.ts';
import { type FindSeries, mergedFilter } from './merged-filter.ts';
import type { EventDocument } from './models.ts';
import { type SoonestFirst, soonestFirst, startOf } from './soonest-first.ts';
import { type Events, idOf, KEYS, toRecord } from './stored-event.ts';

/**
 * One page of the events whose merged fields match `query`.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a cursor of another order, or a `q` without a letter or digit
 */
export async function pageOfEvents(events: Events, tenant: Tenant, query: EventQuery): Promise<Page<EventRecord>> {
  return await (query.sort === 'startsAt' ? pageByStart : pageByCreation)(events, tenant, query);
}

/** Newest first: sorted by the platform's own ids, because a caller's are not ordered by time. */
async function pageByCreation(events: Events, tenant: Tenant, query: EventQuery): Promise<Page<EventRecord>> {
  const merged = await mergedFilter(query, seriesFinder(events, tenant, query));
  const filter = { companyId: tenant, ...pageRange(query, 'events'), ...merged };
  return toPage(await findPage<EventDocument>(events, 'evt', filter, query), query, 'events', toRecord);
}

/** An event's start in epoch milliseconds, or `-`, and the platform's own id. */
const POSITION = /^(?:-|-?\d{1,15}) evt_\w+$/;
const BY_START = 'events-by-start';

async function pageByStart(events: Events, tenant: Tenant, query: EventQuery): Promise<Page<EventRecord>> {
  const [start, id = ''] = afterCursor(query, BY_START, POSITION)?.split(' ') ?? [];
  const findSeries = seriesFinder(events, tenant, query);
  const { from, to, ...others } = query;
  const list: SoonestFirst = {
    filter: { companyId: tenant, ...(await mergedFilter(others, findSeries)) },
    findSeries,
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to),
    after: start === undefined ? undefined : { startMs: start === '-' ? undefined : Number(start), id },
  };
  const found = await fillPage<EventDocument>(`${events.collectionName} by start`, tenant, query, (wanted) =>
    soonestFirst(events, list, wanted),
  );
  const positionOf = (document: EventDocument) => `${startOf(document) ?? '-'} ${document._id}`;
  return { data: found.documents.map(toRecord), page: pageAfter(found, query, BY_START, positionOf) };
}

/** Only instances inherit; if `seriesId` is given, only from that series. */
function seriesFinder(events: Events, tenant: Tenant, { kind, seriesId }: EventQuery): FindSeries {
  if (kind !== 'instance' && kind !== undefined && seriesId === undefined) return async () => [];
  const find: FindSeries = async (filter) => {
    const projection = { ownId: 1, 'own.startsAt': 1 };
    const found = await events.find({ companyId: tenant, kind: 'series', ...filter }, { projection }).toArray();
    return found.map((series) => ({ id: idOf(series), startsAt: series.own?.startsAt }));
  };
  if (seriesId === undefined) return find;
  return async (filter) => (await Promise.all(KEYS.map(async (key) => find({ [key]: seriesId, ...filter })))).flat();
}
