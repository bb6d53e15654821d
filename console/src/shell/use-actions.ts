import { useState } from 'preact/hooks';
import { sentenceOf } from './states.tsx';

/** Something that a click does. */
export interface Action {
  label: string;
  /** A question to answer first. */
  confirm?: string;
  run: () => Promise<unknown>;
}

/** Runs actions, each after its question, and says what went wrong with the last one. */
export function useActions(onDone: () => void): {
  problem: string | undefined;
  run: (action: Omit<Action, 'label'>) => Promise<void>;
} {
  const [problem, setProblem] = useState<string>();
  return {
    problem,
    async run(action) {
      if (action.confirm !== undefined && !window.confirm(action.confirm)) return;
      setProblem(undefined);
      try {
        await action.run();
        onDone();
      } catch (error) {
        setProblem(sentenceOf(error));
      }
    },
  };
}
