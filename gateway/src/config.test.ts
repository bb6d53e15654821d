import { readConfig } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { heldBytesIn, settings } from './config.ts';

test.each([
  ['x'.repeat(31), true],
  ['x'.repeat(32), false],
])("the operator's key %s is refused: %s", (key, isRefused) => {
  const refusal = (() => {
    try {
      readConfig(settings, { ROOT_API_KEY: key });
    } catch (error) {
      return String(error);
    }
    return '';
  })();
  expect(refusal).toContain('IDENTITY_PRIVATE_KEY');
  expect(refusal.includes('ROOT_API_KEY: must have at least 32 characters')).toBe(isRefused);
});

test.each([
  ['without a limit', 0, 128],
  ['of a machine without a limit', 2 ** 64, 128],
  ['of 512 MiB', 512 * 2 ** 20, 128],
  ['of 256 MiB', 256 * 2 ** 20, 64],
  ['too small for anything', 2 ** 20, 8],
])('a container %s holds bodies in a quarter of its memory, within bounds', (_, bytes, mebibytes) => {
  expect(heldBytesIn(bytes)).toBe(mebibytes * 2 ** 20);
});
