import { newId } from '@event-commerce/service-kit';
import { describe, expect, it } from 'vitest';
import { createKeyText, parseKeyText } from './key-format.ts';

describe('the text of an API key', () => {
  it('is parsed into its parts', () => {
    const keyId = newId('key');
    const { text, secret } = createKeyText('test', keyId);
    expect(text).toMatch(/^eck_test_[0-9a-z]{26}_[0-9A-Za-z]{39}$/);
    expect(parseKeyText(text)).toEqual({ environment: 'test', keyId, secret });
  });

  it('contains at least 192 bits of secret, never the same twice', () => {
    const secrets = new Set(Array.from({ length: 1000 }, () => createKeyText('live', newId('key')).secret));
    expect(secrets.size).toBe(1000);
    for (const secret of secrets) expect(secret.length * Math.log2(62)).toBeGreaterThanOrEqual(192);
  });

  it('is rejected by its checksum if any character is changed', () => {
    const { text } = createKeyText('live', newId('key'));
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === '7' ? '8' : '7';
      expect(parseKeyText(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
    }
  });

  it.each(['', 'eck_', 'eck_live_', 'a'.repeat(5000)])('is rejected when it is %j', (text) => {
    expect(parseKeyText(text)).toBeUndefined();
  });

  it('is rejected when it is truncated', () => {
    const { text } = createKeyText('live', newId('key'));
    for (let length = 0; length < text.length; length++) expect(parseKeyText(text.slice(0, length))).toBeUndefined();
  });
});
