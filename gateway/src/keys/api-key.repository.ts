import {
  type Cause,
  type DomainEvent,
  KEY_ENVIRONMENTS,
  type KeyEnvironment,
  type Page,
  type PageQuery,
  type Scope,
  SCOPES,
  tenantOf,
} from '@event-commerce/contracts';
import {
  domainEvent,
  outboxEntry,
  type OutboxEntry,
  outboxIndex,
  outboxPath,
  type Relay,
  type WithOutbox,
} from '@event-commerce/outbox';
import { batched, collectionOf, pageRange, toPage } from '@event-commerce/service-kit';
import mongoose, { type Connection, type Model, Schema } from 'mongoose';
import type { ApiKey } from './api-key.ts';

/** How long a revoked or expired key is listed. */
const ENDED_KEPT_SECONDS = 90 * 24 * 60 * 60;

interface ApiKeyDocument extends Omit<ApiKey, 'id' | 'scopes' | 'secretHash'>, WithOutbox {
  scopes: Scope[];
  secretHash: mongoose.mongo.Binary;
  /** When the key was last rotated, revoked or given a new secret, by the database's clock. Absent if never. */
  changedAt?: Date;
}

const apiKeySchema = new Schema<ApiKeyDocument>(
  {
    _id: { type: String, required: true },
    companyId: { type: String, required: true },
    name: { type: String, required: true },
    scopes: { type: [{ type: String, enum: SCOPES }], required: true },
    environment: { type: String, enum: KEY_ENVIRONMENTS, required: true },
    rateLimit: {
      type: new Schema(
        { perSecond: { type: Number, required: true }, burst: { type: Number, required: true } },
        { _id: false },
      ),
      default: null,
    },
    shared: {
      type: new Schema(
        {
          keyId: { type: String, required: true },
          perSecond: { type: Number, required: true },
          burst: { type: Number, required: true },
        },
        { _id: false },
      ),
      default: null,
    },
    secretHash: { type: Buffer, required: true },
    created: { type: Date, required: true },
    createdBy: { type: String, required: true },
    lastUsed: { type: Date, default: null },
    expires: { type: Date, default: null },
    revoked: { type: Date, default: null },
    originalId: { type: String, default: null },
    rotatedTo: { type: String, default: null },
    version: { type: Number, required: true },
    changedAt: Date,
    outbox: outboxPath,
  },
  { versionKey: false, collection: 'api_keys', strict: 'throw' },
);
apiKeySchema
  .index({ companyId: 1, _id: -1 })
  // For the count of usable keys, which every new key waits for: revoked keys are not in this index.
  .index({ companyId: 1, environment: 1, expires: 1 }, { partialFilterExpression: { revoked: null } })
  // The database removes keys that ended this long ago.
  .index({ revoked: 1 }, { expireAfterSeconds: ENDED_KEPT_SECONDS })
  .index({ expires: 1 }, { expireAfterSeconds: ENDED_KEPT_SECONDS })
  .index({ changedAt: 1 }, { sparse: true })
  .index(...outboxIndex);

export function apiKeyModel(connection: Connection): Model<ApiKeyDocument> {
  return connection.model<ApiKeyDocument>('ApiKey', apiKeySchema);
}

export type ApiKeyRepository = ReturnType<typeof createApiKeyRepository>;

/** Selects the visible keys: those of a company in one environment. The operator may leave both out. */
export interface KeyOwner {
  companyId?: string | undefined;
  environment?: KeyEnvironment | undefined;
}

const CHANGED = { $currentDate: { changedAt: true } } as const;

