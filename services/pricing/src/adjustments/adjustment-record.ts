import {
  type Adjustment,
  type AdjustmentInput,
  codeKey,
  companyIdOf,
  type DomainEvent,
  type DomainEventType,
  targetOf,
  type Tenant,
} from '@event-commerce/contracts';
import { domainEvent, type OutboxEntry } from '@event-commerce/outbox';
import { hasEnded } from './domain/adjustment.ts';
import type { Unreadable } from '../snapshot/domain/snapshot.ts';
import type { AdjustmentDocument } from '../models.ts';

/** An adjustment with its internal fields. */
export interface AdjustmentRecord extends Adjustment {
  tenant: Tenant;
  couponVersion?: number;
  codeConflict?: boolean;
}

/** A stored adjustment that this version cannot read: a newer one wrote it. */
export interface UnreadableAdjustment extends Unreadable {
  id: string;
}

/** What the API shows of a record. */
export function toAdjustment({
  tenant: _tenant,
  couponVersion: _couponVersion,
  codeConflict: _codeConflict,
  ...shown
}: AdjustmentRecord): Adjustment {
  return shown;
}

export function toRecord(document: AdjustmentDocument): AdjustmentRecord {
  const {
    _id,
    companyId: tenant,
    outbox: _outbox,
    codeKey: _codeKey,
    heldCode: _heldCode,
    terms: _terms,
    created,
    changed,
    targets,
    ...fields
  } = document;
  const companyId = companyIdOf(tenant);
  return {
    id: _id,
    tenant,
    companyId,
    ...fields,
    targets: targets.map((target) => ({ ...target, companyId })),
    created: created.toISOString(),
    changed: changed.toISOString(),
  };
}

/** A record, or what is known of an unreadable one, which must not hide the others. */
export function toReadable(document: AdjustmentDocument): AdjustmentRecord | UnreadableAdjustment {
  try {
    return toRecord(document);
  } catch (error) {
    const { _id: id, version, conditions } = document;
    return { id, version, code: conditions?.code, error };
  }
}

/** The domain event of an adjustment's outbox entry. */
export function adjustmentEvent(entry: OutboxEntry, document: AdjustmentDocument): DomainEvent {
  const record = toRecord(document);
  return domainEvent(entry as OutboxEntry & { type: AdjustmentEventType }, {
    subject: document._id,
    tenant: document.companyId,
    data: {
      ...toAdjustment(record),
      ...(record.couponVersion === undefined ? {} : { couponVersion: record.couponVersion }),
      ...(record.codeConflict === undefined ? {} : { codeConflict: record.codeConflict }),
    },
  });
}

type AdjustmentEventType = Extract<DomainEventType, `adjustment.${string}`>;

/** The document fields that `input` decides at `now`; any other fields of a caller or a record are left out. */
export function definition(tenant: Tenant, input: AdjustmentInput, now: Date) {
  const { conditions, status } = input;
  const key = conditions.code === undefined ? undefined : codeKey(conditions.code);
  const targets = input.targets.map((target) => {
    const { companyId: _companyId, ...kept } = targetOf(companyIdOf(tenant), target);
    return kept;
  });
  return {
    companyId: tenant,
    name: input.name,
    type: input.type,
    category: input.category,
    origin: input.origin,
    application: input.application,
    stacking: input.stacking,
    effectBase: input.effectBase,
    priority: input.priority,
    targets,
    conditions,
    effect: input.effect,
    status,
    ...(key === undefined ? {} : { codeKey: key }),
    ...(key !== undefined && status === 'active' && !hasEnded(input, now) ? { heldCode: key } : {}),
  };
}
