import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeKey, couponCode, storedCode } from '../index.ts';

const problem = (result: { error?: { issues: { message: string }[] } | undefined }) => result.error?.issues[0]?.message;

describe('a code', () => {
  it('is the same in any case, width and composition', () => {
    const spellings = ['Café', 'CAFÉ', 'cafe\u0301', ' café ', 'ｃａｆé'];
    expect(new Set(spellings.map(codeKey))).toEqual(new Set(['CAFÉ']));
    expect(new Set(spellings.map(storedCode))).toEqual(new Set(['CAFÉ']));
  });

  it.each([
    ['a zero-width space', 'GIFT\u200b-7'],
    ['a word joiner', 'GIFT\u2060-7'],
    ['a soft hyphen', 'GI\u00adFT-7'],
    ['a variation selector', 'GIFT\ufe0f-7'],
    ['a byte order mark', 'GIF\ufeffT-7'],
    ['a non-breaking hyphen', 'GIFT\u20117'],
    ['an en dash', 'GIFT\u20137'],
    ['a minus sign', 'GIFT\u22127'],
    ['a Cyrillic capital', 'G\u0406F\u0422-7'],
    ['a Greek small letter', 'g\u03b9f\u03c4-7'],
    ['invisible characters and a non-breaking space at its ends', '\u200b\u00a0GIFT-7\u00a0\u200b'],
  ])('is the same code with %s', (_what, spelt) => {
    expect(codeKey(spelt)).toBe('GIFT-7');
    expect(couponCode.safeParse(spelt).success).toBe(true);
  });

  it('is the same code with any kind of space, and with an accented look-alike letter', () => {
    for (const space of ['\u00a0', '\u2009', '\u202f', '\u3000']) expect(codeKey(`VIP${space}1`)).toBe('VIP 1');
    expect(['\u0401', '\u0451', '\u0415\u0308'].map(codeKey)).toEqual(['Ë', 'Ë', 'Ë']);
  });

  it('is another code if a person sees the difference', () => {
    const codes = ['GIFT7', 'GIFT-7', 'GIFT 7', 'G1FT-7', 'GIFT-\u0417', 'GIFT_7'];
    expect(new Set(codes.map(codeKey)).size).toBe(codes.length);
  });

  it('has the same key as its stored form, and printable ASCII is its own key in upper case', () => {
    const printable = Array.from({ length: 0x7f - 0x20 }, (_, n) => String.fromCodePoint(0x20 + n)).join('');
    expect(codeKey(`a${printable}z`)).toBe(`a${printable}z`.toUpperCase());
    for (let point = 0; point < 0x20000; point++) {
      const code = `a ${String.fromCodePoint(point)} b`;
      if (codeKey(storedCode(code)) !== codeKey(code)) expect.unreachable(`U+${point.toString(16)} has another key`);
    }
  });

  it('has a stored form that is its own form, so that a stored code is found again', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x1ffff)), (points) => {
        const code = String.fromCodePoint(...points);
        for (const form of [storedCode, codeKey]) expect(form(form(code))).toBe(form(code));
      }),
      { numRuns: 2_000 },
    );
    for (let point = 0; point < 0x20000; point++) {
      const code = `a ${String.fromCodePoint(point)} b`;
      for (const form of [storedCode, codeKey])
        if (form(form(code)) !== form(code)) expect.unreachable(`U+${point.toString(16)} has another form`);
    }
  });

  it('takes no longer to compare or refuse if it is far too long', () => {
    const costly = `a${'\u0301\u0323'.repeat(100_000)}`;
    const before = process.threadCpuUsage();
    expect([storedCode, codeKey].map((form) => form(` ${costly}`) === costly)).toEqual([true, true]);
    expect(problem(couponCode.safeParse(costly))).toBe('must have at most 64 characters');
    const { user, system } = process.threadCpuUsage(before);
    // Normalizing it takes many seconds.
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it('has at most 64 characters in its stored form', () => {
    expect(couponCode.safeParse('ß'.repeat(32)).success).toBe(true);
    expect(problem(couponCode.safeParse('ß'.repeat(40)))).toBe('must have at most 64 characters');
    expect(problem(couponCode.safeParse('x'.repeat(65)))).toBe('must have at most 64 characters');
    expect(couponCode.safeParse('e\u0301'.repeat(64)).success).toBe(true);
  });

  it.each(['A\u0000B', 'A\nB', 'A\u202EB', 'A\u2066B', 'A\ud800B'])('has no character like that of %j', (code) => {
    expect(problem(couponCode.safeParse(code))).toBe('must not have control or bidirectional characters');
  });

  it.each(['', '  ', '\u3000'])('is not blank: %j', (code) => {
    expect(problem(couponCode.safeParse(code))).toBe('must not be empty');
  });

  it('has at least one visible character', () => {
    expect(problem(couponCode.safeParse('\u200b'))).toBe('must not be blank');
  });
});