/** The store of API keys. */
export function createApiKeyRepository(model: Model<ApiKeyDocument>, relay: Pick<Relay<ApiKeyDocument>, 'publish'>) {
  const keys = collectionOf(model);
  const touch = batched(async (ids: readonly string[]) => {
    await keys.updateMany({ _id: { $in: [...ids] } }, { $set: { lastUsed: new Date() } });
    return ids.map(() => undefined);
  });

  return {
    /**
     * Stores a key with its event, and returns a function that publishes the event: not yet, because the key may have
     * to be removed again. If it is not called, the sweep publishes the event.
     */
    async insert({ id, secretHash, ...key }: ApiKey, cause: Cause): Promise<() => void> {
      const document: ApiKeyDocument = {
        _id: id,
        ...key,
        scopes: [...key.scopes],
        secretHash: new mongoose.mongo.Binary(secretHash),
        outbox: [outboxEntry('api_key.created', key.created, { ...cause, after: { version: key.version } })],
      };
      await keys.insertOne(document);
      return () => relay.publish(document);
    },

    /**
     * Replaces the secret of a key that nobody has seen; undefined if there is no such key, or it was used or revoked.
     */
    async renewSecret(id: string, secretHash: Buffer): Promise<ApiKey | undefined> {
      const found = await keys.findOneAndUpdate(
        { _id: id, lastUsed: null, revoked: null },
        { $set: { secretHash: new mongoose.mongo.Binary(secretHash) }, ...CHANGED },
        { returnDocument: 'after' },
      );
      return found === null ? undefined : toApiKey(found);
    },

    /** The key that a caller presents; until then its company is not known. */
    async findById(id: string): Promise<ApiKey | undefined> {
      const found = await keys.findOne({ _id: id });
      return found === null ? undefined : toApiKey(found);
    },

    /**
     * The keys of any company that changed in the last `ms`, each with the time of its last change. Uses the database's
     * clock, like `changedAt`: this process's own may be wrong.
     */
    async changedWithin(ms: number): Promise<Map<string, number>> {
      const hello = await model.db.db?.command({ hello: 1 });
      const { localTime } = hello as { localTime: Date };
      const since = new Date(localTime.getTime() - ms);
      const found = keys.find<{ _id: string; changedAt: Date }>(
        { changedAt: { $gt: since } },
        { projection: { changedAt: 1 } },
      );
      return new Map((await found.toArray()).map(({ _id: id, changedAt }) => [id, changedAt.getTime()]));
    },

    async find(owner: KeyOwner, id: string): Promise<ApiKey | undefined> {
      const found = await keys.findOne({ _id: id, ...ownedBy(owner) });
      return found === null ? undefined : toApiKey(found);
    },

    /** One page of the keys of `owner`, newest first. */
    async page(owner: KeyOwner, query: PageQuery): Promise<Page<ApiKey>> {
      const found = await keys
        .find({ ...ownedBy(owner), ...pageRange(query, 'keys') })
        .sort({ _id: -1 })
        .limit(query.limit + 1)
        .toArray();
      const documents = found.slice(0, query.limit);
      return toPage({ documents, more: found.length > documents.length }, query, 'keys', toApiKey);
    },

    /** Returns the revoked key; one that was already revoked keeps its time. */
    async revoke(owner: KeyOwner, id: string, now: Date, cause: Cause): Promise<ApiKey | undefined> {
      const revoked = await keys.findOneAndUpdate(
        { _id: id, ...ownedBy(owner), revoked: null },
        {
          $set: { revoked: now },
          ...CHANGED,
          $inc: { version: 1 },
          $push: { outbox: outboxEntry('api_key.revoked', now, cause) },
        },
        { returnDocument: 'after' },
      );
      if (revoked === null) return await this.find(owner, id);
      relay.publish(revoked);
      return toApiKey(revoked);
    },

    /**
     * Records that `replacement` replaces `key`, unless another attempt has. False if another key replaced it, or it
     * was revoked before.
     */
    async markRotated(
      { id, version, rotatedTo, expires: expired }: ApiKey,
      replacement: string,
      { expires, now, cause }: { expires: Date; now: Date; cause: Cause },
    ): Promise<boolean> {
      const set = { rotatedTo: replacement, expires };
      const told = { ...cause, before: { rotatedTo, expires: expired }, after: { ...set, version: version + 1 } };
      const rotated = await keys.findOneAndUpdate(
        { _id: id, version, revoked: null, rotatedTo: null },
        { $set: set, ...CHANGED, $inc: { version: 1 }, $push: { outbox: outboxEntry('api_key.rotated', now, told) } },
        { returnDocument: 'after' },
      );
      if (rotated === null) return (await keys.findOne({ _id: id }))?.rotatedTo === replacement;
      relay.publish(rotated);
      return true;
    },

    /** How many active keys the company has in one environment. */
    async countUsable(
      { companyId, environment }: Pick<ApiKey, 'companyId' | 'environment'>,
      now: Date,
    ): Promise<number> {
      const usable = { companyId, environment, revoked: null, $or: [{ expires: null }, { expires: { $gt: now } }] };
      return await keys.countDocuments(usable);
    },

    /** Removes a key, unless another attempt gave it a new secret in the meantime. */
    async remove({ id, secretHash }: ApiKey): Promise<void> {
      await keys.deleteOne({ _id: id, secretHash: new mongoose.mongo.Binary(secretHash) });
    },

    touch,
  };
}

function ownedBy({ companyId, environment }: KeyOwner): { companyId?: string; environment?: KeyEnvironment } {
  return { ...(companyId === undefined ? {} : { companyId }), ...(environment === undefined ? {} : { environment }) };
}

/** The domain event of a key's outbox entry. */
export function apiKeyEvent(entry: OutboxEntry, document: ApiKeyDocument): DomainEvent {
  const { _id: id, companyId, name, scopes, environment, createdBy, expires, rotatedTo, revoked, version } = document;
  const about = { subject: id, tenant: tenantOf(document) };
  const data = {
    id,
    companyId,
    name,
    scopes,
    environment,
    createdBy,
    version,
    ...(expires === null ? {} : { expires: expires.toISOString() }),
    ...(rotatedTo === null ? {} : { rotatedTo }),
  };
  if (entry.type === 'api_key.revoked') {
    const at = revoked ?? entry.at;
    return domainEvent({ ...entry, type: entry.type }, { ...about, data: { ...data, revoked: at.toISOString() } });
  }
  return domainEvent(entry as OutboxEntry & { type: 'api_key.rotated' }, { ...about, data });
}

function toApiKey({
  _id: id,
  outbox: _outbox,
  changedAt: _changedAt,
  secretHash,
  ...document
}: ApiKeyDocument): ApiKey {
  return {
    id,
    ...document,
    secretHash: Buffer.from(secretHash.buffer),
  };
}
