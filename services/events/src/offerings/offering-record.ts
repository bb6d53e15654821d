import {
  type Availability,
  companyIdOf,
  type DomainEvent,
  type OfferingRecord as KnownOffering,
} from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import type { OfferingDocument, SoldOutBy } from '../models.ts';

export type OfferingRecord = KnownOffering & {
  soldOut: boolean;
  soldOutBy?: SoldOutBy;
  /** The time zone of the event in which its sale window was set. */
  windowZone?: string;
};

/** What is left of an offering. */
export interface Left {
  /** What is left under the capacities of the offering and of its event. */
  availability: Availability;
  /** What is left of the event's capacity alone; undefined if it has none. */
  ofEvent: number | undefined;
  /** Undefined if something is left. */
  soldOutBy: SoldOutBy | undefined;
}

/** Whether the last event of an offering already says `left`. */
export function isTold({ soldOut, soldOutBy }: OfferingRecord, left: Left): boolean {
  if (left.soldOutBy === undefined) return !soldOut;
  return soldOut && soldOutBy === left.soldOutBy;
}

/** A record as the API shows it and other services know it. */
export function toOffering({
  soldOut: _soldOut,
  soldOutBy: _soldOutBy,
  windowZone: _windowZone,
  ...shown
}: OfferingRecord): KnownOffering {
  return shown;
}

/** The domain event of an offering's outbox entry: the offering as it is. */
export function offeringEvent(entry: OutboxEntry, document: OfferingDocument): DomainEvent {
  const record = toOffering(toRecord(document));
  const about = { subject: record.id, tenant: document.companyId };
  if (entry.type === 'offering.sold_out' || entry.type === 'offering.available') {
    const availability = entry.extra as Availability;
    return domainEvent(entry as OutboxEntry & { type: 'offering.sold_out' }, {
      ...about,
      data: { ...record, availability, availabilityVersion: versionOf(entry.type, document) },
    });
  }
  return domainEvent(entry as OutboxEntry & { type: 'offering.created' | 'offering.updated' }, {
    ...about,
    data: record,
  });
}

/**
 * The version that an event of `type` is about, even if it is published after the next change: the changes alternate,
 * beginning with nothing being left.
 */
function versionOf(
  type: 'offering.sold_out' | 'offering.available',
  { availabilityVersion = 0 }: Pick<OfferingDocument, 'availabilityVersion'>,
): number {
  const isSoldOut = availabilityVersion % 2 === 1;
  return (type === 'offering.sold_out') === isSoldOut ? availabilityVersion : availabilityVersion - 1;
}

export function toRecord(document: OfferingDocument): OfferingRecord {
  const {
    _id,
    companyId: tenant,
    offeringId,
    outbox: _outbox,
    availabilityVersion: _availabilityVersion,
    soldOut = false,
    created,
    changed,
    ...fields
  } = document;
  const companyId = companyIdOf(tenant);
  return {
    id: offeringId,
    companyId,
    ...fields,
    soldOut,
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}
