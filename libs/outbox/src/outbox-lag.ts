import { gauge } from '@event-commerce/telemetry';
import type { WithOutbox } from './outbox.ts';

/**
 * Reports how long the oldest event of `collection` has waited to be published. The function that comes back is told what
 * every sweep finds. The sweep reads a part of a long queue, and so this is a lower bound; it is 0 when nothing waits.
 */
export function reportOutboxLag(collection: string): (waiting: readonly WithOutbox[]) => void {
  let oldestMs: number | undefined;
  gauge('outbox.lag', { unit: 's', description: 'How long the oldest unpublished event has waited.' }, () => [
    [oldestMs === undefined ? 0 : Math.max(0, Date.now() - oldestMs) / 1000, { collection }],
  ]);
  return (waiting) => {
    const times = waiting.flatMap(({ outbox = [] }) => outbox.map(({ at }) => at.getTime()));
    oldestMs = times.length === 0 ? undefined : Math.min(...times);
  };
}
