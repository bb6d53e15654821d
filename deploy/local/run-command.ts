import { spawn } from 'node:child_process';

const TAIL_LINES = 15;

/** A command that failed; `output` holds the last lines that it printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly output: string;

  constructor(what: string, output: string) {
    super(output === '' ? what : `${what}:\n${output}`);
    this.output = output;
  }
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeoutMs?: number;
}

/**
 * Runs a command to its end, and returns what it printed to standard output.
 * @throws CommandFailed if it cannot be started, exits with a code other than 0, or takes longer than `timeoutMs`
 */
export async function runCommand(command: readonly string[], options: RunOptions = {}): Promise<string> {
  const [program = '', ...args] = command;
  const { timeoutMs, ...where } = options;
  const child = spawn(program, args, { ...where, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const tail: string[] = [];
  const keep = (chunk: string): void => {
    tail.push(...chunk.split('\n').filter((line) => line.trim() !== ''));
    tail.splice(0, tail.length - TAIL_LINES);
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    keep(chunk);
  });
  child.stderr.setEncoding('utf8').on('data', keep);
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      child.kill('SIGKILL');
    },
    timeoutMs ?? 2 ** 31 - 1,
  );
  const ended = await new Promise<number | NodeJS.Signals | Error | null>((resolve) => {
    child.once('error', resolve);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  clearTimeout(timer);
  if (ended === 0) return printed;
  if (late) throw new CommandFailed(`${program} did not respond within ${(timeoutMs ?? 0) / 1000} s`, tail.join('\n'));
  if (ended instanceof Error) throw new CommandFailed(`${program} could not be run (${ended.message})`, '');
  throw new CommandFailed(`${program} failed (${ended})`, tail.join('\n'));
}
