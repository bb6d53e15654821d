import { useState } from 'preact/hooks';
import { sentenceOf } from '../shell/states.tsx';

/** Saving a form: whether it is under way, what the platform said against it, and how often it worked. */
export interface Saving {
  busy: boolean;
  problem: string | undefined;
  saves: number;
  run: (save: () => Promise<void>) => Promise<void>;
}

export function useSaving(savesBefore = 0): Saving {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [saves, setSaves] = useState(savesBefore);
  return {
    busy,
    problem,
    saves,
    async run(save) {
      setBusy(true);
      setProblem(undefined);
      try {
        await save();
        setSaves((n) => n + 1);
      } catch (error) {
        setProblem(sentenceOf(error));
      } finally {
        setBusy(false);
      }
    },
  };
}
