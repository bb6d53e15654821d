import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Page } from '../data/list-of.ts';
import { Pager, type Pages } from './pager.tsx';
import type { Resource } from '../data/resource.ts';
import { moveInRows, ROW_KEYS, useReturnedTo } from './row-keys.ts';
import { Loaded, Notice } from './states.tsx';

interface Props<P extends Page<unknown>> {
  from: Resource<P>;
  pages: Pages;
  /** Headings; `{ figure }` is that of a column of figures. */
  columns: readonly (string | { figure: string })[];
  /** What the pages before and after this one are called; `Newer` and `Older` otherwise. */
  pageNames?: readonly [string, string] | undefined;
  /** What to say when there is nothing to list. */
  empty: (page: P) => ComponentChildren;
  /** The row of an item. */
  children: (item: P['items'][number], page: P) => ComponentChildren;
}

/** A page of a list as a table, and the way to its other pages. The keyboard moves between rows that open. */
export function PagedTable<P extends Page<unknown>>({ from, pages, columns, pageNames, empty, children }: Props<P>) {
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  useReturnedTo(table, from.value);
  return (
    <Loaded from={from}>
      {(page) => (
        <>
          {page.items.length > 0 ? (
            <table class="list" ref={table} aria-describedby={id} onKeyDown={moveInRows}>
              <thead>
                <tr>
                  {columns.map((column) =>
                    typeof column === 'string' ? (
                      <th key={column} scope="col">
                        {column}
                      </th>
                    ) : (
                      <th key={column.figure} scope="col" class="figure">
                        {column.figure}
                      </th>
                    ),
                  )}
                </tr>
              </thead>
              <tbody>{page.items.map((item) => children(item, page))}</tbody>
            </table>
          ) : pages.cursor === undefined ? (
            empty(page)
          ) : (
            <Notice title="Nothing is left on this page" />
          )}
          <p id={id} class="row-keys soft">
            {ROW_KEYS}
          </p>
          <Pager pages={pages} next={page.next} names={pageNames} />
        </>
      )}
    </Loaded>
  );
}
