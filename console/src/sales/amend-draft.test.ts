import { ApiError, type components } from '@event-commerce/client';
import { describe, expect, it } from 'vitest';
import { sentenceOf } from '../ui/states.tsx';
import {
  amendBodyOf,
  amendFailure,
  amendProblems,
  dueText,
  hasProblems,
  madeText,
  newAmendDraft,
  refusalOf,
  withheldText,
} from './amend-draft.ts';

type Order = components['schemas']['Order'];

const order = {
  currency: 'EUR',
  costs: { tax: 0 },
  items: [
    { lineId: 'ln_1', offeringId: 'off_a', quantity: 4 },
    { lineId: 'ln_2', offeringId: 'off_b', quantity: 1 },
  ],
  coupons: [{ code: 'SUMMER20' }],
} as Order;
const taxed = { ...order, costs: { ...order.costs, tax: 950 } };
const draft = newAmendDraft(order);

describe('the body of a draft', () => {
  it('names the lines that lose tickets, and nothing else', () => {
    const typed = { ...draft, quantities: { ln_1: '3', ln_2: '1', ln_7: '2' } };
    expect(amendBodyOf(typed, order)).toEqual({ items: [{ lineId: 'ln_1', quantity: 3 }], chargeDifference: false });
  });

  it('names an offering whose tickets are added with the total that the order then has of it', () => {
    const typed = { ...draft, offeringId: 'off_a', quantity: '2', quantities: { ln_2: '0' } };
    expect(amendBodyOf(typed, order)?.items).toEqual([
      { lineId: 'ln_2', quantity: 0 },
      { offeringId: 'off_a', quantity: 6 },
    ]);
    expect(amendBodyOf({ ...typed, quantities: { ln_1: '3' } }, order)?.items).toEqual([
      { offeringId: 'off_a', quantity: 5 },
    ]);
  });

  it('has all codes if one is added or left out', () => {
    const coupons = (codes: string) => amendBodyOf({ ...draft, codes, difference: 'charge' }, order);
    expect(coupons('summer20, early')).toEqual({ coupons: ['summer20', 'early'], chargeDifference: true });
    expect(coupons('')).toEqual({ coupons: [], chargeDifference: true });
  });

  it('has the tax of an order with tax only if tickets are added', () => {
    const typed = { ...draft, offeringId: 'off_b', tax: '19,50' };
    expect(amendBodyOf(typed, taxed)?.costs).toEqual({ tax: 1_950 });
    expect(amendBodyOf({ ...typed, offeringId: '', quantities: { ln_2: '0' } }, taxed)).not.toHaveProperty('costs');
  });

  it('is absent if the draft changes nothing', () => {
    expect(amendBodyOf({ ...draft, codes: ' summer20 ', quantities: { ln_1: '4' } }, order)).toBeUndefined();
  });
});

it.each([
  [{ quantities: { ln_1: '5' } }, { quantities: { ln_1: 'At most 4. Add more below.' } }],
  [{ quantities: { ln_1: '' } }, { quantities: { ln_1: 'Enter a whole number, 0 or more.' } }],
  [{ quantities: { ln_1: '0', ln_2: '0' } }, { form: 'No ticket would be left: cancel the order instead.' }],
  [{ offeringId: 'off_b', quantity: '0', tax: '0' }, { quantity: 'Enter a whole number, 1 or more.' }],
  [{ codes: 'EARLY' }, { codes: 'To remove a code, choose “Charge their full price”.' }],
  [{ offeringId: 'off_b' }, { tax: 'Enter the tax of the whole order, such as 19.50.' }],
])('a draft with %j is not sent, and the form says what to write instead', (typed, expected) => {
  const problems = amendProblems({ ...draft, ...typed }, taxed);
  expect(problems).toEqual({ quantities: {}, ...expected });
  expect(hasProblems(problems)).toBe(true);
  expect(hasProblems(amendProblems(draft, taxed))).toBe(false);
});

it.each([
  [-3_750, true, 'To pay back €37.50'],
  [-3_750, false, '€37.50 less to pay'],
  [3_500, true, '€35.00 more to pay'],
  [0, true, 'Nothing to pay or to pay back'],
  [0, false, 'The same to pay'],
])('what is due, %i of an order that is paid (%s), is said in words', (due, isPaid, expected) => {
  expect(dueText({ due, currency: 'EUR' }, isPaid)).toBe(expected);
});

it('what is withheld is shown with its reason, and nothing is shown if nothing is withheld', () => {
  expect(withheldText({ withheld: 2_500, currency: 'EUR' })).toMatch(/^€25\.00 is withheld: .* lose a discount/);
  expect(withheldText({ withheld: 0, currency: 'EUR' })).toBeUndefined();
});

it('a mode that is refused says why', () => {
  const details = [{ path: 'coupons', message: 'remove a code' }];
  expect(sentenceOf(refusalOf({ code: 'VALIDATION_FAILED', message: 'Invalid.', details }))).toBe(
    'coupons: remove a code.',
  );
  expect(sentenceOf(refusalOf({ code: 'REPRICE_UNAVAILABLE', message: 'It was stated.' }))).toBe('It was stated.');
});

it('an amendment that another change overtook asks for a new preview', () => {
  const failure = (code: string) => sentenceOf(amendFailure(new ApiError(409, { error: { code, message: 'No.' } })));
  expect(failure('VERSION_CONFLICT')).toContain('Preview again');
  expect(failure('PRICE_CHANGED')).toContain('Preview again');
  expect(failure('SOLD_OUT')).toBe('No.');
});

it('the outcome of an amendment says what to do next', () => {
  const made = (amendment?: object) =>
    madeText(
      { order: { costs: { total: 5_000 }, currency: 'EUR' }, amendment } as Parameters<typeof madeText>[0],
      true,
    );
  const amendment = { currency: 'EUR', due: 2_500 };
  expect(made()).toBe('Nothing had to change. The order costs €50.00.');
  expect(made({ ...amendment, state: 'applied' })).toBe('Amended. €25.00 more to pay. The order costs €50.00.');
  expect(made({ ...amendment, state: 'pending' })).toBe(
    'Held until the amendment is confirmed. €25.00 more to pay. The order stays as it is.',
  );
});
