import { randomUUID } from 'node:crypto';
import type { DeliveryAttempt, Tenant } from '@event-commerce/contracts';
import { collectionOf, insertEach } from '@event-commerce/service-kit';
import type { ActivityModels, DeliveryDocument, EntryDocument, WebhookDocument } from '../models.ts';
import { retryDelayMs } from './domain/retries.ts';
import type { Outcome } from './send-webhook.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ATTEMPTS_KEPT_MS = 7 * DAY_MS;
const PARKED_KEPT_MS = 90 * DAY_MS;
/** Each event fails at most ten times by itself; a caller may send it again as often as it likes. */
const ATTEMPTS_MAX = 20;
const BLOCK_MAX = 500;

type Webhook = Pick<WebhookDocument, '_id' | 'companyId'>;

/** An event that arrived at its first attempt. */
export interface Arrived {
  entry: EntryDocument;
  attempt: DeliveryAttempt;
}

/** The events of a webhook that did not arrive. */
interface Unarrived {
  counts: { retrying: number; waiting: number; parked: number };
  oldestAt: Date | undefined;
}

export type DeliveryRepository = ReturnType<typeof deliveryRepository>;

/** What became of the events of webhooks. An event up to a webhook's cursor that has no document here has arrived. */
export function deliveryRepository(
  models: Pick<ActivityModels, 'deliveries' | 'attemptBlocks' | 'webhooks'>,
  clock: () => Date,
) {
  const deliveries = collectionOf(models.deliveries);
  const blocks = collectionOf(models.attemptBlocks);
  const webhooks = collectionOf(models.webhooks);
  const open = { $in: ['retrying', 'waiting'] as DeliveryDocument['status'][] };
  const idOf = (webhookId: string, eventId: string) => `${webhookId} ${eventId}`;
  const inMs = (ms: number) => new Date(clock().getTime() + ms);

  /**
   * Lets events be sent that wait for nothing any longer: what they waited for has arrived, or was given up. Returns
   * how many there are.
   */
  const wake = async (webhookId: string): Promise<number> => {
    const firsts = await deliveries
      .aggregate<{ first: string }>([
        { $match: { webhookId, status: open } },
        { $sort: { position: 1 } },
        { $group: { _id: '$subject', first: { $first: '$_id' }, status: { $first: '$status' } } },
        { $match: { status: 'waiting' } },
      ])
      .toArray();
    if (firsts.length === 0) return 0;
    const woken = await deliveries.updateMany(
      { _id: { $in: firsts.map(({ first }) => first) }, status: 'waiting' },
      { $set: { status: 'retrying', nextAttemptAt: clock() } },
    );
    return woken.modifiedCount;
  };

  return {
    /** A delivery as it is stored once its first attempt failed, or because it has to wait for an earlier event. */
    unarrived({ _id, companyId }: Webhook, entry: EntryDocument, outcome?: Outcome): DeliveryDocument {
      return {
        _id: idOf(_id, entry._id),
        companyId,
        webhookId: _id,
        eventId: entry._id,
        position: entry.position,
        type: entry.type,
        subject: entry.subject,
        at: entry.at,
        status: outcome === undefined ? 'waiting' : 'retrying',
        failures: outcome === undefined ? 0 : 1,
        attempts: outcome === undefined ? [] : [outcome.attempt],
        ...(outcome === undefined ? {} : { nextAttemptAt: inMs(retryDelayMs(1, outcome.retryAfterMs) ?? 0) }),
      };
    },

    /** Stores deliveries, each once. */
    async add(documents: readonly DeliveryDocument[]): Promise<void> {
      if (documents.length === 0) return;
      const failed = (await insertEach(deliveries, documents)).find((one) => one instanceof Error);
      if (failed !== undefined) throw failed;
    },

    /** Stores the attempts of events that arrived at once. */
    async addArrived({ _id, companyId }: Webhook, arrived: readonly Arrived[]): Promise<void> {
      for (let at = 0; at < arrived.length; at += BLOCK_MAX) {
        const some = arrived.slice(at, at + BLOCK_MAX);
        const positions = some.map(({ entry }) => entry.position);
        await blocks.insertOne({
          _id: randomUUID(),
          companyId,
          webhookId: _id,
          from: Math.min(...positions),
          to: Math.max(...positions),
          attempts: some.map(({ entry, attempt }) => ({ ...attempt, eventId: entry._id })),
          purgeAt: inMs(ATTEMPTS_KEPT_MS),
        });
      }
    },

    /** Which of the subjects have an event that was neither delivered nor given up. */
    async openSubjects(webhookId: string, subjects: readonly string[]): Promise<Set<string>> {
      if (subjects.length === 0) return new Set();
      const found = await deliveries.distinct('subject', { webhookId, status: open, subject: { $in: [...subjects] } });
      return new Set(found);
    },

    async countOpen(webhookId: string): Promise<number> {
      return await deliveries.countDocuments({ webhookId, status: open });
    },

    /** The deliveries to retry now, earliest events first. `always`: even before they are due. */
    async due(webhookId: string, limit: number, { always = false } = {}): Promise<DeliveryDocument[]> {
      return await deliveries
        .find({ webhookId, status: 'retrying', ...(always ? {} : { nextAttemptAt: { $lte: clock() } }) })
        .sort({ position: 1 })
        .limit(limit)
        .toArray();
    },

    /** When the next retry is due; undefined if none is. */
    async nextDueAt(webhookId: string): Promise<Date | undefined> {
      const [next] = await deliveries
        .find({ webhookId, status: 'retrying' })
        .sort({ nextAttemptAt: 1 })
        .limit(1)
        .toArray();
      return next?.nextAttemptAt;
    },

    /** Notes that an event has arrived. */
    async arrived({ _id }: Pick<DeliveryDocument, '_id'>, attempt: DeliveryAttempt): Promise<void> {
      await deliveries.updateOne(
        { _id },
        {
          $set: { status: 'delivered', purgeAt: inMs(ATTEMPTS_KEPT_MS) },
          $unset: { nextAttemptAt: '' },
          $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_MAX } },
        },
      );
    },

    /** Notes that an attempt failed; the event is tried again later, or given up. */
    async failed({ _id, failures }: Pick<DeliveryDocument, '_id' | 'failures'>, outcome: Outcome): Promise<void> {
      const delayMs = retryDelayMs(failures + 1, outcome.retryAfterMs);
      const push = { $push: { attempts: { $each: [outcome.attempt], $slice: -ATTEMPTS_MAX } }, $inc: { failures: 1 } };
      await deliveries.updateOne(
        // Meanwhile a caller may have sent it again, and it arrived.
        { _id, failures, status: 'retrying' },
        delayMs === undefined
          ? { ...push, $set: { status: 'parked', purgeAt: inMs(PARKED_KEPT_MS) }, $unset: { nextAttemptAt: '' } }
          : { ...push, $set: { status: 'retrying', nextAttemptAt: inMs(delayMs) } },
      );
    },

    /** Notes an attempt that a caller asked for and that failed: it changes nothing else. */
    async failedAgain({ _id }: Pick<DeliveryDocument, '_id'>, attempt: DeliveryAttempt): Promise<void> {
      await deliveries.updateOne({ _id }, { $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_MAX } } });
    },

    wake,

    /** Sends again what was given up, in order within each subject. Returns how many there are. */
    async retryParked(webhookId: string): Promise<number> {
      const retried = await deliveries.updateMany(
        { webhookId, status: 'parked' },
        { $set: { status: 'waiting', failures: 0 }, $unset: { purgeAt: '' } },
      );
      await wake(webhookId);
      return retried.modifiedCount;
    },

    /** How many events of each webhook did not arrive, and when the first of those happened that may yet arrive. */
    async unarrivedOf(webhookIds: readonly string[]): Promise<Map<string, Unarrived>> {
      const groups = await deliveries
        .aggregate<{ _id: { webhookId: string; status: keyof Unarrived['counts'] }; count: number; first: Date }>([
          { $match: { webhookId: { $in: [...webhookIds] }, status: { $in: ['retrying', 'waiting', 'parked'] } } },
          {
            $group: {
              _id: { webhookId: '$webhookId', status: '$status' },
              count: { $sum: 1 },
              first: { $min: '$at' },
            },
          },
        ])
        .toArray();
      const found = new Map<string, Unarrived>();
      for (const id of webhookIds)
        found.set(id, { counts: { retrying: 0, waiting: 0, parked: 0 }, oldestAt: undefined });
      for (const { _id, count, first } of groups) {
        const one = found.get(_id.webhookId);
        if (one === undefined) continue;
        one.counts[_id.status] = count;
        const isEarlier = one.oldestAt === undefined || first < one.oldestAt;
        if (_id.status !== 'parked' && isEarlier) one.oldestAt = first;
      }
      return found;
    },

    async find(webhookId: string, eventId: string): Promise<DeliveryDocument | undefined> {
      return (await deliveries.findOne({ _id: idOf(webhookId, eventId) })) ?? undefined;
    },

    /** The deliveries of the events, by event id. */
    async ofEvents(webhookId: string, eventIds: readonly string[]): Promise<Map<string, DeliveryDocument>> {
      const found = await deliveries.find({ _id: { $in: eventIds.map((id) => idOf(webhookId, id)) } }).toArray();
      return new Map(found.map((document) => [document.eventId, document]));
    },

    /** The attempts of events between two positions that arrived at once, by event id. */
    async arrivedBetween(webhookId: string, from: number, to: number): Promise<Map<string, DeliveryAttempt[]>> {
      const found = await blocks.find({ webhookId, to: { $gte: from }, from: { $lte: to } }).toArray();
      const attempts = new Map<string, DeliveryAttempt[]>();
      for (const { eventId, ...attempt } of found.flatMap((block) => block.attempts)) {
        attempts.set(eventId, [...(attempts.get(eventId) ?? []), attempt]);
      }
      return attempts;
    },

    /** One page of deliveries with `status`, newest event first, at positions before `before`. */
    async page(
      webhookId: string,
      status: DeliveryDocument['status'],
      { before, limit, ...where }: { before: number | undefined; limit: number; type?: string; subject?: string },
    ): Promise<DeliveryDocument[]> {
      return await deliveries
        .find({ webhookId, status, ...where, ...(before === undefined ? {} : { position: { $lt: before } }) })
        .sort({ position: -1 })
        .limit(limit)
        .toArray();
    },

    /** Removes what endpoints responded to messages about `entries`: they may repeat them. */
    async forgetResponses(tenant: Tenant, entries: readonly Pick<EntryDocument, '_id' | 'position'>[]): Promise<void> {
      const [first, last] = [entries.at(0), entries.at(-1)];
      if (first === undefined || last === undefined) return;
      const eventIds = entries.map(({ _id }) => _id);
      for (const { _id: webhookId } of await webhooks
        .find({ companyId: tenant }, { projection: { _id: 1 } })
        .toArray()) {
        await deliveries.updateMany(
          { _id: { $in: eventIds.map((id) => idOf(webhookId, id)) } },
          { $unset: { 'attempts.$[].responseBody': '' } },
        );
        await blocks.updateMany(
          { webhookId, to: { $gte: first.position }, from: { $lte: last.position } },
          { $unset: { 'attempts.$[one].responseBody': '' } },
          { arrayFilters: [{ 'one.eventId': { $in: eventIds } }] },
        );
      }
    },

    /** Lets the database delete what is left of a webhook. */
    async forget({ _id, companyId }: { _id: string; companyId: Tenant }): Promise<void> {
      await deliveries.updateMany({ webhookId: _id, companyId }, { $set: { purgeAt: clock() } });
    },
  };
}
