export { domainEvent, outboxEntry, type OutboxEntry, outboxIndex, outboxPath, type WithOutbox } from './outbox.ts';
export { type Relay, type RelaySource, startRelay } from './relay.ts';
export { listParked, type ParkedEvent, replayParked } from './parked.ts';
