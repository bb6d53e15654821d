import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailed, runCommand } from './run-command.ts';

const LISTEN_STATE = '0A';
const COMMAND_CHARS_MAX = 80;

/**
 * The process that listens on `port`, as `process 4711 (node server.js, in /srv/shop)`; undefined if it belongs to
 * another user.
 */
export async function portHolder(port: number): Promise<string | undefined> {
  const pid = process.platform === 'linux' ? await holderOnLinux(port) : await holderByLsof(port);
  if (pid === undefined) return undefined;
  const starter = await starterOf(pid);
  const described = await describe(starter);
  return `process ${starter}${described === '' ? '' : ` (${described})`}`;
}

async function holderOnLinux(port: number): Promise<number | undefined> {
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const rows = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1);
    for (const row of rows) {
      const [, local, , state, , , , , , inode] = row.trim().split(/\s+/);
      if (state === LISTEN_STATE && Number.parseInt(local?.split(':')[1] ?? '', 16) === port)
        sockets.add(`socket:[${inode}]`);
    }
  }
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    // The open files of another user's process are not readable.
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    for (const file of files) {
      if (sockets.has(await readlink(`/proc/${pid}/fd/${file}`).catch(() => ''))) return Number(pid);
    }
  }
  return undefined;
}

async function holderByLsof(port: number): Promise<number | undefined> {
  try {
    const [pid] = (await runCommand(['lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'])).split('\n');
    return pid ? Number(pid) : undefined;
  } catch (error) {
    if (error instanceof CommandFailed) return undefined;
    throw error;
  }
}

/** The process to stop: `pid`, or the `npm start` that started it and would start it again. */
async function starterOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field, a name in parentheses, may contain anything.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  if (!parent) return pid;
  const command = await readFile(`/proc/${parent}/cmdline`, 'utf8').catch(() => '');
  return command.includes('deploy/local/') ? await starterOf(parent) : pid;
}

/** The command of a process without directories, and its working directory, to tell one's own processes apart. */
async function describe(pid: number): Promise<string> {
  if (process.platform !== 'linux') {
    const command = await runCommand(['ps', '-o', 'command=', '-p', String(pid)]).catch(() => '');
    return command.trim().slice(0, COMMAND_CHARS_MAX);
  }
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').filter(Boolean);
  const command = words.map((word) => path.basename(word)).join(' ');
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return directory === '' ? command : `${command.slice(0, COMMAND_CHARS_MAX)}, in ${directory}`;
}
