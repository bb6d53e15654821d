import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is served unchanged, plain and compressed. */
export interface Asset {
  content: Buffer;
  gzipped: Buffer;
  brotli?: Buffer;
  contentType: string;
  /** A weak tag, because all encodings share it. */
  etag: string;
}

export const REVALIDATE = 'public, no-cache';
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** `compressed`: the encodings that the build has already made; the others are made here. */
export async function createAsset(
  content: string | Buffer,
  contentType: string,
  compressed: { gzipped?: Buffer; brotli?: Buffer } = {},
): Promise<Asset> {
  const bytes = Buffer.from(content as string);
  const etag = `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  const gzipped = compressed.gzipped ?? (await promisify(gzip)(bytes));
  return { ...compressed, content: bytes, gzipped, contentType, etag };
}

/** Sends `asset` in the best encoding that the client accepts, or 304 if the client has it already. */
export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  cacheControl: string,
): FastifyReply {
  reply.header('cache-control', cacheControl).header('etag', asset.etag).header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
  reply.type(asset.contentType);
  const accepted = request.headers['accept-encoding'] ?? '';
  if (asset.brotli !== undefined && /\bbr\b/.test(accepted)) {
    return reply.header('content-encoding', 'br').send(asset.brotli);
  }
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(asset.gzipped);
  return reply.send(asset.content);
}
