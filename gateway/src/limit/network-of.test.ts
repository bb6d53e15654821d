import { describe, expect, it } from 'vitest';
import { networkOf } from './network-of.ts';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1:51234'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '[::ffff:192.0.2.1]:51234'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2'],
    ['2001:db8:0:1::1', '2001:db8::1:0:0:0:9'],
    ['2001:db8:0:1::1', '[2001:db8:0:1::7]:443'],
    ['2001:db8:0:1::1', '[2001:db8:0:1:ffff::7]'],
  ])('is the same for %s and %s', (address, other) => {
    expect(networkOf(other)).toBe(networkOf(address));
  });

  it.each([
    ['192.0.2.1', '192.0.2.2'],
    ['192.0.2.1', '192.0.2.2:51234'],
    ['2001:db8:0:1::1', '2001:db8:0:2::1'],
    ['2001:db8:0:1::1', '[2001:db8:0:2::7]:443'],
  ])('differs between %s and %s', (address, other) => {
    expect(networkOf(other)).not.toBe(networkOf(address));
  });

  it.each(['', 'made-up', '192.0.2.1:', '192.0.2.1:x', '[192.0.2.1', '300.1.1.1:80'])(
    'is the same for everything that is not an address, such as %j',
    (text) => {
      expect(networkOf(text)).toBe(networkOf('unknown'));
      expect(networkOf(text)).not.toBe(networkOf('192.0.2.1'));
    },
  );
});
