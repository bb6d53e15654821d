import { PlatformError } from '@event-commerce/contracts';
import type { FastifyInstance } from 'fastify';
import { IMMUTABLE, REVALIDATE, sendAsset } from '../asset.ts';
import { builtFolder } from '../built-folder.ts';
import { OWN_FILES_ONLY } from '../own-files-only.ts';

/** The paths of the guide, for code that needs all paths. */
export const GUIDE_PATHS = ['/guide', '/guide/*'] as const;

/** The documentation as pages, served without a key. */
export async function guideRoutes(app: FastifyInstance): Promise<void> {
  const config = { public: true } as const;
  const fileNamed = builtFolder('guide', 'The guide');

  for (const url of GUIDE_PATHS) {
    app.get<{ Params: { '*'?: string } }>(url, { config }, async (request, reply) => {
      const name = request.params['*'] ?? '';
      const isPage = !name.startsWith('assets/');
      const asset = await fileNamed(isPage ? `${name || 'index'}.html` : name);
      if (asset === undefined) throw new PlatformError('NOT_FOUND', 'The guide has no such page. It begins at /guide.');
      if (!isPage) return sendAsset(request, reply, asset, IMMUTABLE);
      reply.header('content-security-policy', OWN_FILES_ONLY).header('referrer-policy', 'no-referrer');
      return sendAsset(request, reply, asset, REVALIDATE);
    });
  }
}
