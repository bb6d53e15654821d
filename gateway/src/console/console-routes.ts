import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { PlatformError } from '@event-commerce/contracts';
import { DIST, NOT_BUILT } from '@event-commerce/service-kit/dist';
import { type Asset, createAsset, IMMUTABLE, REVALIDATE, sendAsset } from '../asset.ts';
import { once } from '../once.ts';

/** The console may only load its own files, and send requests to its own origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The paths of the console, for code that needs all paths. */
export const CONSOLE_PATHS = ['/console', '/console/*'] as const;

/** The web console, served without a key: it requests its data from the API with the visitor's key. */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  const config = { public: true } as const;
  const files = once(readBuild);

  for (const url of CONSOLE_PATHS) {
    app.get<{ Params: { '*'?: string } }>(url, { config }, async (request, reply) => {
      const name = request.params['*'] ?? '';
      const all = await files();
      if (name.startsWith('assets/')) {
        const asset = all.get(name);
        if (asset === undefined) throw new PlatformError('NOT_FOUND', 'The console has no such file.');
        return sendAsset(request, reply, asset, IMMUTABLE);
      }
      // Every other path is a view that the page itself renders.
      const page = all.get('index.html') as Asset;
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('referrer-policy', 'no-referrer');
      return sendAsset(request, reply, page, REVALIDATE);
    });
  }
}

/**
 * The files of the built console by their path.
 *
 * @throws {PlatformError} NOT_FOUND if it was not built
 */
async function readBuild(): Promise<Map<string, Asset>> {
  const folder = path.join(DIST, 'console');
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  if (!names.includes('index.html')) throw new PlatformError('NOT_FOUND', `The console was not built: ${NOT_BUILT}.`);
  const served = names.filter((name) => path.extname(name) in CONTENT_TYPES);
  return new Map(
    await Promise.all(
      served.map(async (name) => {
        const file = path.join(folder, name);
        const [content, gzipped, brotli] = await Promise.all([
          readFile(file),
          readFile(`${file}.gz`),
          readFile(`${file}.br`),
        ]);
        const contentType = CONTENT_TYPES[path.extname(name)] as string;
        return [name, await createAsset(content, contentType, { gzipped, brotli })] as const;
      }),
    ),
  );
}
