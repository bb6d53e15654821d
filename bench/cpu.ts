import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The CPU time so far of this process's descendants, in ms by the name of what they run. Empty where there is no /proc.
 */
export type CpuTimes = ReadonlyMap<string, number>;

/** The system counts in hundredths of a second. */
const TICK_MS = 10;

interface Process {
  parent: number;
  name: string;
  cpuMs: number;
}

export function cpuTimes(): CpuTimes {
  const processes = new Map<number, Process>();
  for (const entry of entriesOf('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const found = readProcess(entry);
    if (found !== undefined) processes.set(Number(entry), found);
  }
  const isOurs = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent;
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  const times = new Map<string, number>();
  for (const [pid, { name, cpuMs }] of processes) {
    if (isOurs(pid)) times.set(name, (times.get(name) ?? 0) + cpuMs);
  }
  return times;
}

/** What was used between two moments, in ms by name. */
export function cpuUsed(before: CpuTimes, after: CpuTimes): CpuTimes {
  return new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined if the process has ended. */
function readProcess(pid: string): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own time and that of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), name: nameOf(command), cpuMs: ticks * TICK_MS };
  } catch {
    return undefined;
  }
}

function nameOf([program = '', ...args]: readonly string[]): string {
  const script = args.find((arg) => /\/.+\.[jt]s$/.test(arg));
  if (script === undefined) return (program.split(/[ :]/)[0] ?? '').split('/').at(-1) ?? '';
  const { dir, name } = path.parse(script);
  const folder = path.basename(dir);
  return folder === 'dist' ? name : `${folder}/${name}`;
}
