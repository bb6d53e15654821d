import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Beside whoever started the containers: removes them when that process is gone, however it ended, and their volumes too if it
 * has deleted its data. `node end-containers.ts COMMAND DATA_DIR CONTAINERS VOLUMES`, the last two with commas.
 */

const [command = '', dataDir = '', containers = '', volumes = ''] = process.argv.slice(2);

// Ctrl-C in a terminal is for the starter, which then stops its containers in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume();
process.stdin.on('error', () => undefined);
process.stdin.on('close', () => {
  run('rm', '--force', '--volumes', ...containers.split(','));
  if (!existsSync(dataDir)) run('volume', 'rm', ...volumes.split(','));
  process.exit();
});

function run(...args: string[]): void {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
  } catch {
    // What is gone already; the next start removes what else is left.
  }
}
