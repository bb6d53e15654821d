import { type Declarations, operations } from '../operations/operation.ts';
import { EVENT } from '../events/operations.ts';
import {
  ACTIVITY_SCOPES,
  activityEntry,
  activityQuery,
  activityStreamQuery,
  pageOfFeed,
  WAIT_MAX_SECONDS,
} from './entry.ts';
import { cursorExpired, kindNotReadable, tooManyWaiting } from './refusals.ts';

/** The id that the examples use for an event of the log. */
export const ENTRY = '8c1f6a52-3b7d-4e0a-9f24-6d5b0c7e1a93';

const FILTERED =
  'A key sees entries about the kinds of records that its other scopes let it read: with `orders:read` those about orders.';

export const ACTIVITY_OPERATIONS = operations('activity', 'Activity', {
  listActivity: {
    method: 'GET',
    path: '/activity',
    summary: 'List what happened',
    description: [
      `Returns what happened in the company, newest first; with \`after\`, oldest first. ${FILTERED}`,
      'To follow what happens, begin with `after=now` (or `oldest`), then send `page.next` of each response as `after` of the next request, and `wait=30` to be answered as soon as something happens. Store `page.next` with what you did: continuing from there, you miss nothing and need no open connection.',
      '`collapse=subject` returns each record once, with its last entry: what changed since then.',
    ].join('\n\n'),
    scope: 'activity:read',
    also: ACTIVITY_SCOPES,
    query: activityQuery,
    waitsMs: WAIT_MAX_SECONDS * 1_000,
    answer: { statuses: { 200: 'One page of entries.' }, data: activityEntry, form: 'list', page: pageOfFeed },
    errors: [cursorExpired, kindNotReadable, tooManyWaiting],
    examples: {
      newest: { summary: 'What happened to events last', query: { type: 'event.*', limit: '3' } },
      record: {
        summary: 'The history of an event',
        query: { subject: EVENT },
        makes: { 'data.0.id': ENTRY },
      },
      follow: { summary: 'Follow orders from now on', query: { type: 'order.*', after: 'now' } },
    },
  },
  streamActivity: {
    method: 'GET',
    path: '/activity/stream',
    summary: 'Stream what happens',
    description: [
      `Server-sent events: one for each entry, with its cursor as \`id\` and the entry as \`data\`. ${FILTERED}`,
      'Every five seconds the stream sends an `id` alone. It ends after 15 minutes: connect again with the last id as `Last-Event-ID`, as `EventSource` does, and nothing is missed.',
    ].join('\n\n'),
    scope: 'activity:read',
    also: ACTIVITY_SCOPES,
    query: activityStreamQuery,
    answer: {
      statuses: { 200: 'Entries, as they happen.' },
      data: activityEntry,
      form: 'stream',
      streams: { 'text/event-stream': 'An endless stream of entries.' },
    },
    errors: [cursorExpired, kindNotReadable, tooManyWaiting],
    examples: {},
  },
} satisfies Declarations);
