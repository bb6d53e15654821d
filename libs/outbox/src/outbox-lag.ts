import { gauge } from '@event-commerce/telemetry';

/**
 * Reports how long the oldest event of `collection` has waited to be published. Returns a function that takes the time
 * when the oldest event found by a sweep was written; undefined means that nothing waits, and reports 0.
 */
export function reportOutboxLag(collection: string): (oldestMs: number | undefined) => void {
  let oldest: number | undefined;
  gauge('outbox.lag', { unit: 's', description: 'How long the oldest unpublished event has waited.' }, () => [
    [oldest === undefined ? 0 : Math.max(0, Date.now() - oldest) / 1000, { collection }],
  ]);
  return (oldestMs) => {
    oldest = oldestMs;
  };
}
