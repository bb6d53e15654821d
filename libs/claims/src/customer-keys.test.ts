import { ERASED_EMAIL } from '@event-commerce/contracts';
import { liveTenant } from '@event-commerce/test-kit';
import { describe, expect, it } from 'vitest';
import { customerKeysWith } from './customer-keys.ts';

const tenant = liveTenant('company');
const secret = Buffer.alloc(32, 1);
const keys = customerKeysWith(secret);

describe('the keys of a customer', () => {
  it.each([' ADA@Example.com', 'ada@example.com\u200B', 'ａda@example.com'])(
    'are those of the same address in another spelling: %j',
    (email) => expect(keys.of(tenant, { email })).toEqual([keys.ofEmail(tenant, 'ada@example.com')]),
  );

  it('are those of a domain in ASCII', () =>
    expect(keys.ofEmail(tenant, 'ada@münchen.example')).toBe(keys.ofEmail(tenant, 'ada@xn--mnchen-3ya.example')));

  it.each(['a.da@example.com', 'ada+vip@example.com', 'ada@example.org'])(
    'are not those of another address: %j',
    (email) => expect(keys.ofEmail(tenant, email)).not.toBe(keys.ofEmail(tenant, 'ada@example.com')),
  );

  it('are one for the id and one for the address', () => {
    const [ofId, ofEmail] = keys.of(tenant, { id: 'ada@example.com', email: 'ada@example.com' });
    expect(ofId).toMatch(/^cu_[\w-]{22}$/);
    expect(ofEmail).toMatch(/^em_[\w-]{22}$/);
    expect(ofId?.slice(3)).not.toBe(ofEmail?.slice(3));
  });

  it('are different in another company, and with another secret', () => {
    const others = [
      customerKeysWith(secret).ofEmail(liveTenant('other'), 'ada@example.com'),
      customerKeysWith(Buffer.alloc(32, 2)).ofEmail(tenant, 'ada@example.com'),
    ];
    expect(others).not.toContain(keys.ofEmail(tenant, 'ada@example.com'));
  });

  it('are only the one for the id if the customer was erased: all erased customers have one address', () =>
    expect(keys.of(tenant, { id: 'erased_1', email: ERASED_EMAIL })).toHaveLength(1));
});
