import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first Debian archive that the machine's own apt sources name, in either of their two formats. */
export async function debianMirror(aptDir = '/etc/apt'): Promise<string | undefined> {
  const parts = existsSync(join(aptDir, 'sources.list.d')) ? await readdir(join(aptDir, 'sources.list.d')) : [];
  const files = ['sources.list', ...parts.toSorted().map((name) => join('sources.list.d', name))];
  for (const file of files) {
    const text = await readFile(join(aptDir, file), 'utf8').catch(() => '');
    const uris = file.endsWith('.sources') ? deb822Uris(text) : file.endsWith('.list') ? oneLineUris(text) : [];
    const mirror = uris.find((uri) => /\/debian\/?$/.test(new URL(uri).pathname));
    if (mirror !== undefined) return mirror;
  }
  return undefined;
}

function deb822Uris(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .filter((stanza) => /^Types:(?:.*[ \t])?deb(?:[ \t]|$)/im.test(stanza) && !/^Enabled:\s*no/im.test(stanza))
    .flatMap((stanza) => /^URIs:((?:.|\n[ \t])*)/im.exec(stanza)?.[1]?.split(/\s+/) ?? [])
    .filter(isWebAddress);
}

function oneLineUris(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /^\s*deb\s/.test(line))
    .flatMap(
      (line) =>
        line
          .replace(/\[[^\]]*\]/, '')
          .trim()
          .split(/\s+/)[1] ?? [],
    )
    .filter(isWebAddress);
}

function isWebAddress(uri: string): boolean {
  return /^https?:\/\//.test(uri) && URL.canParse(uri);
}
