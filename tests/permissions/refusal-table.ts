import { PROCESS_NAMES, type ProcessName } from '../../deploy/local/process-names.ts';

/** The outcome of each attempt, by process. */
export type Refusals = Map<string, Partial<Record<ProcessName, string>>>;

/** Records that `as` was refused `count` times to `what`. */
export function noteRefusals(refusals: Refusals, what: string, as: ProcessName, count: number): void {
  refusals.set(what, { ...refusals.get(what), [as]: count === 0 ? '-' : `refused ${count}` });
}

/** The table to print at the end; attempts that were not recorded were allowed. */
export function tableOf(title: string, refusals: Refusals): string {
  const width = Math.max(...[...refusals.keys()].map((what) => what.length), 0) + 2;
  const line = (first: string, cells: readonly string[]) =>
    `  ${first.padEnd(width)}${cells.map((cell) => cell.padEnd(13)).join('')}\n`;
  const body = [...refusals].map(([what, row]) =>
    line(
      what,
      PROCESS_NAMES.map((name) => row[name] ?? 'ALLOWED'),
    ),
  );
  return `\n${title}\n${line('', PROCESS_NAMES)}${body.join('')}`;
}
