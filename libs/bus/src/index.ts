export { BROADCAST, broadcast, broadcastConfirmed, onBroadcast } from './broadcast.ts';
export { checkSync } from './check-sync.ts';
export { type BusConnection, connectBus } from './connection.ts';
export { type ConsumerOptions, durableName, runConsumer } from './consumer.ts';
export { call, type Endpoint, type RawReply, type RequestContext, requestRaw } from './request-reply.ts';
export { serve, type ServedRequest } from './serve.ts';
export { announce, caughtUp } from './freshness.ts';
export { DEAD_LETTER_STREAM, EVENT_STREAM } from './stream-settings.ts';
export { createEventPublisher, ensureStreams } from './streams.ts';
