import {
  EVENT_STATUSES,
  eventInput,
  eventPatch,
  instanceInput,
  eventQuery,
  mergeInput,
  offering,
  offeringInput,
  offeringListQuery,
  offeringPatch,
  purchaseGroup,
  purchaseGroupInput,
  purchaseGroupListQuery,
  revertInput,
  ticketedEvent,
} from '@event-commerce/contracts';
import { z } from 'zod';
import { exampleId, type Operation } from '../operation.ts';

export const EVENT = exampleId('evt', 1);
const SERIES = exampleId('evt', 2);
const INSTANCE = exampleId('evt', 3);
const TARGET_GROUP = exampleId('pg', 1);
const SOURCE_GROUP = exampleId('pg', 2);
export const OFFERING = 'off_standing';

const noEvent = { EVENT_NOT_FOUND: 'The company has no event of this id.' } as const;
const noSeries = { SERIES_NOT_FOUND: 'The company has no series of this id.' } as const;
const noInstance = { INSTANCE_NOT_FOUND: 'This series has no instance of this id.' } as const;
const noGroup = { PURCHASE_GROUP_NOT_FOUND: 'This event has no purchase group of this id.' } as const;
const noOffering = { OFFERING_NOT_FOUND: 'The company has no offering of this id.' } as const;
const conflict = { VERSION_CONFLICT: 'Others kept changing the record meanwhile. Try again.' } as const;

const ofInstance = { seriesId: 'The series, the parent event.', instanceId: 'An instance of this series.' };

export const reverted = z.object({ success: z.boolean() });

