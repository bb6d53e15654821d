import type { Handlers } from '@event-commerce/service-kit';
import { type FeedDeps, readFeed } from './feed/read-feed.ts';
import { streamFeed } from './feed/stream-feed.ts';

/** The handlers of activity's operations. */
export function activityHandlers(deps: FeedDeps): Handlers<'activity'> {
  return {
    listActivity: async ({ identity, query }) => readFeed(deps, identity, query),

    streamActivity: async ({ identity, headers, query }) =>
      streamFeed(deps, identity, query, headers['last-event-id']?.toString()),
  };
}
