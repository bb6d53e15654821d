import { useState } from 'preact/hooks';

/** Where a list is open: the cursors of the pages before and of this one. */
export interface Pages {
  /** Undefined on the first page. */
  cursor: string | undefined;
  forward: (next: string) => void;
  back: () => void;
}

/** `of` says what is listed: another list begins at its first page. */
export function usePages(of: string): Pages {
  const [open, setOpen] = useState({ of, cursors: [] as readonly string[] });
  const cursors = open.of === of ? open.cursors : [];
  return {
    cursor: cursors.at(-1),
    forward: (next) => setOpen({ of, cursors: [...cursors, next] }),
    back: () => setOpen({ of, cursors: cursors.slice(0, -1) }),
  };
}

export function Pager({
  pages,
  next,
  names: [before, after] = ['Newer', 'Older'],
}: {
  pages: Pages;
  next: string | undefined;
  /** What the pages before and after this one are called. */
  names?: readonly [string, string] | undefined;
}) {
  if (pages.cursor === undefined && next === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={pages.cursor === undefined} onClick={pages.back}>
        {before}
      </button>
      <button type="button" disabled={next === undefined} onClick={() => next !== undefined && pages.forward(next)}>
        {after}
      </button>
    </nav>
  );
}
