import { hash } from 'node:crypto';
import { readBuilt } from '../built-file.ts';

/** The files of the page, its own and the viewer's. Nothing else in their folder can be read. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** A file of the page; undefined if there is none with that name. */
export async function readPageFile(name: string): Promise<{ content: Buffer; contentType: string } | undefined> {
  const contentType = Object.hasOwn(CONTENT_TYPES, name) ? CONTENT_TYPES[name] : undefined;
  if (contentType === undefined) return undefined;
  return { content: await readBuilt(`docs/${name}`), contentType };
}

/** Changes whenever a file of the page does. */
export async function readPageVersion(): Promise<string> {
  const contents = await Promise.all(Object.keys(CONTENT_TYPES).map(async (name) => readBuilt(`docs/${name}`)));
  return hash('sha256', Buffer.concat(contents), 'hex').slice(0, 12);
}
