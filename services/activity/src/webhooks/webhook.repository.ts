import { companyIdOf, type PageQuery, type Tenant, type Webhook, type WebhookInput } from '@event-commerce/contracts';
import { domainEvent, outboxEntry, type OutboxEntry, type Relay } from '@event-commerce/outbox';
import {
  type Caller,
  changesInTurn,
  collectionOf,
  countOf,
  findPage,
  isDuplicateKey,
  pageRange,
  toPage,
  type Writer,
} from '@event-commerce/service-kit';
import type { mongo } from 'mongoose';
import type { ActivityModels, StoredSecret, WebhookDocument } from '../models.ts';

/** What a company says of a webhook, and what follows from the key that said it. */
export type SettledWebhook = Omit<WebhookInput, 'description'> & { description?: string; wants: string[] };

type EventType = 'webhook.created' | 'webhook.updated' | 'webhook.failing' | 'webhook.paused' | 'webhook.deleted';

const EXISTS = { $in: ['active', 'paused'] as ('active' | 'paused')[] };
const PURGED_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export type WebhookRepository = ReturnType<typeof webhookRepository>;

export function webhookRepository(
  { webhooks }: Pick<ActivityModels, 'webhooks'>,
  relay: Relay<WebhookDocument>,
  clock: () => Date,
) {
  const collection = collectionOf(webhooks);

  /** Changes a webhook as its company sees it. Undefined if it does not match. */
  const change = async (
    filter: mongo.Filter<WebhookDocument>,
    { $set = {}, $unset = {} }: { $set?: Partial<WebhookDocument>; $unset?: Record<string, ''> },
    type: EventType,
    writer: Writer | Record<string, never>,
  ): Promise<WebhookDocument | undefined> => {
    const now = clock();
    const changed = await collection.findOneAndUpdate(
      filter,
      {
        $set: { ...$set, changed: now, touched: now },
        ...(Object.keys($unset).length === 0 ? {} : { $unset }),
        $inc: { version: 1 },
        $push: { outbox: outboxEntry(type, now, writer) },
      },
      { returnDocument: 'after' },
    );
    if (changed === null) return undefined;
    relay.publish(changed);
    return changed;
  };

  return {
    changeInTurn: changesInTurn('The webhook'),

    async count(tenant: Tenant): Promise<number> {
      return await countOf(collection, { companyId: tenant, status: EXISTS });
    },

    /** Undefined if there is one with this id. */
    async create(
      caller: Caller,
      id: string,
      { description, ...input }: SettledWebhook,
      { secret, position }: { secret: StoredSecret; position: number },
    ): Promise<WebhookDocument | undefined> {
      const now = clock();
      const document: WebhookDocument = {
        _id: id,
        companyId: caller.tenant,
        ...input,
        ...(description === undefined ? {} : { description }),
        ...(input.status === 'paused' ? { pausedBy: 'company' as const } : {}),
        secrets: [secret],
        cursor: position,
        startedAt: position,
        version: 1,
        created: now,
        changed: now,
        touched: now,
        outbox: [outboxEntry('webhook.created', now, caller)],
      };
      try {
        await collection.insertOne(document);
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
      relay.publish(document);
      return document;
    },

    async find(tenant: Tenant, id: string): Promise<WebhookDocument | undefined> {
      return (await collection.findOne({ _id: id, companyId: tenant, status: EXISTS })) ?? undefined;
    },

    async page(tenant: Tenant, query: PageQuery & { status?: WebhookInput['status'] | undefined }) {
      const list = `webhooks ${query.status ?? ''}`;
      const filter = { companyId: tenant, status: query.status ?? EXISTS, ...pageRange(query, list) };
      const found = await findPage(collection, 'whk', filter, query);
      return toPage(found, query, list, (document) => document);
    },

    /** Replaces what its company says of a webhook, if it is still at `current`'s version. */
    async replace(
      caller: Writer,
      { _id, version, status }: WebhookDocument,
      { description, ...input }: SettledWebhook,
      { cursor }: { cursor: number | undefined },
    ): Promise<WebhookDocument | undefined> {
      const [pauses, resumes] = [status === 'active', status === 'paused'].map(
        (from) => from && input.status !== status,
      );
      return await change(
        { _id, companyId: caller.tenant, version },
        {
          $set: {
            ...input,
            ...(description === undefined ? {} : { description }),
            ...(pauses ? { pausedBy: 'company' as const } : {}),
            ...(cursor === undefined ? {} : { cursor }),
          },
          $unset: {
            ...(description === undefined ? { description: '' as const } : {}),
            ...(resumes ? { pausedBy: '', statusReason: '', failingSince: '', toldFailing: '' } : {}),
          },
        },
        'webhook.updated',
        caller,
      );
    },

    async setSecrets(
      caller: Writer,
      { _id, version }: WebhookDocument,
      secrets: StoredSecret[],
    ): Promise<WebhookDocument | undefined> {
      return await change({ _id, companyId: caller.tenant, version }, { $set: { secrets } }, 'webhook.updated', caller);
    },

    /** Deletes it for everybody. The document is removed once its last event has surely been published. */
    async delete(caller: Writer, { _id, version }: WebhookDocument): Promise<boolean> {
      const $set = { status: 'deleted' as const, purgeAt: new Date(clock().getTime() + PURGED_AFTER_MS) };
      const filter = { _id, companyId: caller.tenant, version };
      return (await change(filter, { $set }, 'webhook.deleted', caller)) !== undefined;
    },

    /** Lets the delivering process look at it again. */
    async touch(id: string): Promise<void> {
      await collection.updateOne({ _id: id }, { $set: { touched: clock() } });
    },

    /** The webhooks that changed since `since`, for a delivering process. */
    async touchedSince(since: Date): Promise<WebhookDocument[]> {
      return await collection.find({ touched: { $gte: since } }).toArray();
    },

    /** Notes that everything up to `cursor` is delivered or has a document of its own. */
    async advance(id: string, cursor: number): Promise<void> {
      await collection.updateOne({ _id: id }, { $max: { cursor } });
    },

    async noteFailing(id: string, since: Date): Promise<void> {
      await collection.updateOne({ _id: id, failingSince: { $exists: false } }, { $set: { failingSince: since } });
    },

    async noteSuccess(id: string): Promise<void> {
      await collection.updateOne({ _id: id }, { $unset: { failingSince: '', toldFailing: '' } });
    },

    /** Tells the company, once, that a webhook has been failing for a long time. */
    async tellFailing(id: string): Promise<void> {
      await change(
        { _id: id, status: 'active', toldFailing: { $ne: true } },
        { $set: { toldFailing: true } },
        'webhook.failing',
        {},
      );
    },

    /** Pauses a webhook for the reason `statusReason`. */
    async pause(id: string, statusReason: string): Promise<void> {
      const $set = { status: 'paused' as const, pausedBy: 'platform' as const, statusReason };
      await change({ _id: id, status: 'active' }, { $set }, 'webhook.paused', {});
    },
  };
}

/** The event of `entry`: the webhook without its secrets. */
export function webhookEvent(entry: OutboxEntry, document: WebhookDocument) {
  const { _id, companyId, url, types, status, pausedBy, statusReason, failingSince, version } = document;
  return domainEvent(entry as OutboxEntry & { type: EventType }, {
    subject: _id,
    tenant: companyId,
    data: {
      id: _id,
      companyId: companyIdOf(companyId),
      url,
      types,
      status,
      version,
      ...(pausedBy === undefined ? {} : { pausedBy }),
      ...(statusReason === undefined ? {} : { statusReason }),
      ...(failingSince === undefined ? {} : { failingSince: failingSince.toISOString() }),
    },
  });
}

/** A webhook as its company sees it. */
export function toWebhook(
  document: WebhookDocument,
  more: Pick<Webhook, 'counts'> & { oldestUndeliveredAt?: Date | undefined },
): Webhook {
  const { _id, companyId, url, types, description, status, pausedBy, statusReason, failingSince, version } = document;
  return {
    id: _id,
    companyId: companyIdOf(companyId),
    url,
    types,
    ...(description === undefined ? {} : { description }),
    status: status === 'active' ? status : 'paused',
    ...(pausedBy === undefined ? {} : { pausedBy }),
    ...(statusReason === undefined ? {} : { statusReason }),
    ...(failingSince === undefined ? {} : { failingSince: failingSince.toISOString() }),
    ...(more.oldestUndeliveredAt === undefined ? {} : { oldestUndeliveredAt: more.oldestUndeliveredAt.toISOString() }),
    counts: more.counts,
    version,
    created: document.created.toISOString(),
    changed: document.changed.toISOString(),
  };
}
