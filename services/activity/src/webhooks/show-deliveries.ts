import {
  type Delivery,
  type DeliveryAttempt,
  invalidInput,
  type Page,
  type PageQuery,
  type Tenant,
} from '@event-commerce/contracts';
import { afterCursor, pageAfter } from '@event-commerce/service-kit';
import type { EntryDocument, DeliveryDocument } from '../models.ts';
import { term, termOfType } from '../log/domain/terms.ts';
import type { EntryFilter } from '../log/log.repository.ts';
import { type ChangeWebhookDeps, findWebhook } from './change-webhook.ts';

interface DeliveryQuery extends PageQuery {
  status?: Delivery['status'] | undefined;
  eventId?: string | undefined;
  type?: string | undefined;
  subject?: string | undefined;
}

/**
 * What became of the events of a webhook, newest first: those of the log that it gets, up to its cursor. One that has
 * no document of its own has arrived.
 *
 * @throws {PlatformError} WEBHOOK_NOT_FOUND, VALIDATION_FAILED
 */
export async function listDeliveries(
  deps: ChangeWebhookDeps,
  tenant: Tenant,
  id: string,
  query: DeliveryQuery,
): Promise<Page<Delivery>> {
  const webhook = await findWebhook(deps, tenant, id);
  const { log, deliveries } = deps;
  const { status, eventId, type, subject, limit } = query;
  const list = `deliveries ${[id, status, type, subject].join(' ')}`;
  const after = afterCursor(query, list, /^\d+$/);
  const before = after === undefined ? undefined : Number(after);
  const page = (positions: number[], more: boolean) => pageAfter({ documents: positions, more }, query, list, String);

  if (eventId !== undefined) {
    const entry = await log.find(tenant, eventId);
    const isIts = entry !== undefined && entry.terms.some((one) => webhook.wants.includes(one));
    const shown = isIts && entry.position > webhook.startedAt ? await show([entry]) : [];
    return { data: shown.filter((one) => status === undefined || one.status === status), page: page([], false) };
  }
  if (status !== undefined && status !== 'delivered') {
    if (type?.endsWith('*'))
      throw invalidInput('type', `must be one type, such as order.placed, with status ${status}`);
    const found = await deliveries.page(id, status, {
      before,
      limit: limit + 1,
      ...(type === undefined ? {} : { type }),
      ...(subject === undefined ? {} : { subject }),
    });
    const some = found.slice(0, limit);
    return {
      data: some.map((document) => toDelivery(document, [])),
      page: page(
        some.map(({ position }) => position),
        found.length > limit,
      ),
    };
  }
  const filter: EntryFilter = {
    terms: [
      webhook.wants,
      ...(type === undefined || type === '*' ? [] : [[termOfType(type)]]),
      ...(subject === undefined ? [] : [[term.subject(subject)]]),
    ],
  };
  const span = {
    after: Math.max(webhook.startedAt, await log.forgottenTo(tenant)),
    upTo: Math.min(webhook.cursor, before === undefined ? webhook.cursor : before - 1),
  };
  const found = await log.read(tenant, filter, span, { limit: limit + 1, direction: 'newest-first' });
  const some = found.slice(0, limit);
  const shown = await show(some);
  return {
    // A page of those that arrived may be shorter than its limit, because the others are left out.
    data: status === undefined ? shown : shown.filter((one) => one.status === status),
    page: page(
      some.map(({ position }) => position),
      found.length > limit,
    ),
  };

  async function show(entries: readonly EntryDocument[]): Promise<Delivery[]> {
    if (entries.length === 0) return [];
    const positions = entries.map(({ position }) => position);
    const [stored, arrived] = await Promise.all([
      deliveries.ofEvents(
        id,
        entries.map(({ _id }) => _id),
      ),
      deliveries.arrivedBetween(id, Math.min(...positions), Math.max(...positions)),
    ]);
    return entries.map((entry) => {
      const attempts = arrived.get(entry._id) ?? [];
      const document = stored.get(entry._id);
      if (document !== undefined) return toDelivery(document, attempts);
      return { ...about(entry._id, entry), status: 'delivered', attempts };
    });
  }
}

function toDelivery(document: DeliveryDocument, others: readonly DeliveryAttempt[]): Delivery {
  const { eventId, status, attempts, nextAttemptAt } = document;
  return {
    ...about(eventId, document),
    status,
    attempts: [...attempts, ...others].toSorted((a, b) => a.at.localeCompare(b.at)),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: nextAttemptAt.toISOString() }),
  };
}

function about(eventId: string, { type, subject, at }: Pick<EntryDocument, 'type' | 'subject' | 'at'>) {
  return { eventId, type, subject, timestamp: at.toISOString() };
}
