import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, statfsSync } from 'node:fs';

/** A separate disk under one directory, which can be filled. */
export interface LimitedDisk {
  /** From now on nothing more fits. */
  fill(): void;
  /** Frees space again. */
  free(): void;
  unmount(): Promise<void>;
}

const SIZE = '4g';
const ATTEMPTS_MAX = 20;

/**
 * Mounts a file system in memory at `dir`. It is unmounted when this process exits, however it ends.
 * @throws Error where one cannot be mounted: outside Linux, or without root
 */
export async function mountLimitedDisk(dir: string): Promise<LimitedDisk> {
  mkdirSync(dir, { recursive: true });
  // Unmounts when its standard input closes. In its own process group, so that Ctrl-C does not end it first.
  const script = 'mount -t tmpfs -o size="$1" event-commerce-faults "$0" && echo mounted && cat; umount --lazy "$0"';
  const mounter = spawn('sh', ['-c', script, dir, SIZE], { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const said = await Promise.race([once(mounter.stdout, 'data'), once(mounter, 'close')]);
  if (!String(said[0]).startsWith('mounted')) {
    throw new Error(`a disk of limited size cannot be mounted here: ${String(mounter.stderr.read() ?? '').trim()}`);
  }
  const resize = (size: string) => spawnSync('mount', ['-o', `remount,size=${size}`, dir], { encoding: 'utf8' });

  return {
    fill() {
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
        const { blocks, bfree, bsize } = statfsSync(dir);
        // Fails if more was written in between.
        if (resize(String((blocks - bfree) * bsize)).status === 0) return;
      }
      throw new Error(`${dir} could not be made full`);
    },
    free() {
      const { status, stderr } = resize(SIZE);
      if (status !== 0) throw new Error(`${dir} could not be given space again: ${stderr}`);
    },
    async unmount() {
      const closed = once(mounter, 'close');
      mounter.stdin.end();
      await closed;
    },
  };
}
