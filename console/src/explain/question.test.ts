import { expect, it } from 'vitest';
import { addressOf, type Question, questionFrom } from './question.ts';

function roundTrip(question: Question): Question {
  return questionFrom(Object.fromEntries(new URL(addressOf(question), 'http://platform.test').searchParams));
}

it('an address holds the whole question', () => {
  const asked = { ...questionFrom({}), event: 'evt_1', offering: 'vip & co', codes: 'A, B', quantity: '4' };
  expect(roundTrip(asked)).toEqual(asked);
});

it('an address holds nothing that its subject does not have', () => {
  expect(addressOf({ ...questionFrom({}), of: 'cart', id: 'cs_1', customer: 'cus_1' })).toBe(
    '/console/explain?of=cart&id=cs_1',
  );
});

it('an unknown subject is an offering', () => {
  expect(questionFrom({ of: 'weather' }).of).toBe('offering');
});
