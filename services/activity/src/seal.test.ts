import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sealWith } from './seal.ts';

const [key, otherKey] = [randomBytes(32), randomBytes(32)];
const sealing = sealWith(key);
const seal = (text: string, record: string) => sealing.seal(text, record);
const open = (sealed: string, record: string) => sealing.open(sealed, record);

test('a sealed text opens with its key for its record, and shows nothing of itself', () => {
  const [one, again] = [seal('whsec_öffne', 'whk_1'), seal('whsec_öffne', 'whk_1')];
  expect([open(one, 'whk_1'), open(again, 'whk_1')]).toEqual(['whsec_öffne', 'whsec_öffne']);
  expect(one).not.toBe(again);
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('whsec');
});

test('it opens neither for another record, nor with another key, nor when any byte has changed', () => {
  const sealed = seal('whsec_secret', 'whk_1');
  expect(() => open(sealed, 'whk_2')).toThrow('authenticate');
  expect(() => sealWith(otherKey).open(sealed, 'whk_1')).toThrow('authenticate');
  const bytes = Buffer.from(sealed, 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => open(changed.toString('base64'), 'whk_1')).toThrow('authenticate');
  }
});

test('a text that was cut short does not open', () => {
  const sealed = Buffer.from(seal('whsec_secret', 'whk_1'), 'base64');
  for (const length of [0, 11, 12, 20, 27, 28, sealed.length - 1]) {
    expect(() => open(sealed.subarray(0, length).toString('base64'), 'whk_1')).toThrow(Error);
  }
});
