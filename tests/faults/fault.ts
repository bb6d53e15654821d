import type { TestBed } from './test-bed.ts';

/** What was seen, and whether it was as expected. */
export interface Verdict {
  seen: string;
  ok: boolean;
}

/** The outcome of a fault: a verdict, or why the fault could not be caused here. */
export type Finding = Verdict | { skipped: string };

/** How long a run may take: `short` in `npm test`, `usual` by default, `long` on request. */
export type Form = 'short' | 'usual' | 'long';

/** Something that goes wrong, and how the platform handles it. */
export interface Fault {
  /** Its number in the list of faults; related ones share a number. */
  id: string;
  name: string;
  expected: string;
  /** Causes the fault and observes. Need not clean up: the caller heals the bed afterwards. */
  run(bed: TestBed, form: Form): Promise<Finding>;
}

/** What was seen; as expected if nothing is `wrong`. */
export function finding(seen: string, wrong: readonly string[]): Verdict {
  return { seen: wrong.length === 0 ? seen : `${wrong.join(', ')} (${seen})`, ok: wrong.length === 0 };
}

/** A duration as a finding shows it. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
