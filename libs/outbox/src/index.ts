export { domainEvent, outboxEntry, type OutboxEntry, outboxIndex, outboxPath, type WithOutbox } from './outbox.ts';
export { type Relay, startRelay } from './relay.ts';
export { waitingEvents } from './waiting-events.ts';
export { forgetInParked, listParked, replayParked } from './parked.ts';
