import { describe, expect, it } from 'vitest';
import { normaliseTarget } from './normalise-target.ts';

describe('a request target', () => {
  it.each([
    ['/coupons', '/coupons'],
    ['/v1/coupons', '/coupons'],
    ['/v1/v1/coupons', '/coupons'],
    ['/v1/coupons/', '/coupons'],
    ['/v1/coupons/?limit=2&q=a%2Fb', '/coupons?limit=2&q=a%2Fb'],
    ['/cart/sessions/x', '/cart/sessions/x'],
    ['/v1/cart/sessions/a%20b', '/cart/sessions/a%20b'],
    ['/coupons/100%25', '/coupons/100%25'],
    ['/coupons/...', '/coupons/...'],
    ['/coupons/..x', '/coupons/..x'],
    ['/coupons;v=1', '/coupons;v=1'],
    ['/v1beta', '/v1beta'],
    ['/v1', '/'],
    ['/', '/'],
  ])('%s is routed as %s', (target, routed) => {
    expect(normaliseTarget(target)).toBe(routed);
  });

  it.each([
    '/coupons/../orders',
    '/coupons/..',
    '/./coupons',
    '/coupons/%2e%2e/orders',
    '/coupons/.%2e/orders',
    '/coupons/%2E%2E',
    '/coupons/..%5corders',
    '/coupons/%5c',
    '/coupons\\..\\orders',
    '/coupons/%252e%252e/orders',
    '/coupons/%25252e%25252e/orders',
    '/coupons/%2f',
    '/coupons/%252f',
    '/coupons//orders',
    '//coupons',
    '/v1//coupons',
    '/coupons/%00',
    '/coupons/%0d%0aX-Evil:1',
    '/coupons/%250a',
    '/coupons/%7f',
    '/coupons/%zz',
    '/coupons/%c0%ae%c0%ae/',
    '/coupons/a#b',
    '/coupons/a b',
    '/coupons/é',
    'http://elsewhere/coupons',
    '*',
    '',
  ])('%s is refused', (target) => {
    expect(() => normaliseTarget(target)).toThrowError(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });

  it('longer than 8,192 characters, path and query together, is too long', () => {
    const longest = `/coupons?q=${'a'.repeat(8_181)}`;
    expect(normaliseTarget(longest)).toBe(longest);
    expect(() => normaliseTarget(`${longest}a`)).toThrowError(expect.objectContaining({ code: 'URI_TOO_LONG' }));
  });

  it.each(['/v2/coupons', '/v0', '/v1/v2/coupons', '/v11/coupons', '/v1/v1/v2'])(
    '%s is not a supported version',
    (target) => {
      expect(() => normaliseTarget(target)).toThrowError(expect.objectContaining({ code: 'UNSUPPORTED_VERSION' }));
    },
  );
});
