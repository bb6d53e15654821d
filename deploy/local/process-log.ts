import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

export interface ProcessLog {
  readonly file: string;
  /** Keeps what `child` prints. */
  keep(child: ChildProcess): void;
  /** The message of the last fatal line, which says why a process ended; undefined if there is none. */
  lastFatal(): string | undefined;
  end(): void;
}

/** Holds the last line of a process that cannot start, with its stack. */
const TAIL_LENGTH = 8_192;

/**
 * The log of a process and its restarts; overwrites that of an earlier start. If it cannot be written, calls `notify`
 * once, and the process continues without a log.
 */
export function openProcessLog(file: string, notify: (sentence: string) => void): ProcessLog {
  const log = createWriteStream(file);
  log.on('error', ({ message }) => notify(`A log cannot be written; its process continues without it: ${message}`));
  let tail = '';
  // Not piped: a pipe stops reading when the log fails, and the process would hang.
  const write = (output: Buffer): void => {
    tail = (tail + output.toString()).slice(-TAIL_LENGTH);
    if (log.writable) log.write(output);
  };
  return {
    file,
    keep(child) {
      tail = '';
      child.stdout?.on('data', write);
      child.stderr?.on('data', write);
    },
    lastFatal: () =>
      tail
        .split('\n')
        .map(fatalIn)
        .findLast((message) => message !== undefined),
    end() {
      log.end();
    },
  };
}

/** The message of a line of the logger, if it is fatal: that of its error, or its own. */
function fatalIn(line: string): string | undefined {
  if (!line.startsWith('{"level":60,')) return undefined;
  try {
    const { err, msg } = JSON.parse(line) as { err?: { message?: string }; msg?: string };
    return err?.message ?? msg;
  } catch {
    // Cut off.
    return undefined;
  }
}
