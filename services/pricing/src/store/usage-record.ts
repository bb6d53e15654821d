import type { DomainEvent, DomainEventType, RedemptionStatus, Tenant } from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry } from '@event-commerce/outbox';
import type { PendingClaim, UsageDocument } from './models.ts';

/** A pending claim and the adjustment that it is held on. */
export interface HeldClaim extends PendingClaim {
  adjustmentId: string;
  companyId: Tenant;
}

/** A redemption as the ledger has it. */
export type RedeemedClaim = Omit<HeldClaim, 'settledBy' | 'perCustomer' | 'content' | 'attempts'>;

export interface UsageRecord {
  adjustmentId: string;
  /** The version of the adjustment that claims must know. */
  definitionVersion: number;
  redeemed: number;
  claimed: number;
  /** Counts every change: of two readings, the higher is the newer. */
  version: number;
}

/** The domain event of a usage's outbox entry. */
export function redemptionEvent(entry: OutboxEntry, document: UsageDocument): DomainEvent {
  const { _id, companyId, confirmed, claimed, version, origin, couponId } = document;
  return domainEvent(entry as OutboxEntry & { type: RedemptionEventType }, {
    subject: _id,
    tenant: companyId,
    data: {
      redemption: entry.extra as never,
      usage: { redeemed: confirmed, claimed, version },
      origin,
      ...(couponId === undefined ? {} : { couponId }),
    },
  });
}

type RedemptionEventType = Extract<DomainEventType, `redemption.${string}`>;

export function toHeld({ _id, companyId }: Pick<UsageDocument, '_id' | 'companyId'>, claim: PendingClaim): HeldClaim {
  return { ...claim, adjustmentId: _id, companyId };
}

export function toUsageRecord(document: UsageDocument): UsageRecord {
  const { _id, definitionVersion, confirmed, claimed, version } = document;
  return { adjustmentId: _id, definitionVersion, redeemed: confirmed, claimed, version };
}

/** The outbox entry of what became of a claim. */
export function redemptionEntry(
  claim: Omit<RedeemedClaim, 'companyId'>,
  status: RedemptionStatus,
  now: Date,
  traceparent?: string,
): OutboxEntry {
  const { id, adjustmentId, orderId, customerId, code, quantity } = claim;
  const optional = { ...(customerId === undefined ? {} : { customerId }), ...(code === undefined ? {} : { code }) };
  return outboxEntry(`redemption.${status}`, now, {
    traceparent,
    extra: { id, adjustmentId, orderId, ...optional, quantity, status },
  });
}
