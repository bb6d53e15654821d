import { expect, test } from 'vitest';
import { relatedIds } from './related-ids.ts';

test('an entry is related to the records that its event names, and to nothing that the API does not know', () => {
  const order = {
    id: 'ord_1',
    companyId: 'acme',
    contextId: 'evt_1',
    items: [{ lineId: 'ln_1', offeringId: 'off_1', quantity: 2 }],
    claims: [{ redemptionId: 'rdm_1', adjustmentId: 'adj_1' }],
    tickets: [{ claimId: 'tkt_1', poolId: 'offering\nacme\noff_1', of: { offeringId: 'off_1' } }],
    offeringIds: ['off_1', 'off_2'],
  };
  expect(relatedIds(order, 'ord_1')).toEqual(['evt_1', 'off_1', 'rdm_1', 'adj_1', 'off_2']);
});

test('an entry is related to its customer however many offerings it names, and to the customer before the change', () => {
  const items = Array.from({ length: 60 }, (_, n) => ({ offeringId: `off_${n}` }));
  const changes = [
    { path: 'customerId', before: 'ada', after: 'grace' },
    { path: 'channelId', after: 'web' },
    { path: 'items', before: items },
  ];
  expect(relatedIds({ id: 'cs_1', items, customerId: 'grace' }, 'cs_1', changes).slice(0, 2)).toEqual(['ada', 'grace']);
});
