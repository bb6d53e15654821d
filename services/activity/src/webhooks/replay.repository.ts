import { collectionOf, newId } from '@event-commerce/service-kit';
import type { ActivityModels, ReplayDocument } from '../models.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export type ReplayRepository = ReturnType<typeof replayRepository>;

export function replayRepository(models: Pick<ActivityModels, 'replays'>, clock: () => Date) {
  const replays = collectionOf(models.replays);
  return {
    async create(input: Omit<ReplayDocument, '_id' | 'purgeAt'>): Promise<ReplayDocument> {
      const purgeAt = new Date(clock().getTime() + KEPT_MS);
      const replay: ReplayDocument = { _id: newId('rpl'), ...input, purgeAt };
      await replays.insertOne(replay);
      return replay;
    },

    async find(webhookId: string, id: string): Promise<ReplayDocument | undefined> {
      return (await replays.findOne({ _id: id, webhookId })) ?? undefined;
    },

    async running(webhookId: string): Promise<ReplayDocument | undefined> {
      return (await replays.findOne({ webhookId, status: 'running' })) ?? undefined;
    },

    async advance(
      id: string,
      { cursor, sent, isDone }: { cursor: number; sent: number; isDone: boolean },
    ): Promise<void> {
      await replays.updateOne(
        { _id: id },
        { $max: { cursor }, $inc: { sent }, ...(isDone ? { $set: { status: 'done' as const } } : {}) },
      );
    },
  };
}
