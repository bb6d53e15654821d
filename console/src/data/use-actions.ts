import { useState } from 'preact/hooks';
import { ask, type Question } from '../ui/ask.tsx';
import { type Done, say } from '../ui/said.tsx';
import { sentenceOf } from '../ui/states.tsx';

/** Something that a click does. */
export interface Action {
  label: string;
  /** What to read and agree to first. */
  confirm?: Question;
  run: () => Promise<unknown>;
  /** What to say once it is done, and how to undo it. */
  done?: Done;
}

/** Runs one action at a time, and asks first if the action has a question. */
interface Actions {
  busy: boolean;
  /** What went wrong with the last one. */
  problem: string | undefined;
  /** True once it is done: not if it was refused or declined, or while another one is in progress. */
  run: (action: Omit<Action, 'label'>) => Promise<boolean>;
}

/** `onDone`: something was done or undone. */
export function useActions(onDone: () => void): Actions {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  return {
    busy,
    problem,
    async run({ confirm, run, done }) {
      if (busy) return false;
      if (confirm !== undefined && !(await ask(confirm))) return false;
      setBusy(true);
      setProblem(undefined);
      try {
        await run();
        onDone();
        if (done !== undefined) say({ ...done, undo: done.undo && undoing(done.undo, onDone) });
        return true;
      } catch (error) {
        setProblem(sentenceOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

function undoing(undo: () => Promise<unknown>, onDone: () => void) {
  return async () => {
    await undo();
    onDone();
  };
}
