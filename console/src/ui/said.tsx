import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from './states.tsx';

/** What was done, and how to undo it. */
export interface Done {
  text: string;
  undo?: (() => Promise<unknown>) | undefined;
}

/** Long enough to notice a mistake, and to reach the button with the keyboard. */
const SHOWN_MS = 20_000;

/** Says something on the page. */
let show: ((done: Done) => void) | undefined;

/** Says what was done, whichever view is open, and offers to undo it. */
export function say(done: Done): void {
  show?.(done);
}

/** The place of what is said: once on a page. It stays while somebody points at it or has the focus in it. */
export function Said() {
  const [done, setDone] = useState<Done>();
  const [busy, setBusy] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    show = (said) => {
      setHeld(false);
      setDone(said);
    };
    return () => {
      show = undefined;
    };
  }, []);
  useEffect(() => {
    if (done === undefined || isHeld || busy) return undefined;
    const timer = setTimeout(() => setDone(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [done, isHeld, busy]);
  const hold = () => setHeld(true);
  const release = () => setHeld(box.current?.matches(':hover, :focus-within') ?? false);
  const undo = async (takeBack: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await takeBack();
      setDone({ text: 'Undone.' });
    } catch (error) {
      setDone({ text: `This cannot be undone any more. ${sentenceOf(error)}` });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="said-place" role="status">
      {done !== undefined && (
        <div
          ref={box}
          class="said"
          onMouseEnter={hold}
          onMouseLeave={release}
          onFocusIn={hold}
          onFocusOut={() => setTimeout(release)}
        >
          <span>{done.text}</span>
          {done.undo !== undefined && (
            <button type="button" disabled={busy} onClick={() => done.undo !== undefined && void undo(done.undo)}>
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Close this message" onClick={() => setDone(undefined)}>
            ✕
          </button>
        </div>
      )}
    </div>
  );
}
