import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of the build (`tools/build.ts`): where this code is once it is bundled, else `dist` of the repository. */
export const DIST = import.meta.filename.endsWith('.ts')
  ? path.resolve(import.meta.dirname, '../../../../dist')
  : import.meta.dirname;

export const NOT_BUILT = 'run npm run build';

/**
 * The script of a bundled process or command.
 *
 * @throws {Error} that says what to do if there is no build
 */
export function bundleOf(name: string): string {
  const script = path.join(DIST, `${name}.js`);
  if (!existsSync(script)) throw new Error(`${script} is missing: ${NOT_BUILT}.`);
  return script;
}
