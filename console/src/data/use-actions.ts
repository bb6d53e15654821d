import { useState } from 'preact/hooks';
import { sentenceOf } from '../ui/states.tsx';

/** Something that a click does. */
export interface Action {
  label: string;
  /** A question to answer first. */
  confirm?: string;
  run: () => Promise<unknown>;
}

/** Runs one action at a time, and asks first if the action has a question. */
interface Actions {
  busy: boolean;
  /** What went wrong with the last one. */
  problem: string | undefined;
  /** True once it is done: not if it was refused or declined, or while another one is under way. */
  run: (action: Omit<Action, 'label'>) => Promise<boolean>;
}

export function useActions(onDone: () => void): Actions {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  return {
    busy,
    problem,
    async run(action) {
      if (busy) return false;
      if (action.confirm !== undefined && !window.confirm(action.confirm)) return false;
      setBusy(true);
      setProblem(undefined);
      try {
        await action.run();
        onDone();
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
