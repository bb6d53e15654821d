import { expect, it } from 'vitest';
import { generate, readGenerated } from './generate.ts';

it('the generated files match the document: npm run generate in libs/client updates them', async () => {
  const generated = await generate();
  expect(Object.keys(generated)).toEqual(['api.generated.ts', 'operations.generated.ts']);
  for (const [name, source] of Object.entries(generated)) expect((await readGenerated(name)) === source).toBe(true);
});

it('the type of a string with several patterns is string', async () => {
  expect(await readGenerated('api.generated.ts')).not.toContain('unknown & unknown');
});
