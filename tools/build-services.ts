import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { asyncApiDocument, openApiDocument } from '@event-commerce/api-document';
import { build, type Plugin } from 'rolldown';

/** What production runs, by its name: the processes, and the commands that repair their data. */
const ENTRIES = {
  gateway: 'gateway/src/main.ts',
  pricing: 'services/pricing/src/main.ts',
  commerce: 'services/commerce/src/main.ts',
  activity: 'services/activity/src/main.ts',
  cart: 'services/cart/src/main.ts',
  events: 'services/events/src/main.ts',
  'repair-usage': 'services/pricing/src/repair-usage.ts',
  'repair-coupons': 'services/commerce/src/repair-coupons.ts',
  'repair-seats': 'services/cart/src/repair-seats.ts',
  'repair-tickets': 'services/events/src/repair-tickets.ts',
  'parked-events': 'libs/service-kit/src/process/parked-events.ts',
};

/** The name of the chunks of libraries. */
const LIBRARIES = 'libraries';

/** Optional dependencies of the MongoDB driver, none of them installed. */
const NOT_INSTALLED = [
  '@aws-sdk/credential-providers',
  '@mongodb-js/zstd',
  'gcp-metadata',
  'kerberos',
  'mongodb-client-encryption',
  'snappy',
  'socks',
];

/** Builds everything that the processes need, except the console, into `folder`. `root` is the repository. */
export async function buildServices(root: string, folder: string): Promise<void> {
  await Promise.all([
    bundle(root, folder),
    writeFile(path.join(folder, 'openapi.json'), JSON.stringify(openApiDocument())),
    writeFile(path.join(folder, 'asyncapi.json'), JSON.stringify(asyncApiDocument())),
    // The image has no other package.json.
    writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', ...(await versionOf(root)) })),
    copyPage(path.join(root, 'gateway'), path.join(folder, 'docs')),
  ]);
}

/** `COMMIT` names the commit in a build without a checkout, as in the image. */
async function versionOf(root: string): Promise<{ version: string; commit?: string | undefined }> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return { version, commit: process.env['COMMIT'] || undefined };
}

async function bundle(root: string, folder: string): Promise<void> {
  await build({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    external: NOT_INSTALLED,
    logLevel: 'warn',
    plugins: [builtinsInParts, urlOfNode, librariesWithoutMaps, onlyAscii],
    output: {
      dir: folder,
      chunkFileNames: ({ name }) => `${name.split('~')[0]}-[hash].js`,
      codeSplitting: { groups: [{ name: LIBRARIES, test: /node_modules/, entriesAware: true }] },
      sourcemap: true,
      sourcemapExcludeSources: true,
      // A process keeps the text of its code in memory. Without comments it is a tenth shorter.
      comments: { legal: true, annotation: false, jsdoc: false },
      charset: 'ascii',
    },
  });
}

/**
 * Importing `node:http` or `node:process` reads every export, which makes Node load what a service never uses, such as
 * its WebSocket: 15 MiB of each process. With this plugin, an export is read when it is used.
 */
const builtinsInParts: Plugin = {
  name: 'builtins-in-parts',
  resolveId: {
    filter: { id: /^(node:)?(http|process)$/ },
    handler: (id, _importer, { kind }) => (kind === 'import-statement' ? `\0${id}.cjs` : undefined),
  },
  load: {
    filter: { id: /^\0(node:)?(http|process)\.cjs$/ },
    handler: (id) => `module.exports = process.getBuiltinModule('${id.slice(1, -'.cjs'.length)}');`,
  },
};

/**
 * The MongoDB driver reads its URL with a package that does what Node's `URL` does, with tables of all characters: 2 MiB
 * of each process.
 */
const urlOfNode: Plugin = {
  name: 'url-of-node',
  resolveId: { filter: { id: /^whatwg-url$/ }, handler: () => '\0whatwg-url.cjs' },
  load: { filter: { id: /^\0whatwg-url\.cjs$/ }, handler: () => 'module.exports = { URL, URLSearchParams };' },
};

/** The maps of libraries would be ten times as large as those of our own code. Their bundles stay readable. */
const librariesWithoutMaps: Plugin = {
  name: 'libraries-without-maps',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (!file.fileName.startsWith(LIBRARIES)) continue;
      if (file.type === 'asset') delete files[file.fileName];
      else file.code = file.code.replace(/\n\/\/# sourceMappingURL=.+\s*$/, '\n');
    }
  },
};

/** A single character outside ASCII doubles what Node keeps of its whole file, and licences have some. */
const onlyAscii: Plugin = {
  name: 'only-ascii',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replaceAll(
        /[\u0080-\uffff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/** The page at `/docs`: its own files, and those of the viewer. */
async function copyPage(gateway: string, folder: string): Promise<void> {
  await cp(path.join(gateway, 'src/docs/page'), folder, { recursive: true });
  const viewer = path.dirname(
    createRequire(path.join(gateway, 'package.json')).resolve('swagger-ui-dist/package.json'),
  );
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    await cp(path.join(viewer, file), path.join(folder, file));
  }
}
