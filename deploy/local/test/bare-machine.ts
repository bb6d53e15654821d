import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../../..');

interface Ended {
  readonly code: number | null;
  /** The output, without the progress lines. */
  readonly said: string;
}

export async function ends(command: string[], env: NodeJS.ProcessEnv, cwd = repository): Promise<Ended> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const said = output.replaceAll(/^.*\.\.\.( \d+ s)?\n/gm, '').trim();
  return { code, said };
}

/** A folder of commands that simulate what a machine has or lacks. */
function commands(scratch: string, scripts: Record<string, string>): string {
  const folder = mkdtempSync(path.join(scratch, 'bin-'));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

/** A checkout with nothing installed, in which the bootstrap runs `hello.mjs`. */
export function checkout(scratch: string, { installed }: { installed: boolean }): string {
  const root = mkdtempSync(path.join(scratch, 'checkout-'));
  for (const file of [
    'deploy/docker/make-secrets.mjs',
    'deploy/helm/make-production-files.mjs',
    'deploy/local/bootstrap.mjs',
    'libs/service-kit/src/process/exit-with-parent.mjs',
    'package.json',
    'pnpm-lock.yaml',
  ]) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    copyFileSync(path.join(repository, file), path.join(root, file));
  }
  writeFileSync(path.join(root, 'hello.mjs'), "console.log('hello from Node', process.versions.node.split('.')[0])");
  if (installed) {
    mkdirSync(path.join(root, 'node_modules/.bin'), { recursive: true });
    mkdirSync(path.join(root, 'node_modules/.pnpm'));
    symlinkSync(process.execPath, path.join(root, 'node_modules/.bin/node'));
    copyFileSync(path.join(root, 'pnpm-lock.yaml'), path.join(root, 'node_modules/.pnpm/lock.yaml'));
  }
  return root;
}

/** Only what the bootstrap needs of this machine's Node and npm, so that its engines and packages are out of sight. */
export const bare = (scratch: string, scripts: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  HOME: scratch,
  PATH: commands(scratch, { npx: 'echo "npx was called"; exit 1', ldconfig: 'echo libatomic.so.1', ...scripts }),
});
export const bootstrap = ['deploy/local/bootstrap.mjs', 'hello.mjs'];
export const hello = `hello from Node ${process.versions.node.split('.')[0] ?? ''}`;
