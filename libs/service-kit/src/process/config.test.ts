import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, readConfig } from './config.ts';

const schema = z.object({ SECRET: z.string().min(4, 'is too short'), PORT: z.coerce.number().default(80) });

function fileOf(text: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'event-commerce-config-')), 'secret');
  writeFileSync(file, text);
  return file;
}

test('a setting is read from its variable, or from the file that NAME_FILE names, without its last line break', () => {
  expect(readConfig(schema, { SECRET: 'open sesame', PORT: '', OTHER: 'x' })).toEqual({
    SECRET: 'open sesame',
    PORT: 80,
  });
  expect(readConfig(schema, { SECRET_FILE: fileOf('open sesame\n'), SECRET: '' })).toEqual({
    SECRET: 'open sesame',
    PORT: 80,
  });
});

test('every setting that is missing or wrong is named in one message, also one whose file is', () => {
  const refusal = (env: NodeJS.ProcessEnv) => {
    try {
      return JSON.stringify(readConfig(schema, env));
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return (error as Error).message;
    }
  };
  const wrong = refusal({ SECRET_FILE: fileOf('abc'), PORT: 'x' });
  expect(wrong).toContain('SECRET: is too short');
  expect(wrong).toContain('PORT: ');
  expect(refusal({ SECRET_FILE: '/no/such/file' })).toMatch(
    /SECRET: cannot be read from \/no\/such\/file, which SECRET_FILE names \(ENOENT/,
  );
  expect(refusal({ SECRET: 'open sesame', SECRET_FILE: fileOf('open sesame') })).toContain(
    'SECRET: is set, and so is SECRET_FILE; remove one of them',
  );
});
