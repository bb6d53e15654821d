import { useEffect, useState } from 'preact/hooks';

const PAUSE_MS = 200;

/** `value` as it was when it last stayed the same for a moment: what is typed is not sent letter by letter. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
