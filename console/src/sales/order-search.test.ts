import { expect, it } from 'vitest';
import { addSearch, orderQuery, searchFrom } from './order-search.ts';

const event = {
  id: 'evt_1',
  companyId: 'co',
  kind: 'single' as const,
  timezone: 'Europe/Berlin',
  version: 1,
  created: '',
  changed: '',
};

it('asks for what is filled in, with times of the event’s zone', () => {
  const search = { ...searchFrom({}), q: ' ada ', from: '2027-07-01T00:00' };
  expect(orderQuery(search, event)).toEqual({ q: 'ada', from: '2027-06-30T22:00:00.000Z', eventId: 'evt_1' });
  expect(orderQuery({ ...searchFrom({}), among: 'all' }, event)).toEqual({});
});

it('asks for the orders that name the event, whatever their items are', () => {
  expect(orderQuery(searchFrom({ among: 'named' }), event)).toEqual({ contextId: 'evt_1' });
});

it('an address holds the whole search', () => {
  const search = { ...searchFrom({}), state: 'pending', code: 'SUMMER 20', among: 'named' };
  const address = new URLSearchParams();
  addSearch(address, search);
  expect(searchFrom(Object.fromEntries(address))).toEqual(search);
});
