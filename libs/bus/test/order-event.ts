import { randomUUID } from 'node:crypto';
import { DOMAIN_EVENTS, type DomainEvent } from '@event-commerce/contracts';

export function orderEvent(type: 'order.placed' | 'order.cancelled' = 'order.placed'): DomainEvent {
  const id = `ord_${randomUUID()}`;
  const anOrder = { state: 'placed', reopenings: 0, customer: {}, claims: [], tickets: [] };
  return {
    specversion: '1.0',
    id: randomUUID(),
    source: '/commerce',
    type,
    subject: id,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    companyid: 'c1',
    environment: 'live',
    schemaversion: DOMAIN_EVENTS[type].schemaVersion,
    data: { id, companyId: 'c1', orderNumber: 'n', version: 1, ...anOrder },
  };
}
