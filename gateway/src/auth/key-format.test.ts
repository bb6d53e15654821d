import { newId } from '@event-commerce/service-kit';
import { describe, expect, it } from 'vitest';
import { createKeyText, parseKeyText } from './key-format.ts';

describe('the text of an API key', () => {
  it('is taken apart into what it was made of', () => {
    const keyId = newId('key');
    const { text, secret } = createKeyText('test', keyId);
    expect(text).toMatch(/^eck_test_[0-9a-z]{26}_[0-9A-Za-z]{39}$/);
    expect(parseKeyText(text)).toEqual({ environment: 'test', keyId, secret });
  });

  it('carries at least 192 bits of secret and never the same twice', () => {
    const secrets = new Set(Array.from({ length: 1000 }, () => createKeyText('live', newId('key')).secret));
    expect(secrets.size).toBe(1000);
    for (const secret of secrets) expect(secret.length * Math.log2(62)).toBeGreaterThanOrEqual(192);
  });

  it('is refused by its checksum when any one character is another', () => {
    const { text } = createKeyText('live', newId('key'));
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === '7' ? '8' : '7';
      expect(parseKeyText(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(['', 'eck_', 'eck_live_', 'a'.repeat(5000)])('is refused when it is %j', (text) => {
    expect(parseKeyText(text)).toBeUndefined();
  });

  it('is refused when it was cut short', () => {
    const { text } = createKeyText('live', newId('key'));
    for (let length = 0; length < text.length; length++) expect(parseKeyText(text.slice(0, length))).toBeUndefined();
  });
});
