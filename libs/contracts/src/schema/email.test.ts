import { describe, expect, it } from 'vitest';
import { email, EMAIL_KEY_LENGTH_MAX, EMAIL_LENGTH_MAX, emailKey, readableEmail } from './email.ts';

describe('an e-mail address', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    [' ada@example.com\t', 'ada@example.com'],
    ['\u00a0ada@example.com\u200b', 'ada@example.com'],
    ["o'neill&co+tag@mail.example.co.uk", "o'neill&co+tag@mail.example.co.uk"],
    ['ada@bücher.example', 'ada@bücher.example'],
    ['jörg@example.com', 'jörg@example.com'],
    ['用户@例え.テスト', '用户@例え.テスト'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
  ])('%j is kept as %j', (given, kept) => {
    expect(email.parse(given)).toBe(kept);
  });

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@1.2.3.4',
    'ada@0x7f.1',
    'ada@a%41.example',
    'ada b@example.com',
    'ada@exa mple.com',
    'ada@exam\u200bple.com',
    'a\u202eda@example.com',
    'ada@example..com',
    'ada@-example.com',
  ])('%j is none', (given) => {
    expect(email.safeParse(given).error?.issues.map(({ message }) => message)).toEqual(['must be an e-mail address']);
  });

  it('has at most 254 characters', () => {
    expect(email.safeParse(`${'a'.repeat(250)}@example.com`).success).toBe(false);
  });

  it('is the same in either form of its domain, in any case, and composed or not', () => {
    const forms = [
      'Jörg@Bücher.example',
      'jo\u0308rg@xn--bcher-kva.example',
      ' JÖRG@BÜCHER.EXAMPLE',
      'jörg@bücher。example',
    ];
    expect(new Set(forms.map(emailKey))).toEqual(new Set(['jörg@xn--bcher-kva.example']));
    expect(new Set(forms.map(readableEmail))).toEqual(new Set(['jörg@bücher.example']));
  });

  it('has a key that fits, whatever letters its domain has', () => {
    const domain = 'ü.'.repeat((EMAIL_LENGTH_MAX - 4) / 2);
    const longest = email.parse(`a@${domain}de`);
    expect(emailKey(longest).length).toBeGreaterThan(EMAIL_LENGTH_MAX);
    expect(emailKey(longest).length).toBeLessThanOrEqual(EMAIL_KEY_LENGTH_MAX);
  });

  it('with a tag or dots in its name differs from the one without', () => {
    expect(new Set(['ada@example.com', 'ada+1@example.com', 'a.da@example.com'].map(emailKey)).size).toBe(3);
  });

  it.each(['ada', 'ada@', 'ada@exa mple'])('in part, such as %j, is searched for as it is', (part) => {
    expect([emailKey(part), readableEmail(part)]).toEqual([part, part]);
  });
});
