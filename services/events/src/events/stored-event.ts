import type { EventOverrides } from '@event-commerce/contracts';
import type { collectionOf } from '@event-commerce/service-kit';
import type { EventRecord } from './domain/event-record.ts';
import type { EventDocument, OwnFields } from '../models.ts';

export type Events = ReturnType<typeof collectionOf<EventDocument>>;

/**
 * The places where the API's id may be stored, the usual one first. Queried one by one: the database serves each from
 * its index.
 */
export const KEYS = ['_id', 'ownId'] as const;

export function idOf({ _id, ownId }: Pick<EventDocument, '_id' | 'ownId'>): string {
  return ownId ?? _id;
}

export function toRecord(document: EventDocument): EventRecord {
  const {
    companyId: tenant,
    kind,
    seriesId,
    own,
    timesZone,
    given,
    zoneChange,
    callOff,
    attempts = [],
    version,
    created,
    changed,
  } = document;
  const { startsAt, endsAt, ...fields } = own;
  return {
    id: idOf(document),
    tenant,
    kind,
    ...(seriesId === undefined ? {} : { seriesId }),
    own: {
      ...fields,
      ...(startsAt && { startsAt: startsAt.toISOString() }),
      ...(endsAt && { endsAt: endsAt.toISOString() }),
    },
    ...(timesZone === undefined ? {} : { timesZone }),
    ...(given === undefined ? {} : { given }),
    ...(zoneChange === undefined ? {} : { zoneChange }),
    ...(callOff === undefined ? {} : { callOff }),
    attempts,
    version,
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}

export function toOwnFields({ startsAt, endsAt, ...fields }: EventOverrides): OwnFields {
  return {
    ...fields,
    ...(startsAt !== undefined && { startsAt: new Date(startsAt) }),
    ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
  };
}
