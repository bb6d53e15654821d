import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../shell/states.tsx';

/** Saving a form: whether it is under way, what the platform said against it, and how often it worked. */
export interface Saving {
  busy: boolean;
  problem: string | undefined;
  saves: number;
  run: (save: () => Promise<void>) => Promise<void>;
}

/** Creating leads to the address of what was created, `?created`, where it counts as saved. */
export function useSaving(): Saving {
  const { path, query, route } = useLocation();
  const created = 'created' in query;
  useEffect(() => {
    // The page that is loaded again has saved nothing.
    if (created) route(path, true);
  }, [created]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [saves, setSaves] = useState(created ? 1 : 0);
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
