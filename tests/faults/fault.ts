import type { TestBed } from './test-bed.ts';

/** What became of a fault: what was seen and whether it was as expected, or why it could not be made here. */
export type Finding = { seen: string; ok: boolean } | { skipped: string };

/** How long a run may take: `short` in `npm test`, `usual` by default, `long` when asked for. */
export type Form = 'short' | 'usual' | 'long';

/** Something that goes wrong, and what the platform does then. */
export interface Fault {
  /** As in the list of faults; several that belong together share a number. */
  id: string;
  name: string;
  expected: string;
  /** Makes the fault and looks. Need not clean up: whoever runs it heals the bed afterwards. */
  run(bed: TestBed, form: Form): Promise<Finding>;
}

/** What was seen, and that it is as expected when nothing is `wrong`. */
export function finding(seen: string, wrong: readonly string[]): Finding {
  return { seen: wrong.length === 0 ? seen : `${wrong.join(', ')} (${seen})`, ok: wrong.length === 0 };
}
