import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Token } from 'markdown-it';

/** The page that the guide begins with. The others are those that it links to, and that those link to. */
const FIRST = 'README.md';

export interface Page {
  /** Its file, from the root of the repository. */
  file: string;
  url: string;
  title: string;
  html: string;
  headings: Heading[];
}

export interface Heading {
  level: number;
  id: string;
  text: string;
  /** The text below it, up to the next heading. */
  content: string;
}

export interface Guide {
  pages: Page[];
  /** Other files that the pages show. */
  images: string[];
  /** Links that lead nowhere, as "file: link". */
  broken: string[];
}

/** The Markdown files of the repository at `root` as pages. `imageUrl`: where an image of the repository is served. */
export function readPages(root: string, imageUrl: (file: string) => string): Guide {
  const markdown = new MarkdownIt();
  const pages = new Map<string, Page>();
  const images = new Set<string>();
  const links: { from: string; href: string; file: string; id: string }[] = [];
  const waiting = [FIRST];
  for (const file of waiting) {
    if (pages.has(file)) continue;
    const tokens = markdown.parse(readFileSync(path.join(root, file), 'utf8'), {});
    const headings = headingsOf(tokens);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = decodeURI(String(token.attrGet('href') ?? token.attrGet('src') ?? ''));
      if (href === '' || /^[a-z]+:/.test(href)) continue;
      const [target = '', id = ''] = href.split('#');
      const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
      links.push({ from: file, href, file: linked, id });
      if (token.type === 'image') {
        images.add(linked);
        token.attrSet('src', imageUrl(linked));
      } else if (linked.endsWith('.md') && existsSync(path.join(root, linked))) {
        token.attrSet('href', urlOf(linked) + (id === '' ? '' : `#${id}`));
        waiting.push(linked);
      } else {
        // A file of the repository: the guide says where it is, but does not have it.
        token.attrs = [['title', linked]];
      }
    }
    for (const token of tokens) {
      // Wide tables and commands scroll by themselves: also for those who have no mouse.
      if (token.type === 'table_open') token.attrSet('tabindex', '0');
      // The pages' policy allows no styles in them.
      if (token.attrGet('style') === 'text-align:right') token.attrs = [['class', 'number']];
    }
    const html = markdown.renderer.render(tokens, markdown.options, {}).replaceAll('<pre>', '<pre tabindex="0">');
    const title = headings[0]?.text ?? file;
    pages.set(file, {
      file,
      url: urlOf(file),
      title,
      html,
      headings,
    });
  }
  const isBroken = ({ file, id }: { file: string; id: string }) =>
    !existsSync(path.join(root, file)) ||
    (id !== '' && pages.get(file)?.headings.some((heading) => heading.id === id) !== true);
  return {
    pages: [...pages.values()],
    images: [...images],
    broken: links.filter(isBroken).map(({ from, href }) => `${from}: ${href}`),
  };
}

/** `docs/operating/README.md` is at `/guide/operating`. */
function urlOf(file: string): string {
  const place = file
    .replace(/\.md$/, '')
    .replace(/(^|\/)README$/, '')
    .replace(/^docs\//, '');
  return place === '' ? '/guide' : `/guide/${place.toLowerCase()}`;
}

/** Gives each heading the id that links name, and takes the text below it. */
function headingsOf(tokens: Token[]): Heading[] {
  const slugger = new GithubSlugger();
  const headings: Heading[] = [];
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const text = textOf(token);
    if (before?.type === 'heading_open') {
      const id = slugger.slug(text);
      before.attrSet('id', id);
      headings.push({ level: Number(before.tag.slice(1)), id, text, content: '' });
    } else if (text !== '') {
      const heading = headings.at(-1);
      if (heading !== undefined) heading.content += `${text} `;
    }
  }
  return headings;
}

function textOf({ type, content, children }: Token): string {
  if (type === 'fence' || type === 'code_block') return content;
  return (children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('');
}
