import { useLocation } from 'preact-iso';
import { type Dispatch, type StateUpdater, useEffect, useState } from 'preact/hooks';
import { changedMembers } from '../data/changed-members.ts';
import { sentenceOf } from '../ui/states.tsx';
import { useUnsaved } from '../data/use-unsaved.ts';

/** A form of something that is stored, or is yet to be created. */
export interface Editing<Draft> {
  /** What is stored, with what was typed over it. */
  draft: Draft;
  type: (members: Partial<Draft>) => void;
  submit: () => void;
  busy: boolean;
  /** Why the platform refused the last try. */
  problem: string | undefined;
  /** The same, for a form that shows it at its fields. */
  error: unknown;
  /** How often it was saved. */
  saves: number;
  /** Whether it was saved, and has not changed since. */
  isSaved: boolean;
}

/**
 * `saved`: what is stored, as the form holds it. `typed`: the state for what is typed over it. `save` resolves with the
 * address of what it created, if anything: the view moves there with `?created`, where it counts as saved.
 */
export function useEditing<Draft extends object>(
  saved: Draft,
  [typed, setTyped]: readonly [Partial<Draft>, Dispatch<StateUpdater<Partial<Draft>>>],
  save: (draft: Draft) => Promise<string | undefined>,
): Editing<Draft> {
  const { path, query, route } = useLocation();
  const created = 'created' in query;
  useEffect(() => {
    // A page that is loaded again has saved nothing.
    if (created) route(path, true);
  }, [created]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [saves, setSaves] = useState(created ? 1 : 0);
  const isChanged = Object.keys(changedMembers(typed, saved)).length > 0;
  useUnsaved(isChanged);

  const draft = { ...saved, ...typed };
  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const address = await save(draft);
      if (address !== undefined) route(`${address}?created`, true);
      // What was typed meanwhile stays.
      else setTyped((now) => changedMembers(now, typed));
      setSaves((n) => n + 1);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    type: (members) => setTyped((last) => ({ ...last, ...members })),
    submit: () => void submit(),
    busy,
    problem: error === undefined ? undefined : sentenceOf(error),
    error,
    saves,
    isSaved: saves > 0 && !isChanged,
  };
}
