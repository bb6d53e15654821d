/** How many kinds are distinguished at a time; further ones count as one. */
const KINDS_MAX = 200;
const WINDOW_MS = 1_000;

interface Window {
  written: number;
  /** Lines that were not written, and how to report them. */
  left: number;
  summarise: (left: number) => void;
}

interface Line {
  /** Lines of one kind share a limit. */
  kind: string;
  linesMax: number;
  write: () => void;
  /** Reports that `left` more lines of the kind were not written. The last one of a second is called. */
  summarise: (left: number) => void;
}

/**
 * Lets `linesMax` lines of a kind through in a second, and at its end one with the number of suppressed ones: what
 * fails a thousand times a second must not push everything else out of the log.
 */
export function createLineLimit(): (line: Line) => void {
  const windows = new Map<string, Window>();

  const close = (kind: string) => {
    const window = windows.get(kind);
    windows.delete(kind);
    if (window !== undefined && window.left > 0) window.summarise(window.left);
  };

  return ({ kind: given, linesMax, write, summarise }) => {
    const kind = windows.has(given) || windows.size < KINDS_MAX ? given : '';
    let window = windows.get(kind);
    if (window === undefined) {
      windows.set(kind, (window = { written: 0, left: 0, summarise }));
      setTimeout(close, WINDOW_MS, kind).unref();
    }
    if (window.written < linesMax) {
      window.written++;
      write();
    } else {
      window.left++;
      window.summarise = summarise;
    }
  };
}
