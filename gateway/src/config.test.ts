import { readConfig } from '@event-commerce/service-kit';
import { expect, test } from 'vitest';
import { settings } from './config.ts';

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
