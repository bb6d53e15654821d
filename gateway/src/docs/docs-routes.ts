import { asyncApiServers } from '@event-commerce/api-document/asyncapi-servers';
import { PlatformError } from '@event-commerce/contracts';
import type { FastifyInstance } from 'fastify';
import { type Asset, createAsset, IMMUTABLE, REVALIDATE, sendAsset } from '../asset.ts';
import { readBuilt } from '../built-file.ts';
import { once } from '../once.ts';
import { readPageFile, readPageVersion } from './page-files.ts';

/** The page may only load its own files, and send requests to its own origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The viewer sets the styles of individual elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The paths of the documents and the page, for code that needs all paths. */
export const DOCS_PATHS = ['/openapi.json', '/asyncapi.json', '/docs', '/docs/:version/:file'] as const;

/**
 * The platform's documents and the page that shows them, without a key. Each is read from the build on its first
 * request, so that a start pays nothing, and then cached. `natsUrls`: the addresses of the broker.
 */
export async function docsRoutes(app: FastifyInstance, { natsUrls }: { natsUrls: readonly string[] }): Promise<void> {
  const config = { public: true } as const;

  const json = 'application/json; charset=utf-8';
  const openApi = once(async () => await createAsset(await readBuilt('openapi.json'), json));
  const asyncApi = once(async () => {
    const document = JSON.parse((await readBuilt('asyncapi.json')).toString()) as object;
    return await createAsset(JSON.stringify({ ...document, servers: asyncApiServers(natsUrls) }), json);
  });
  const version = once(readPageVersion);
  const page = once(async () => {
    const html = (await readPageFile('index.html'))?.content.toString() ?? '';
    return await createAsset(html.replaceAll('{version}', await version()), 'text/html; charset=utf-8');
  });
  const files = new Map<string, Promise<Asset | undefined>>();
  const file = async (name: string): Promise<Asset | undefined> => {
    let known = files.get(name);
    if (known === undefined) {
      const found = await readPageFile(name);
      if (found === undefined) return undefined;
      known = createAsset(found.content, found.contentType);
      files.set(name, known);
    }
    return await known;
  };

  // An API client gets the usual 404, whose message names the documentation.
  app.get('/', { config }, async (request, reply) => {
    if (request.headers.accept?.includes('text/html') === true) return reply.redirect('/docs');
    throw new PlatformError('NOT_FOUND', 'There is nothing at this path. The documentation is at /docs.');
  });
  // Open to pages of every origin, such as other viewers of API documents.
  app.get('/openapi.json', { config: { ...config, cors: { origin: '*' } } }, async (request, reply) =>
    sendAsset(request, reply, await openApi(), REVALIDATE),
  );
  app.get('/asyncapi.json', { config }, async (request, reply) =>
    sendAsset(request, reply, await asyncApi(), REVALIDATE),
  );
  app.get('/docs', { config }, async (request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('referrer-policy', 'no-referrer');
    return sendAsset(request, reply, await page(), REVALIDATE);
  });
  app.get<{ Params: { version: string; file: string } }>('/docs/:version/:file', { config }, async (request, reply) => {
    const asset = request.params.file === 'index.html' ? undefined : await file(request.params.file);
    if (asset === undefined) throw new PlatformError('NOT_FOUND', 'The page has no such file.');
    // A page of another version, loaded before an upgrade, must not cache the files of this one for long.
    return sendAsset(request, reply, asset, request.params.version === (await version()) ? IMMUTABLE : REVALIDATE);
  });
}
