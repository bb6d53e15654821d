import type { FastifyInstance } from 'fastify';
import { PlatformError } from '@event-commerce/contracts';
import { type Asset, IMMUTABLE, REVALIDATE, sendAsset } from '../asset.ts';
import { builtFolder } from '../built-folder.ts';
import { OWN_FILES_ONLY } from '../own-files-only.ts';

/** The paths of the console, for code that needs all paths. */
export const CONSOLE_PATHS = ['/console', '/console/*'] as const;

/** The web console, served without a key: it requests its data from the API with the visitor's key. */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  const config = { public: true } as const;
  const fileNamed = builtFolder('console', 'The console');

  for (const url of CONSOLE_PATHS) {
    app.get<{ Params: { '*'?: string } }>(url, { config }, async (request, reply) => {
      const name = request.params['*'] ?? '';
      if (name.startsWith('assets/')) {
        const asset = await fileNamed(name);
        if (asset === undefined) throw new PlatformError('NOT_FOUND', 'The console has no such file.');
        return sendAsset(request, reply, asset, IMMUTABLE);
      }
      // Every other path is a view that the page itself renders.
      const page = (await fileNamed('index.html')) as Asset;
      reply.header('content-security-policy', OWN_FILES_ONLY).header('referrer-policy', 'no-referrer');
      return sendAsset(request, reply, page, REVALIDATE);
    });
  }
}
