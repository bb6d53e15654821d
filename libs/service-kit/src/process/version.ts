import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DIST } from './dist.ts';

/** Which release this is. `commit` is absent if the build did not get it, as with `npm start`. */
export interface Version {
  version: string;
  commit?: string;
}

/** The manifest beside the bundles; code that runs from its sources uses that of the repository. */
const manifest = import.meta.filename.endsWith('.ts')
  ? path.join(DIST, '../package.json')
  : path.join(DIST, 'package.json');
const { version, commit } = JSON.parse(readFileSync(manifest, 'utf8')) as Version;

export const VERSION: Version = { version, ...(commit === undefined ? {} : { commit }) };
