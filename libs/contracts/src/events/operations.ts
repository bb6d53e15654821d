import {
  EVENT_STATUSES,
  eventInput,
  eventPatch,
  instanceInput,
  eventQuery,
  oneEventQuery,
  eventListPage,
  reverted,
  revertInput,
  ticketedEvent,
} from './event.ts';
import {
  alreadyExists,
  changedByOthers,
  eventNotFound,
  instanceNotFound,
  offeringNotFound,
  seriesNotFound,
} from '../errors/refusals.ts';
import { changeDatesInput, datesInput, datesJob, datesJobNotFound } from './dates.ts';
import { type Declarations, exampleId, ids, operations } from '../operations/operation.ts';

export const EVENT = 'evt_summer_festival';
const SERIES = 'evt_tuesday_jazz';
const INSTANCE = 'evt_new_year_jazz';
const DATES = exampleId('job', 1);

const ofInstance = ids({ seriesId: 'The series, the parent event.', instanceId: 'An instance of this series.' });

export const EVENT_OPERATIONS = operations('events', 'Events', {
  createEvent: {
    method: 'POST',
    path: '/events',
    summary: 'Create an event',
    description: `A single event, a series, or with \`seriesId\` an instance of one. Statuses are ${EVENT_STATUSES.join(', ')}; any may follow any other. A \`draft\`, \`cancelled\`, \`completed\` or \`archived\` event sells no tickets. Without a status, an event is \`published\`.`,
    scope: 'events:write',
    body: eventInput,
    grows: true,
    answer: { statuses: { 201: 'The event was created.' }, data: ticketedEvent },
    errors: [seriesNotFound, alreadyExists.shownWith('event', 'evt_1')],
    examples: {
      single: {
        summary: 'A single event, under an id of your own',
        body: {
          id: EVENT,
          name: 'Summer festival',
          startsAt: '2027-07-10T18:00:00+02:00',
          endsAt: '2027-07-10T23:30:00+02:00',
          timezone: 'Europe/Berlin',
          venueId: 'ven_riverside',
          capacity: 5000,
          status: 'published',
          tags: ['open-air', 'music'],
        },
      },
      series: {
        summary: 'A series. Instances inherit what they do not override',
        body: {
          id: SERIES,
          kind: 'series',
          name: 'Tuesday jazz',
          timezone: 'Europe/Berlin',
          capacity: 120,
          status: 'published',
        },
      },
    },
  },
  listEvents: {
    method: 'GET',
    path: '/events',
    summary: 'List events',
    description:
      "Newest first, or soonest first with `sort=startsAt`. Filtering and sorting use an instance's merged fields, inherited or not. `from` and `to` bound `startsAt`, both inclusive; `endsAfter` with the current time finds what is on, also what began before, and what is to come; `q` matches the beginnings of words in the name or description. A cursor belongs to one order; page on with the same filters. `availability=true` shows what is left of each event and from which price; `facets=true` counts the events at each venue and of each status.",
    scope: 'events:read',
    query: eventQuery,
    answer: { statuses: { 200: 'One page of events.' }, data: ticketedEvent, form: 'list', page: eventListPage },
    examples: {
      published: {
        summary: 'The events that begin in a month',
        query: { status: 'published', from: '2027-07-01T00:00:00Z', to: '2027-07-31T23:59:59Z' },
      },
      next: {
        summary: 'What is on now and next',
        query: { status: 'published', sort: 'startsAt', endsAfter: '2027-01-01T00:00:00Z', limit: '20' },
      },
      shop: {
        summary: 'What a shop shows: what is on and next, what is left of it, and at which venues',
        query: { status: 'published', near: '2027-01-01T00:00:00Z', availability: 'true', facets: 'true' },
      },
    },
  },
  getEvent: {
    method: 'GET',
    path: '/events/{id}',
    summary: 'Read an event',
    scope: 'events:read',
    versioned: 'answers',
    params: ids({ id: 'The event.' }),
    query: oneEventQuery,
    answer: { statuses: { 200: 'The event, merged with its series if it is an instance.' }, data: ticketedEvent },
    errors: [eventNotFound],
    examples: { single: { summary: 'A single event', path: { id: EVENT } } },
  },
  updateEvent: {
    method: 'PATCH',
    path: '/events/{id}',
    summary: 'Change an event',
    description:
      "A JSON merge patch: absent fields stay, null removes a field. The whole result is validated. Once an event is `draft`, `cancelled`, `completed` or `archived`, no order sent after the answer gets tickets of it, nor of the instances that inherit its status. Pending orders can still be confirmed, unless it is `cancelled`: confirming them cancels them. A change of `timezone` keeps the clock times of the event, its offerings' sale windows and its instances: the response shows the new instants. An event that had no time zone keeps its instants. To move a series, send `startsAt` and `endsAt`: they are its duration, which its instances without an `endsAt` of their own have too.",
    scope: 'events:write',
    versioned: 'changes',
    params: ids({ id: 'The event.' }),
    body: eventPatch,
    grows: true,
    answer: { statuses: { 200: 'The event as it is now.' }, data: ticketedEvent },
    errors: [eventNotFound, changedByOthers],
    examples: {
      larger: { summary: 'A larger venue', path: { id: EVENT }, body: { capacity: 6000, venueId: 'ven_stadium' } },
    },
  },
  createInstance: {
    method: 'POST',
    path: '/events/{seriesId}/instances',
    summary: 'Create an instance of a series',
    description:
      'The body holds what differs from the series. It is optional. An instance that has its own `startsAt` alone lasts as long as its series on the clock: from 22:00 to 04:00 also in the night in which the clocks change.',
    scope: 'events:write',
    params: ids({ seriesId: 'The series, the parent event.' }),
    body: instanceInput,
    grows: true,
    answer: { statuses: { 201: 'The instance, merged with its series.' }, data: ticketedEvent },
    errors: [seriesNotFound, alreadyExists.shownWith('event', 'evt_1')],
    examples: {
      date: {
        summary: 'One evening with its own name',
        path: { seriesId: SERIES },
        body: {
          id: INSTANCE,
          name: 'Tuesday jazz: New Year special',
          startsAt: '2027-01-05T20:00:00Z',
          endsAt: '2027-01-05T22:00:00Z',
        },
      },
    },
  },
  createInstancesByRule: {
    method: 'POST',
    path: '/events/{seriesId}/instances/by-rule',
    summary: 'Create the dates of a series by a rule',
    description:
      'One instance for each date of a recurrence rule. A date that the series has already is left as it is, so a repeat makes no date twice, and a longer rule adds what is missing. Many dates take longer than a request: then the response is 202, and `GET /events/{seriesId}/date-jobs/{jobId}` shows its progress.',
    scope: 'events:write',
    params: ids({ seriesId: 'The series, the parent event.' }),
    body: datesInput,
    grows: true,
    answer: {
      statuses: { 201: 'All dates are made.', 202: 'Dates are being made.', 200: 'The dates of a dry run.' },
      data: datesJob,
    },
    errors: [seriesNotFound, offeringNotFound],
    examples: {
      preview: {
        summary: 'Which dates a rule gives',
        path: { seriesId: SERIES },
        body: { rule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3', startsAt: '2027-02-02T20:00:00+01:00', dryRun: true },
      },
      tuesdays: {
        summary: 'Every Tuesday in February, except the carnival',
        path: { seriesId: SERIES },
        body: {
          rule: 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270228',
          startsAt: '2027-02-02T20:00:00+01:00',
          exclude: ['2027-02-09'],
        },
        makes: { 'data.id': DATES },
      },
    },
  },
  updateInstances: {
    method: 'PATCH',
    path: '/events/{seriesId}/instances',
    summary: 'Change many dates of a series',
    description: [
      'Each date that `filter` matches is changed as `PATCH /events/{seriesId}/instances/{instanceId}` would change it, or left alone as a whole. The response says which, and why. `startsAt` and `endsAt` are clock times here: `20:30` is 20:30 on the day of each date, also when the clocks change.',
      'What was set for one date alone is kept: a date is `overridden` if a field that would change has a value of its own that it did not get with other dates, by a rule or a change of many. Its start counts only if the date was moved since it was made. Tickets are kept too: a date with tickets that are sold or held is not moved, nor cancelled, and its capacity stays at least that, even if orders are placed in the same moment. `include` changes these dates all the same.',
      'Many dates take longer than a request: then the response is 202, and `GET /events/{seriesId}/date-jobs/{jobId}` shows its progress.',
    ].join('\n\n'),
    scope: 'events:write',
    params: ids({ seriesId: 'The series, the parent event.' }),
    body: changeDatesInput,
    grows: true,
    answer: {
      statuses: { 200: 'All dates are changed or left alone; or a dry run.', 202: 'Dates are being changed.' },
      data: datesJob,
    },
    errors: [seriesNotFound],
    examples: {
      preview: {
        summary: 'Which dates would start later',
        path: { seriesId: SERIES },
        body: {
          filter: { from: '2027-02-01', to: '2027-02-28', weekdays: ['tue'] },
          change: { startsAt: '20:30' },
          dryRun: true,
        },
      },
      later: {
        summary: 'The Tuesdays of February start later, with more seats',
        path: { seriesId: SERIES },
        body: {
          filter: { from: '2027-02-01', to: '2027-02-28', weekdays: ['tue'] },
          change: { startsAt: '20:30', capacity: 150 },
        },
      },
    },
  },
  getInstancesJob: {
    method: 'GET',
    path: '/events/{seriesId}/date-jobs/{jobId}',
    summary: 'See how far work on many dates is',
    description: 'Dates that are made by a rule, or changed together. For seven days after it is done.',
    scope: 'events:read',
    params: ids({ seriesId: 'The series.', jobId: 'The `id` of the response that began it.' }),
    answer: { statuses: { 200: 'The dates so far.' }, data: datesJob },
    errors: [seriesNotFound, datesJobNotFound],
    examples: { tuesdays: { summary: 'All are made', path: { seriesId: SERIES, jobId: DATES } } },
  },
  updateInstance: {
    method: 'PATCH',
    path: '/events/{seriesId}/instances/{instanceId}',
    summary: 'Change an instance',
    description:
      "A field that you send with another value than the instance shows becomes an override. Null removes the override, and the field is the series' again. The `status` `cancelled` calls off this instance alone, and ends its sale.",
    scope: 'events:write',
    versioned: 'changes',
    params: ofInstance,
    body: eventPatch,
    grows: true,
    answer: { statuses: { 200: 'The instance, merged with its series.' }, data: ticketedEvent },
    errors: [seriesNotFound, instanceNotFound, changedByOthers],
    examples: {
      smaller: {
        summary: 'Fewer seats than usual',
        path: { seriesId: SERIES, instanceId: INSTANCE },
        body: { capacity: 80 },
      },
    },
  },
  revertInstance: {
    method: 'POST',
    path: '/events/{seriesId}/instances/{instanceId}/revert',
    summary: 'Revert instance fields to parent values',
    description:
      'Removes the overrides of `fields`. A field that is not overridden is no error. The date of an instance is an override too: reverting `startsAt` gives it the date of the series. To undo a move, change the instance back.',
    scope: 'events:write',
    versioned: 'changes',
    params: ofInstance,
    body: revertInput,
    answer: { statuses: { 200: "The fields have the series' values again." }, data: reverted },
    errors: [seriesNotFound, instanceNotFound, changedByOthers],
    examples: {
      name: {
        summary: 'The name of the series again',
        path: { seriesId: SERIES, instanceId: INSTANCE },
        body: { fields: ['name'] },
      },
    },
  },
} satisfies Declarations);
