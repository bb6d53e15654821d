import { expect, it } from 'vitest';
import { type ChangeDraft, changeOf, changeProblems } from './change-draft.ts';

const draft: ChangeDraft = {
  from: '',
  to: '',
  weekdays: [],
  startsAt: '',
  endsAt: '',
  capacity: '',
  name: ' ',
  byHand: false,
  sold: false,
};

it('asks for nothing while it changes nothing', () => {
  expect(changeOf({ ...draft, from: '2027-06-01', weekdays: ['fri'] })).toBeUndefined();
});

it('asks for what is filled in', () => {
  expect(changeOf({ ...draft, startsAt: '20:30' })).toEqual({ filter: {}, change: { startsAt: '20:30' } });
  const filled = { from: '2027-06-01', to: '2027-08-31', weekdays: ['fri'], endsAt: '23:00', capacity: '0' } as const;
  expect(changeOf({ ...draft, ...filled, name: 'Late jazz', byHand: true, sold: true })).toEqual({
    filter: { from: '2027-06-01', to: '2027-08-31', weekdays: ['fri'] },
    change: { endsAt: '23:00', capacity: 0, name: 'Late jazz' },
    include: ['overridden', 'sold'],
  });
});

it('says what cannot be sent', () => {
  expect(Object.keys(changeProblems({ ...draft, from: '2027-06-02', to: '2027-06-01', capacity: 'many' }))).toEqual([
    'to',
    'capacity',
  ]);
  expect(changeProblems(draft)).toEqual({});
});
