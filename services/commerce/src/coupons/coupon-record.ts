import {
  companyIdOf,
  type Coupon,
  type CouponDefinition,
  type CouponState,
  couponTerms,
  type DomainEvent,
} from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import { couponStatus } from './domain/coupon.ts';
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
  /** What pricing needs to know. */
  state: CouponState;
  /** What its events say. */
  published: ReturnType<typeof publishedOf>;
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
    published: publishedOf(document),
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
    data: publishedOf(document),
  });
}

type Stated = Pick<CouponDocument, '_id' | 'companyId' | 'definition' | 'archived' | 'version'>;

function stateOf({ _id, companyId, definition, archived, version }: Stated): CouponState {
  const terms = couponTerms(definition, archived);
  return { id: _id, companyId: companyIdOf(companyId), version, ...(terms === undefined ? {} : { terms }) };
}

/** The coupon as its events show it. */
export function publishedOf({ _id, companyId, definition, archived, version }: Stated) {
  const enabled = definition.enabled && !archived;
  return { id: _id, companyId: companyIdOf(companyId), version, ...definition, enabled, archived };
}
