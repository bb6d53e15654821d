import { expect, test } from 'vitest';
import { shownPath } from './shown-path.ts';

test.each([
  ['/customers/ada%40example.com/erase?x=1', '/customers/-/erase'],
  ['/v1/customers/auth0|5/erase/', '/v1/customers/-/erase/'],
  ['/customers/erasures/ers_1', '/customers/erasures/ers_1'],
  ['/orders/ord_1?email=ada@example.com', '/orders/ord_1'],
])('traces show %s as %s', (target, shown) => {
  expect(shownPath(target)).toBe(shown);
});
