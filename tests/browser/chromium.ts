import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Progress, reported } from '../../deploy/local/progress.ts';

/** Without the user interface: it takes a quarter less disk space and a seventh less CPU time. */
const HEADLESS = '/usr/bin/chromium-headless-shell';
const PATHS = [HEADLESS, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Another installation may be running. */
const APT = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Install-Recommends=false'];
const INSTALL_TIMEOUT_MS = 600_000;

/**
 * The path of a Chromium, installed once if the machine runs Debian and this user is root; otherwise why there is none.
 * A path in `CHROMIUM_PATH` is used as it is.
 */
export async function provideChromium(progress: Progress): Promise<{ path: string } | { missing: string }> {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return { path: given };
  const found = PATHS.find(isExecutable);
  if (found !== undefined) return { path: found };
  if (!existsSync('/etc/debian_version')) return { missing: 'no Chromium, and it can only be installed on Debian' };
  if (process.getuid?.() !== 0) return { missing: 'no Chromium, and only root can install it' };
  try {
    await reported('installing chromium for the browser test (once, about a minute)', progress, install);
  } catch (error) {
    return { missing: `no Chromium, and it could not be installed: ${(error as Error).message}` };
  }
  return { path: HEADLESS };
}

async function install(): Promise<void> {
  const run = async (...args: string[]) =>
    await promisify(execFile)('apt-get', [...APT, ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: INSTALL_TIMEOUT_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await run('install', '-y', path.basename(HEADLESS));
  } catch {
    // The package lists may be missing or outdated.
    await run('update');
    await run('install', '-y', path.basename(HEADLESS));
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
