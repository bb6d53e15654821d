import { expect, it } from 'vitest';
import { generateTypes, readGeneratedTypes } from './generate.ts';

it('the generated types are those of the document as it is now: npm run generate in libs/client brings them up to date', async () => {
  expect((await readGeneratedTypes()) === (await generateTypes())).toBe(true);
}, 60_000);
