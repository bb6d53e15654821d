import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { DIST } from './dist.ts';

/** A place in a file, as stacks show it. */
const PLACE = /(?:file:\/\/)?(\/[^\s():]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * `stack` with lines of the sources instead of lines of the bundles. Node's option --enable-source-maps does the same,
 * but reads all maps when a process starts: 17 MiB of each, for errors that few of them ever log.
 */
export function inSources(stack: string): string {
  return stack.replaceAll(PLACE, (place: string, file: string, line: string, column: string) => {
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return place;
    const source = path.resolve(path.dirname(file), found.originalSource);
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

/** The map of a bundle; undefined for any other file, and for the bundled libraries, which have none. */
function mapOf(file: string): SourceMap | undefined {
  if (path.dirname(file) !== DIST) return undefined;
  if (!maps.has(file)) {
    const map = `${file}.map`;
    const payload = existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as SourceMap['payload']) : undefined;
    maps.set(file, payload && new SourceMap(payload));
  }
  return maps.get(file);
}
