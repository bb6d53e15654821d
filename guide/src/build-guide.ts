import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import MiniSearch from 'minisearch';
import { build } from 'rolldown';
import { type Guide, type Page, readPages } from './read-pages.ts';
import { type Part, SEARCH_OPTIONS } from './search-options.ts';
import { SECTIONS } from './sections.ts';

/** Enough for text, and ten times as fast as the best. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } };

/**
 * Builds the guide, the Markdown files of the repository at `root` as pages, into `folder`: each file also compressed,
 * and whatever the pages load under a name that changes with its content.
 */
export async function buildGuide(root: string, folder: string): Promise<void> {
  const read = (file: string) => readFileSync(path.join(root, file));
  const guide = readPages(root, (file) => addressOf(file, read(file)));
  /** Writes what pages load, and returns its address. */
  const writeAsset = async (name: string, content: string | Buffer): Promise<string> => {
    const address = addressOf(name, content);
    await write(path.join(folder, path.relative('/guide', address)), content);
    return address;
  };
  const [icon, style, script, index] = await Promise.all([
    writeAsset('icon.svg', read('gateway/src/docs/page/icon.svg')),
    writeAsset('page.css', read('guide/src/page.css')),
    writeAsset('page.js', await bundled(path.join(root, 'guide/src/page.js'))),
    writeAsset('search.json', searchIndexOf(guide)),
    ...guide.images.map(async (file) => writeAsset(file, read(file))),
  ]);
  const assets = { icon, style, script, index };
  await Promise.all(
    guide.pages.map(async (page) => {
      const name = page.url === '/guide' ? 'index' : page.url.slice('/guide/'.length);
      await write(path.join(folder, `${name}.html`), htmlOf(page, guide, assets));
    }),
  );
}

/** Where a file that pages load is served: another address for another content. */
function addressOf(file: string, content: string | Buffer): string {
  const { name, ext } = path.parse(file);
  return `/guide/assets/${name}-${hash('sha256', content, 'hex').slice(0, 10)}${ext}`;
}

interface Assets {
  icon: string;
  style: string;
  script: string;
  index: string;
}

async function write(file: string, content: string | Buffer): Promise<void> {
  const [gzipped, brotli] = await Promise.all([promisify(gzip)(content), promisify(brotliCompress)(content, BROTLI)]);
  await mkdir(path.dirname(file), { recursive: true });
  await Promise.all([writeFile(file, content), writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotli)]);
}

async function bundled(input: string): Promise<string> {
  const { output } = await build({ input, write: false, logLevel: 'warn', output: { minify: true } });
  return output[0].code;
}

function searchIndexOf({ pages }: Guide): string {
  const index = new MiniSearch<Part>(SEARCH_OPTIONS);
  index.addAll(
    pages.flatMap(({ url, title, headings }) =>
      headings.map(({ id, text, content }, place) => ({
        url: place === 0 ? url : `${url}#${id}`,
        page: title,
        heading: text,
        content,
      })),
    ),
  );
  return JSON.stringify(index);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function htmlOf(page: Page, { pages }: Guide, { icon, style, script, index }: Assets): string {
  const link = ({ url, title }: { url: string; title: string }, current = false) =>
    `<li><a href="${url}"${current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`;
  const menu = SECTIONS.map(({ title, files }) => {
    const listed = files.map((file) => pages.find((one) => one.file === file) as Page);
    return `<h2>${title}</h2><ul>${listed.map((one) => link(one, one === page)).join('')}</ul>`;
  });
  const parts = page.headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => link({ url: `#${id}`, title: text }));
  const title = page.url === '/guide' ? 'Event Commerce' : `${page.title} · Event Commerce`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="${style}" />
    <script type="module" src="${script}"></script>
  </head>
  <body>
    <a class="skip" href="#content">Skip to the text</a>
    <header class="bar">
      <button type="button" popovertarget="pages">Pages</button>
      <a class="brand" href="/guide"><img src="${icon}" alt="" width="26" height="26" />Event Commerce</a>
      <a href="/docs">API reference</a>
      <a href="/console">Console</a>
      <div class="search">
        <input type="search" id="search" data-index="${index}" placeholder="Search ( / )" aria-label="Search the guide" autocomplete="off" />
        <div id="results" role="status" hidden></div>
      </div>
    </header>
    <div class="frame">
      <nav id="pages" aria-label="Pages" popover>${menu.join('')}</nav>
      <main id="content">${page.html}</main>
      ${parts.length < 2 ? '' : `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${parts.join('')}</ul></nav>`}
    </div>
  </body>
</html>
`;
}
