import { ApiError } from '@event-commerce/client';
import { useCallback, useEffect, useState } from 'preact/hooks';

/** Something loaded from the platform. While it is loaded again, the last value stays. */
export interface Resource<T> {
  value: T | undefined;
  error: unknown;
  loading: boolean;
  reload: () => void;
  /** Shows what is known to be there now without loading it. */
  replace: (value: T) => void;
}

interface State<T> {
  value: T | undefined;
  error: unknown;
  loading: boolean;
}

/**
 * Loads when the component appears, whenever one of `inputs` changes, and, while the tab is visible, again `everyMs`
 * after it was loaded. An answer that is overtaken by a later request is dropped.
 */
export function useResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  { everyMs }: { everyMs?: number } = {},
): Resource<T> {
  const [state, setState] = useState<State<T>>({ value: undefined, error: undefined, loading: true });
  const [turn, setTurn] = useState(0);
  const replace = useCallback((value: T) => setState({ value, error: undefined, loading: false }), []);
  const reload = useCallback(() => setTurn((n) => n + 1), []);

  useEffect(() => {
    const abort = new AbortController();
    setState((last) => ({ ...last, loading: true }));
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ value, error: undefined, loading: false });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        // What is gone is not shown as it was.
        const isGone = error instanceof ApiError && error.status === 404;
        setState((last) => ({ value: isGone ? undefined : last.value, error, loading: false }));
      },
    );
    return () => abort.abort();
  }, [...inputs, turn]);

  const { loading } = state;
  useEffect(() => {
    // A slow answer is waited for.
    if (everyMs === undefined || loading) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, loading, reload]);

  return { ...state, reload, replace };
}
