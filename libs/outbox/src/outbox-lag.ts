import { gauge } from '@event-commerce/telemetry';

/**
 * Reports how long the oldest event of `collection` has waited to be published. Tell the returned function when the oldest that a
 * sweep found was written; undefined, and 0 is reported, when nothing waits.
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
