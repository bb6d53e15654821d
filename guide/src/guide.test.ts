import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPages } from './read-pages.ts';
import { MARKDOWN, SECTIONS } from './sections.ts';

const root = path.resolve(import.meta.dirname, '../..');
const { pages, broken } = readPages(root, (file) => file);
const files = pages.map(({ file }) => file);

test('every link of the documentation leads to a file and a heading that exist', () => {
  expect(broken).toEqual([]);
});

test('every file of docs is a page', () => {
  const written = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const missing = written.filter((name) => name.endsWith('.md') && !files.includes(`docs/${name}`));
  expect(missing).toEqual([]);
});

test('the menu lists every page, or the first page of its folder', () => {
  const listed = SECTIONS.flatMap((section) => section.files);
  expect(listed.filter((file) => !files.includes(file))).toEqual([]);
  const folders = listed.filter((file) => file.endsWith('/README.md')).map((file) => path.dirname(file));
  const isReached = (file: string) =>
    listed.includes(file) || folders.some((folder) => file.startsWith(`${folder}/`)) || file.startsWith('deploy/');
  expect(files.filter((file) => !isReached(file))).toEqual([]);
});

test('the guide is built again when a page changes', () => {
  const isWatched = (file: string) => MARKDOWN.some((source) => file === source || file.startsWith(`${source}/`));
  expect(files.filter((file) => !isWatched(file))).toEqual([]);
});

test('pages have distinct addresses and titles', () => {
  for (const named of [pages.map(({ url }) => url), pages.map(({ title }) => title)])
    expect(named.toSorted()).toEqual([...new Set(named)].toSorted());
});
