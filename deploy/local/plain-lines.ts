import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Lines that are left out: those of a restart besides `Restarting`, and stack traces, which the log has. */
const UNTOLD = /^(Change detected|Waiting for graceful|Gracefully restarted|Node\.js v|For help, see| *at |$)/;

/**
 * Calls `tell` with each line that `child` prints besides its log, which is JSON: what Node's watch mode does, and why
 * the process does not start.
 */
export function followPlainLines({ stdout, stderr }: ChildProcess, tell: (line: string) => void): void {
  for (const input of [stdout, stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      if (!line.startsWith('{') && !UNTOLD.test(line)) tell(line);
    });
  }
}
