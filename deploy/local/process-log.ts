import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

export interface ProcessLog {
  readonly file: string;
  /** Keeps what `child` prints. */
  keep(child: ChildProcess): void;
  end(): void;
}

/**
 * The log of a process and its restarts; overwrites that of an earlier start. If it cannot be written, calls `notify`
 * once, and the process continues without a log.
 */
export function openProcessLog(file: string, notify: (sentence: string) => void): ProcessLog {
  const log = createWriteStream(file);
  log.on('error', ({ message }) => notify(`A log cannot be written; its process continues without it: ${message}`));
  // Not piped: a pipe stops reading when the log fails, and the process would hang.
  const write = (output: Buffer): void => {
    if (log.writable) log.write(output);
  };
  return {
    file,
    keep(child) {
      child.stdout?.on('data', write);
      child.stderr?.on('data', write);
    },
    end() {
      log.end();
    },
  };
}
