import { describe, expect, it } from 'vitest';
import { createFailedAttempts } from './failed-attempts.ts';

function exhaust(address: string) {
  let now = 1_000_000;
  const attempts = createFailedAttempts(() => now);
  for (let attempt = 0; attempt < 20; attempt++) expect(attempts.count(address)).toBe(0);
  return { attempts, pass: (ms: number) => (now += ms) };
}

describe('failed authentications of one address', () => {
  it('are allowed twenty at once, then one every three seconds', () => {
    const { attempts, pass } = exhaust('192.0.2.1');
    expect(attempts.count('192.0.2.1')).toBe(3_000);
    pass(2_999);
    expect(attempts.count('192.0.2.1')).toBe(1);
    pass(1);
    expect(attempts.count('192.0.2.1')).toBe(0);
    expect(attempts.count('192.0.2.1')).toBe(3_000);
  });

  it('do not count for another address', () => {
    const { attempts } = exhaust('192.0.2.1');
    expect(attempts.count('192.0.2.2')).toBe(0);
  });

  it('count for the whole IPv6 network, however the address is written', () => {
    const { attempts } = exhaust('2001:db8:0:1::1');
    expect(attempts.count('2001:db8:0:1:ffff::2')).toBeGreaterThan(0);
    expect(attempts.count('2001:db8::1:0:0:0:9')).toBeGreaterThan(0);
    expect(attempts.count('2001:db8:0:2::1')).toBe(0);
  });

  it('count as IPv4 when the address is mapped', () => {
    const { attempts } = exhaust('::ffff:192.0.2.1');
    expect(attempts.count('192.0.2.1')).toBeGreaterThan(0);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1:51234'],
    ['192.0.2.1', '[::ffff:192.0.2.1]:51234'],
    ['2001:db8:0:1::1', '[2001:db8:0:1::7]:443'],
    ['2001:db8:0:1::1', '[2001:db8:0:1:ffff::7]'],
  ])('count for %s when a proxy writes it as %s', (address, written) => {
    const { attempts } = exhaust(address);
    expect(attempts.count(written)).toBeGreaterThan(0);
    expect(attempts.count('192.0.2.2:51234')).toBe(0);
    expect(attempts.count('[2001:db8:0:2::7]:443')).toBe(0);
  });

  it.each(['', 'made-up', '192.0.2.1:', '192.0.2.1:x', '[192.0.2.1', '300.1.1.1:80'])(
    'count together for everything that is no address, such as %j',
    (text) => {
      const { attempts } = exhaust('unknown');
      expect(attempts.count(text)).toBeGreaterThan(0);
      expect(attempts.count('192.0.2.1')).toBe(0);
    },
  );
});
