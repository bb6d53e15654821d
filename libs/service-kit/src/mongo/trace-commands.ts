import { isInSpan, type OpenSpan, openSpan, SpanKind } from '@event-commerce/telemetry';
import type { mongo } from 'mongoose';

/**
 * A span for each command that `client` sends within another span; sweeps, which nobody requested, have none. It
 * contains only the command's name and collection. The driver must have been created with `monitorCommands`.
 */
export function traceCommands(client: mongo.MongoClient): void {
  const open = new Map<number, OpenSpan>();
  client.on('commandStarted', ({ requestId, commandName, databaseName, address, command }) => {
    if (!isInSpan()) return;
    const [host = '', port] = address.split(/:(?=\d+$)/);
    const named = (command as Record<string, unknown>)[commandName];
    const collection = typeof named === 'string' ? named : undefined;
    open.set(
      requestId,
      openSpan({
        name: collection === undefined ? commandName : `${commandName} ${collection}`,
        kind: SpanKind.CLIENT,
        attributes: {
          'db.system.name': 'mongodb',
          'db.namespace': databaseName,
          'db.operation.name': commandName,
          ...(collection === undefined ? {} : { 'db.collection.name': collection }),
          'server.address': host,
          ...(port === undefined ? {} : { 'server.port': Number(port) }),
        },
      }),
    );
  });
  const end = (requestId: number, failure?: Error): void => {
    open.get(requestId)?.end(failure === undefined ? {} : { errorType: failure.name });
    open.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId));
  client.on('commandFailed', ({ requestId, failure }) => end(requestId, failure));
}
