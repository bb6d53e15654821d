import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A file that is served unchanged, plain and compressed. */
export interface Asset {
  content: Buffer;
  gzipped: Buffer;
  contentType: string;
  /** Weak: both encodings share it. */
  etag: string;
}

export async function createAsset(content: string | Buffer, contentType: string): Promise<Asset> {
  const bytes = Buffer.from(content as string);
  const etag = `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  return { content: bytes, gzipped: await promisify(gzip)(bytes), contentType, etag };
}
