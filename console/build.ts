import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'vite';

/** Builds the console into `folder`, each file also compressed. */
export async function buildConsole(folder: string): Promise<void> {
  await build({ root: import.meta.dirname, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(files.map(compress));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content),
  ]);
  await Promise.all([writeFile(`${file}.gz`, gzipped), writeFile(`${file}.br`, brotli)]);
}
