import type { Order } from '@event-commerce/contracts';
import { expect, test } from 'vitest';
import { ORDERS_CSV } from './order-csv.ts';

const order = {
  id: 'ord_1',
  orderNumber: 'A "quoted", number',
  status: 'placed',
  customer: { email: 'ada@example.com', firstName: '=HYPERLINK("x")', lastName: 'two\nlines' },
  costs: { subtotal: 1_000, modifiers: -200, fees: 0, tax: 0, total: 800, currency: 'EUR' },
  items: [{ offeringId: 'off_1', quantity: 2 }, { quantity: 1 }],
  coupons: [{ code: 'A' }, { code: 'B' }],
} as unknown as Order;

test('a row quotes the values that need it, and shows formulas as text', () => {
  const cells = ORDERS_CSV.header.trim().split(',');
  const row = ORDERS_CSV.line(order);
  expect(row.endsWith('\r\n')).toBe(true);
  expect(row).toContain('"A ""quoted"", number",placed');
  expect(row).toContain(`"'=HYPERLINK(""x"")","two\nlines"`);
  expect(row).toContain('1000,-200,0,0,800,3,off_1,A B');
  expect(cells).toHaveLength(23);
});

test.each([
  ["x;=cmd|' /C calc'!A0;", "x;'=cmd|' /C calc'!A0;"],
  ['x; "@sum"', `"x;' ""@sum"""`],
  ['  -1', "'  -1"],
  ['\t1', "'\t1"],
  ['x\t+1', "x\t'+1"],
  ['x\r\n=1', `"x\r\n'=1"`],
  ['a = b - c', 'a = b - c'],
  ['anne-marie;x', 'anne-marie;x'],
])('%j shows no formula, whatever separates the cells for whoever opens the file', (lastName, shown) => {
  const row = ORDERS_CSV.line({ ...order, customer: { email: 'ada@example.com', firstName: 'Ada', lastName } });
  expect(row).toContain(`,Ada,${shown},`);
});
