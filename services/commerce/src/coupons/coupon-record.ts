import { companyIdOf, type Coupon, type CouponState, type DomainEvent } from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import { type CouponDefinition, couponStatus } from './domain/coupon.ts';
import type { CouponDocument } from '../models.ts';

/** A coupon as it is stored. */
export interface CouponRecord {
  id: string;
  definition: CouponDefinition;
  /** Counts the changes of the definition. */
  version: number;
  archived: boolean;
  /** Whether it is archived because its creation failed. */
  undone: boolean;
  /** What pricing needs to know, as in the coupon's events. */
  state: CouponState;
  /** What the API shows at `now`. */
  shownAt: (now: Date) => Coupon;
}

export function toCouponRecord(document: CouponDocument): CouponRecord {
  const { _id, definition, quantitySold, codeConflict, archived, undone, version, created, changed } = document;
  const { enabled, ...shown } = definition;
  return {
    id: _id,
    definition,
    version,
    archived,
    undone: undone ?? false,
    state: stateOf(document),
    shownAt: (now) => ({
      id: _id,
      companyId: companyIdOf(document.companyId),
      ...shown,
      quantitySold,
      status: couponStatus({ ...definition, enabled: enabled && !archived, codeConflict, quantitySold }, now),
      version,
      created: created.toISOString(),
      changed: changed.toISOString(),
    }),
  };
}

/** The domain event of a coupon's outbox entry: the coupon's definition as it is now. */
export function couponEvent(entry: OutboxEntry, document: CouponDocument): DomainEvent {
  return domainEvent(entry as OutboxEntry & { type: 'coupon.updated' }, {
    subject: document._id,
    tenant: document.companyId,
    data: stateOf(document),
  });
}

export function stateOf({
  _id,
  companyId,
  definition,
  archived,
  version,
}: Pick<CouponDocument, '_id' | 'companyId' | 'definition' | 'archived' | 'version'>): CouponState {
  const enabled = definition.enabled && !archived;
  return { id: _id, companyId: companyIdOf(companyId), version, ...definition, enabled, archived };
}
