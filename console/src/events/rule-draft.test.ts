import { expect, it } from 'vitest';
import { datesOf, type RuleDraft, ruleOf, ruleProblems, weekdaysOf } from './rule-draft.ts';

const draft: RuleDraft = {
  from: '2027-09-03',
  time: '20:00',
  repeats: '1',
  weekdays: [],
  until: '2027-12-31',
  except: '',
  capacity: '',
  offerings: 'none',
};

it.each<[Partial<RuleDraft>, string | undefined]>([
  [{}, 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20271231'],
  [{ weekdays: ['sat', 'fri'] }, 'FREQ=WEEKLY;BYDAY=FR,SA;UNTIL=20271231'],
  [{ repeats: '2' }, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;UNTIL=20271231'],
  [{ repeats: 'last', weekdays: ['sun'] }, 'FREQ=MONTHLY;BYDAY=-1SU;UNTIL=20271231'],
  [{ repeats: 'once', until: '' }, 'FREQ=DAILY;COUNT=1'],
  [{ until: '' }, undefined],
  [{ from: '' }, undefined],
])('%j is %s', (changed, rule) => {
  expect(ruleOf({ ...draft, ...changed })).toBe(rule);
});

it('asks for the dates that are filled in', () => {
  expect(datesOf({ ...draft, except: '2027-12-24, 2027-12-31', capacity: '80', offerings: 'copy' })).toEqual({
    rule: 'FREQ=WEEKLY;BYDAY=FR;UNTIL=20271231',
    startsAt: '2027-09-03T20:00',
    exclude: ['2027-12-24', '2027-12-31'],
    capacity: 80,
    offerings: 'copy',
  });
});

it('without a first day there is no weekday yet', () => {
  expect(weekdaysOf({ ...draft, from: '' })).toEqual([]);
});

it('says what cannot be sent', () => {
  const problems = ruleProblems({ ...draft, until: '2027-01-01', except: 'Christmas', capacity: 'many' });
  expect(Object.keys(problems)).toEqual(['until', 'except', 'capacity']);
  expect(ruleProblems({ ...draft, repeats: 'once', until: '2027-01-01' })).toEqual({});
});