export const EVENT_OPERATIONS: readonly Operation[] = [
  {
    id: 'createEvent',
    method: 'POST',
    path: '/v1/events',
    tag: 'Events',
    summary: 'Create an event',
    description: `A single event, a series, or with \`seriesId\` an instance of one. Statuses are ${EVENT_STATUSES.join(', ')}; any may follow any other.`,
    scope: 'events:write',
    body: { schema: eventInput },
    answer: { statuses: { 201: 'The event was created.' }, data: ticketedEvent },
    errors: noSeries,
    examples: {
      single: {
        summary: 'A single event',
        body: {
          name: 'Summer festival',
          startsAt: '2027-07-10T18:00:00+02:00',
          endsAt: '2027-07-10T23:30:00+02:00',
          timezone: 'Europe/Berlin',
          venueId: 'ven_riverside',
          capacity: 5000,
          status: 'published',
          tags: ['open-air', 'music'],
        },
        makes: { 'data.id': EVENT },
      },
      series: {
        summary: 'A series, whose instances take over what they do not override',
        body: { kind: 'series', name: 'Tuesday jazz', timezone: 'Europe/Berlin', capacity: 120, status: 'published' },
        makes: { 'data.id': SERIES },
      },
    },
  },
  {
    id: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Newest first. An instance is found by what it answers, inherited or not. `from` and `to` bound `startsAt`, both included; `q` is text that name or description contain.',
    scope: 'events:read',
    query: eventQuery,
    answer: { statuses: { 200: 'One page of events.' }, data: ticketedEvent, form: 'list' },
    examples: {
      published: { summary: 'The events that are on', query: { status: 'published', from: '2027-01-01T00:00:00Z' } },
    },
  },
  {
    id: 'getEvent',
    method: 'GET',
    path: '/v1/events/{id}',
    tag: 'Events',
    summary: 'Read an event',
    scope: 'events:read',
    pathParameters: { id: 'The event.' },
    answer: { statuses: { 200: 'The event, merged with its series if it is an instance.' }, data: ticketedEvent },
    errors: noEvent,
    examples: { single: { summary: 'A single event', path: { id: EVENT } } },
  },
  {
    id: 'updateEvent',
    method: 'PATCH',
    path: '/v1/events/{id}',
    tag: 'Events',
    summary: 'Change an event',
    description: 'A JSON merge patch: what is absent stays, null removes. The whole result is validated.',
    scope: 'events:write',
    pathParameters: { id: 'The event.' },
    body: { schema: eventPatch },
    answer: { statuses: { 200: 'The event as it is now.' }, data: ticketedEvent },
    errors: { ...noEvent, ...conflict },
    examples: {
      larger: { summary: 'A larger venue', path: { id: EVENT }, body: { capacity: 6000, venueId: 'ven_stadium' } },
    },
  },
  {
    id: 'createInstance',
    method: 'POST',
    path: '/v1/events/{seriesId}/instances',
    tag: 'Events',
    summary: 'Create an instance of a series',
    description: 'The body holds what differs from the series; it may be left out.',
    scope: 'events:write',
    pathParameters: { seriesId: 'The series, the parent event.' },
    body: { schema: instanceInput, optional: true },
    answer: { statuses: { 201: 'The instance, merged with its series.' }, data: ticketedEvent },
    errors: noSeries,
    examples: {
      date: {
        summary: 'One evening, with a name of its own',
        path: { seriesId: SERIES },
        body: {
          name: 'Tuesday jazz: New Year special',
          startsAt: '2027-01-05T20:00:00Z',
          endsAt: '2027-01-05T22:00:00Z',
        },
        makes: { 'data.id': INSTANCE },
      },
    },
  },
  {
    id: 'updateInstance',
    method: 'PATCH',
    path: '/v1/events/{seriesId}/instances/{instanceId}',
    tag: 'Events',
    summary: 'Change an instance',
    description: 'Each field sent becomes an override; null ends it, and the series counts again.',
    scope: 'events:write',
    pathParameters: ofInstance,
    body: { schema: eventPatch },
    answer: { statuses: { 200: 'The instance, merged with its series.' }, data: ticketedEvent },
    errors: { ...noSeries, ...noInstance, ...conflict },
    examples: {
      smaller: {
        summary: 'Fewer seats than usual',
        path: { seriesId: SERIES, instanceId: INSTANCE },
        body: { capacity: 80 },
      },
    },
  },
  {
    id: 'revertInstance',
    method: 'POST',
    path: '/v1/events/{seriesId}/instances/{instanceId}/revert',
    tag: 'Events',
    summary: 'Revert instance fields to parent values',
    description: 'Removes the overrides of `fields`. A field that is not overridden is no error.',
    scope: 'events:write',
    pathParameters: ofInstance,
    body: { schema: revertInput },
    answer: { statuses: { 200: 'The fields are those of the series again.' }, data: reverted },
    errors: { ...noSeries, ...noInstance, ...conflict },
    examples: {
      name: {
        summary: 'The name of the series again',
        path: { seriesId: SERIES, instanceId: INSTANCE },
        body: { fields: ['name'] },
      },
    },
  },
  {
    id: 'createPurchaseGroup',
    method: 'POST',
    path: '/v1/events/{id}/purchase-groups',
    tag: 'Events',
    summary: 'Create a purchase group',
    scope: 'events:write',
    pathParameters: { id: 'The event.' },
    body: { schema: purchaseGroupInput },
    answer: { statuses: { 201: 'The group was created.' }, data: purchaseGroup },
    errors: noEvent,
    examples: {
      choir: {
        summary: 'A group of three, one of them known',
        path: { id: EVENT },
        body: { name: 'The choir', size: 3, members: [{ id: 'cus_ada', name: 'Ada', email: 'ada@example.com' }] },
        makes: { 'data.id': TARGET_GROUP },
      },
      orchestra: {
        summary: 'A group as large as its members',
        path: { id: EVENT },
        body: { name: 'The orchestra', members: [{ id: 'cus_grace' }, { id: 'cus_alan' }] },
        makes: { 'data.id': SOURCE_GROUP },
      },
    },
  },
  {
    id: 'listPurchaseGroups',
    method: 'GET',
    path: '/v1/events/{id}/purchase-groups',
    tag: 'Events',
    summary: 'List purchase groups',
    description: 'Newest first.',
    scope: 'events:read',
    pathParameters: { id: 'The event.' },
    query: purchaseGroupListQuery,
    answer: { statuses: { 200: 'One page of groups.' }, data: purchaseGroup, form: 'list' },
    errors: noEvent,
    examples: { active: { summary: 'The groups that still stand', path: { id: EVENT }, query: { status: 'active' } } },
  },
  {
    id: 'mergePurchaseGroups',
    method: 'POST',
    path: '/v1/events/{id}/purchase-groups/{pgid}/merge',
    tag: 'Events',
    summary: 'Merge two purchase groups',
    description:
      'Merges the source into the target. `combinedSize` has to be the sum of both sizes as they are now: it shows that the caller knows both. Both groups change, or neither does.',
    scope: 'events:write',
    pathParameters: { id: 'The event.', pgid: 'The target group.' },
    body: { schema: mergeInput },
    answer: { statuses: { 200: 'The target group as it is now.' }, data: purchaseGroup },
    errors: { ...noGroup, ...conflict },
    examples: {
      together: {
        summary: 'Choir and orchestra sit together',
        path: { id: EVENT, pgid: TARGET_GROUP },
        body: { sourceGroupId: SOURCE_GROUP, combinedSize: 5, note: 'They want to sit together.' },
      },
    },
  },
  {
    id: 'getPurchaseGroup',
    method: 'GET',
    path: '/v1/events/{id}/purchase-groups/{pgid}',
    tag: 'Events',
    summary: 'Read a purchase group',
    scope: 'events:read',
    pathParameters: { id: 'The event.', pgid: 'The group.' },
    answer: { statuses: { 200: 'The group.' }, data: purchaseGroup },
    errors: noGroup,
    examples: { merged: { summary: 'A group that was merged', path: { id: EVENT, pgid: SOURCE_GROUP } } },
  },
  {
    id: 'createOffering',
    method: 'POST',
    path: '/v1/events/{id}/offerings',
    tag: 'Offerings',
    summary: 'Create an offering',
    scope: 'events:write',
    pathParameters: { id: 'The event.' },
    body: { schema: offeringInput },
    answer: { statuses: { 201: 'The offering was created.' }, data: offering },
    errors: { ...noEvent, ALREADY_EXISTS: 'The company has an offering of this id already.' },
    examples: {
      ticket: {
        summary: 'A ticket at 50.00 EUR, under an id of your own',
        path: { id: EVENT },
        body: { id: OFFERING, name: 'Standing ticket', price: { amount: 5000, currency: 'EUR' }, tags: ['standing'] },
      },
    },
  },
  {
    id: 'listOfferings',
    method: 'GET',
    path: '/v1/events/{id}/offerings',
    tag: 'Offerings',
    summary: 'List the offerings of an event',
    description: 'Newest first.',
    scope: 'events:read',
    pathParameters: { id: 'The event.' },
    query: offeringListQuery,
    answer: { statuses: { 200: 'One page of offerings.' }, data: offering, form: 'list' },
    errors: noEvent,
    examples: { all: { summary: 'All of them', path: { id: EVENT } } },
  },
  {
    id: 'getOffering',
    method: 'GET',
    path: '/v1/offerings/{id}',
    tag: 'Offerings',
    summary: 'Read an offering',
    scope: 'events:read',
    pathParameters: { id: 'The offering.' },
    answer: { statuses: { 200: 'The offering.' }, data: offering },
    errors: noOffering,
    examples: { ticket: { summary: 'A ticket', path: { id: OFFERING } } },
  },
  {
    id: 'updateOffering',
    method: 'PATCH',
    path: '/v1/offerings/{id}',
    tag: 'Offerings',
    summary: 'Change an offering',
    description: 'A JSON merge patch: what is absent stays. Carts show the new price when they are read next.',
    scope: 'events:write',
    pathParameters: { id: 'The offering.' },
    body: { schema: offeringPatch },
    answer: { statuses: { 200: 'The offering as it is now.' }, data: offering },
    errors: { ...noOffering, ...conflict },
    examples: {
      price: {
        summary: 'The box office opens: 60.00 EUR',
        path: { id: OFFERING },
        body: { price: { amount: 6000, currency: 'EUR' } },
      },
    },
  },
];
