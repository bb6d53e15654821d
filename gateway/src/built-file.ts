import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PlatformError } from '@event-commerce/contracts';
import { DIST, NOT_BUILT } from '@event-commerce/service-kit/dist';

/**
 * A file of the build.
 *
 * @throws {PlatformError} NOT_FOUND if there is no build
 */
export async function readBuilt(file: string): Promise<Buffer> {
  try {
    return await readFile(path.join(DIST, file));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new PlatformError('NOT_FOUND', `${file} was not built: ${NOT_BUILT}.`, { cause });
  }
}
