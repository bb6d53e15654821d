import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const own = path.join(import.meta.dirname, 'page');
const viewer = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files of the page. Nothing else in their folders can be read. */
const FILES: Readonly<Record<string, { folder: string; contentType: string }>> = {
  'index.html': { folder: own, contentType: 'text/html; charset=utf-8' },
  'page.css': { folder: own, contentType: 'text/css; charset=utf-8' },
  'page.js': { folder: own, contentType: 'text/javascript; charset=utf-8' },
  'icon.svg': { folder: own, contentType: 'image/svg+xml' },
  'swagger-ui.css': { folder: viewer, contentType: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { folder: viewer, contentType: 'text/javascript; charset=utf-8' },
};

/** A file of the page; undefined if there is none of that name. */
export async function readPageFile(name: string): Promise<{ content: Buffer; contentType: string } | undefined> {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file === undefined) return undefined;
  return { content: await readFile(path.join(file.folder, name)), contentType: file.contentType };
}

/** Changes whenever a file of the page does. */
export async function readPageVersion(): Promise<string> {
  const contents = await Promise.all([
    readFile(path.join(viewer, 'package.json')),
    ...['page.css', 'page.js', 'icon.svg'].map((name) => readFile(path.join(own, name))),
  ]);
  return hash('sha256', Buffer.concat(contents), 'hex').slice(0, 12);
}
