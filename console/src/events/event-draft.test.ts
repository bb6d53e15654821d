import type { components } from '@event-commerce/client';
import { expect, it } from 'vitest';
import { eventChangeOf, eventCreationOf, eventDraftOf, eventProblems, newEventDraft } from './event-draft.ts';

const stored: components['schemas']['Event'] = {
  id: 'evt_1',
  companyId: 'co',
  kind: 'single',
  name: 'Gala',
  startsAt: '2027-07-10T18:00:30.000Z',
  timezone: 'Europe/Berlin',
  capacity: 100,
  status: 'published',
  tags: ['open-air', 'music'],
  version: 1,
  created: '2026-01-01T00:00:00.000Z',
  changed: '2026-01-01T00:00:00.000Z',
};

it('a new event has what is filled in, with its times as the clock of its zone shows them', () => {
  const draft = {
    ...newEventDraft('series', 'Europe/Berlin'),
    name: ' Jazz ',
    startsAt: '2027-07-10T20:00',
    tags: 'a, b',
  };
  expect(eventCreationOf(draft)).toEqual({
    kind: 'series',
    name: 'Jazz',
    startsAt: '2027-07-10T20:00',
    timezone: 'Europe/Berlin',
    status: 'published',
    tags: ['a', 'b'],
  });
});

it('shows the times of an event in its zone, and sends nothing that was not changed', () => {
  const saved = eventDraftOf(stored);
  expect(saved.startsAt).toBe('2027-07-10T20:00');
  const changed = { capacity: 80, maxPerCustomer: 4 };
  expect(eventChangeOf({ ...saved, capacity: '80', maxPerCustomer: '4' }, saved)).toEqual(changed);
});

it('what is emptied is removed', () => {
  const saved = eventDraftOf(stored);
  expect(eventChangeOf({ ...saved, capacity: '', tags: '' }, saved)).toEqual({ capacity: null, tags: null });
});

it('an event ends after its start', () => {
  const draft = { ...newEventDraft('single', 'UTC'), name: 'Gala', startsAt: '2027-07-10T20:00' };
  expect(Object.keys(eventProblems({ ...draft, endsAt: '2027-07-10T20:00' }))).toEqual(['endsAt']);
  expect(eventProblems({ ...draft, endsAt: '2027-07-11T02:00' })).toEqual({});
});

it('an event needs a name; a date of a series has that of its series', () => {
  const draft = { ...newEventDraft('single', 'UTC'), capacity: '1.5', maxPerCustomer: '0' };
  expect(Object.keys(eventProblems(draft))).toEqual(['name', 'capacity', 'maxPerCustomer']);
  expect(eventProblems({ ...draft, kind: 'instance', capacity: '0', maxPerCustomer: '4' })).toEqual({});
});
