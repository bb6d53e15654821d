export { BROADCAST, broadcast, broadcastConfirmed, onBroadcast, onReconnect } from './broadcast.ts';
export { checkSync } from './check-sync.ts';
export { type BusConnection, type BusLogin, connectBus } from './connection.ts';
export { runConsumer } from './consumer.ts';
export { durableName, inboxPrefixOf, natsUrlsIn } from './names.ts';
export { permissionsOf } from './permissions.ts';
export { settledWithin } from './patience.ts';
export { isInPieces, KEPT_OPTION, type KeptList, NONE_KEPT, readPieces, writePieces } from './pieces.ts';
export { call, isNoResponders, type RawReply, type RequestContext, requestRaw } from './request-reply.ts';
export { requestTogether } from './request-together.ts';
export { splitReplies, splitRequests, TOGETHER_OPTION } from './together.ts';
export { serve, type ServedRequest } from './serve.ts';
export { announce, caughtUp } from './freshness.ts';
export {
  DEAD_LETTER_STREAM,
  DEAD_LETTERS_KEPT_MS,
  EVENT_BYTES_MAX,
  EVENT_STREAM,
  EVENTS_KEPT_MS,
} from './stream-settings.ts';
export { createEventPublisher, ensureStreams } from './streams.ts';
export { eventStreamState, type EventStreamState, readEvents, type StoredEvent } from './read-events.ts';
