import { expect, it } from 'vitest';
import { generateTypes, readGeneratedTypes } from './generate.ts';

it('the generated types match the document: npm run generate in libs/client updates them', async () => {
  expect((await readGeneratedTypes()) === (await generateTypes())).toBe(true);
});

it('the type of a string with several patterns is string', async () => {
  expect(await readGeneratedTypes()).not.toContain('unknown & unknown');
});
