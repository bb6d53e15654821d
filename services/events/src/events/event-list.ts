import {
  DEFAULT_STATUS,
  type EventFacets,
  type EventStatus,
  FACETED_MAX,
  invalidInput,
  type Page,
  type PlatformError,
  type Tenant,
} from '@event-commerce/contracts';
import { afterCursor, fillPage, findPage, pageAfter, pageRange, toPage } from '@event-commerce/service-kit';
import type { EventRecord } from './domain/event-record.ts';
import { type EventFilter, type FindSeries, type Inherited, mergedFilter } from './merged-filter.ts';
import type { EventDocument, OwnFields } from '../models.ts';
import { type SoonestFirst, soonestFirst, startOf } from './soonest-first.ts';
import { type Events, idOf, KEYS, toRecord } from './stored-event.ts';

/**
 * One page of the events whose merged fields match `query`.
 *
 * @throws {PlatformError} VALIDATION_FAILED for a cursor of another order, or a `q` without a letter or digit
 */
export async function pageOfEvents(events: Events, tenant: Tenant, query: EventFilter): Promise<Page<EventRecord>> {
  return await (query.sort === 'startsAt' ? pageByStart : pageByCreation)(events, tenant, query);
}

/** Newest first: sorted by the platform's own ids, because a caller's are not ordered by time. */
async function pageByCreation(events: Events, tenant: Tenant, query: EventFilter): Promise<Page<EventRecord>> {
  const merged = await mergedFilter(query, seriesFinder(events, tenant, query));
  const filter = { companyId: tenant, ...pageRange(query, 'events'), ...merged };
  const found = await findPage<EventDocument>(events, 'evt', filter, query, aboutList(tenant, query));
  return toPage(found, query, 'events', toRecord);
}

/**
 * What is the same for every page of a list, whenever it is requested: so without `endsAfter`, which is usually the
 * time of the request.
 */
function aboutList(
  tenant: Tenant,
  { limit: _limit, cursor: _cursor, endsAfter, ...others }: Partial<EventFilter>,
): object {
  return { companyId: tenant, ...others, isOn: endsAfter !== undefined };
}

/** An event's start in epoch milliseconds, or `-`, and the platform's own id. */
const POSITION = /^(?:-|-?\d{1,15}) evt_\w+$/;
const BY_START = 'events-by-start';

async function pageByStart(events: Events, tenant: Tenant, query: EventFilter): Promise<Page<EventRecord>> {
  const [start, id = ''] = afterCursor(query, BY_START, POSITION)?.split(' ') ?? [];
  const { from, to, ...others } = query;
  const list: SoonestFirst = {
    about: aboutList(tenant, others),
    filter: { companyId: tenant, ...(await mergedFilter(others, seriesFinder(events, tenant, query))) },
    findSeries: async (filter) => seriesFinder(events, tenant, query)(filter),
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

/** Events of a list with the same own values, null or absent where they have none, and how many there are. */
interface Alike {
  _id: { status?: EventStatus | null; venueId?: string | null; seriesId?: string | null };
  count: number;
}

/**
 * How many of the events whose merged fields match `query` are at each venue and have each status.
 *
 * @throws {PlatformError} VALIDATION_FAILED as `pageOfEvents`
 */
export async function facetsOfEvents(events: Events, tenant: Tenant, query: EventFilter): Promise<EventFacets> {
  const filter = { companyId: tenant, ...(await mergedFilter(query, seriesFinder(events, tenant, query))) };
  const fields = { status: '$own.status', venueId: '$own.venueId', seriesId: '$seriesId' };
  const alike = await events
    .aggregate<Alike>([
      { $match: filter },
      { $limit: FACETED_MAX + 1 },
      { $group: { _id: fields, count: { $sum: 1 } } },
    ])
    .toArray();
  const inherited = await inheritedFacets(events, tenant, alike);
  const [venues, statuses] = [new Map<string, number>(), new Map<EventStatus, number>()];
  let left = FACETED_MAX;
  let complete = true;
  for (const { _id, count } of alike) {
    const counted = Math.min(count, left);
    complete &&= counted === count;
    left -= counted;
    const series = inherited.get(_id.seriesId ?? '');
    const status = _id.status ?? series?.status ?? DEFAULT_STATUS;
    const venueId = _id.venueId ?? series?.venueId;
    statuses.set(status, (statuses.get(status) ?? 0) + counted);
    if (venueId !== undefined) venues.set(venueId, (venues.get(venueId) ?? 0) + counted);
  }
  return {
    venues: mostFirst(venues).map(([venueId, count]) => ({ venueId, count })),
    statuses: mostFirst(statuses).map(([status, count]) => ({ status, count })),
    complete,
  };
}

/** What instances among `alike` inherit, by the id of their series. */
async function inheritedFacets(
  events: Events,
  tenant: Tenant,
  alike: readonly Alike[],
): Promise<Map<string, Pick<OwnFields, 'status' | 'venueId'>>> {
  const inherits = alike.filter(({ _id: { status, venueId } }) => !status || !venueId);
  const missing = new Set(inherits.flatMap(({ _id }) => _id.seriesId ?? []));
  const found = new Map<string, Pick<OwnFields, 'status' | 'venueId'>>();
  for (const key of KEYS) {
    if (missing.size === 0) break;
    const options = { projection: { ownId: 1, 'own.status': 1, 'own.venueId': 1 } };
    for await (const series of events.find({ [key]: { $in: [...missing] }, companyId: tenant }, options)) {
      found.set(idOf(series), series.own);
      missing.delete(idOf(series));
    }
  }
  return found;
}

function mostFirst<Value extends string>(counts: ReadonlyMap<Value, number>): [Value, number][] {
  return [...counts].filter(([, count]) => count > 0).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** The most bytes of ids in a condition on the series of instances: about 25,000 of the platform's own ids. */
const SERIES_BYTES_MAX = 1024 * 1024;
/** The approximate overhead of each id. */
const ID_OVERHEAD_BYTES = 12;
const SERIES_BATCH = 1_000;

/**
 * Only instances inherit values; if `seriesId` is given, only from that series.
 *
 * The returned function throws {PlatformError} VALIDATION_FAILED if all calls together find more than one list can have
 */
function seriesFinder(events: Events, tenant: Tenant, { kind, seriesId }: EventFilter): FindSeries {
  if (kind !== 'instance' && kind !== undefined && seriesId === undefined) return async () => [];
  let bytesLeft = SERIES_BYTES_MAX;
  const find: FindSeries = async (filter) => {
    const times = { 'own.startsAt': 1, 'own.endsAt': 1, 'own.timezone': 1 };
    const options = { projection: { ownId: 1, ...times }, batchSize: SERIES_BATCH };
    const found: Inherited[] = [];
    for await (const series of events.find({ companyId: tenant, kind: 'series', ...filter }, options)) {
      const id = idOf(series);
      bytesLeft -= Buffer.byteLength(id) + ID_OVERHEAD_BYTES;
      if (bytesLeft < 0) throw tooManySeries();
      const { startsAt, endsAt, timezone } = series.own ?? {};
      found.push({ id, startsAt, endsAt, timezone });
    }
    return found;
  };
  if (seriesId === undefined) return find;
  return async (filter) => (await Promise.all(KEYS.map(async (key) => find({ [key]: seriesId, ...filter })))).flat();
}

function tooManySeries(): PlatformError {
  const message =
    'is required here: the filters match more series than one list can search for instances; name one series, or send kind=single or kind=series';
  return invalidInput('seriesId', message);
}
