import type { DomainEventType, ProcessName, ReceivedEvent } from '@event-commerce/contracts';
import type { Logger } from 'pino';

/** What a consumer is, and what it does. */
export interface ConsumerOptions<T extends DomainEventType> {
  /** The consumer's name in metrics, logs and dead letters. Replicas with the same name share the work. */
  name: string;
  types: readonly T[];
  /** Receives only events that concern this process; absent: all. */
  process?: ProcessName;
  inFlightMax?: number;
  logger: Logger;
  /** Whether something the handler needs is down. The event then waits, however long, and no attempt is counted. */
  isOutage: (error: unknown) => boolean;
  /** The delays between the attempts of an event whose handler failed; after the last it is parked. */
  retryDelaysMs?: readonly number[];
  /** How long one attempt may take before it counts as failed; 2 minutes unless given. */
  handleWithinMs?: number;
  /** Must be safe to run twice for one event, and in any order. */
  handle: (event: ReceivedEvent<T>) => Promise<void>;
}
