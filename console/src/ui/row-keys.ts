import { useLocation } from 'preact-iso';
import { type RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** What the keys do in a list whose rows open. */
export const ROW_KEYS = '↑ ↓ or j k: move. Enter: open. Esc: back to this list.';

/** Where each row of a list leads. */
const ROW_LINKS = 'tbody > tr > th a';

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  Home: -Infinity,
  End: Infinity,
};

/** The path of the record that was open last: its row gets the focus back. */
let opened: string | undefined;

/** Moves the focus from row to row. Only while it is in the list: elsewhere these keys belong to others. */
export function moveInRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = stepOf(event);
  if (step === undefined || isTyping(event.target)) return;
  const links = linksIn(event.currentTarget);
  if (links.length === 0) return;
  const row = (event.target as Element).closest('tbody > tr');
  const at = links.findIndex((link) => row?.contains(link));
  event.preventDefault();
  links[nextRow(at, step, links.length)]?.focus();
}

/** The row that a step leads to: the ends stay where they are. */
export function nextRow(at: number, step: number, rows: number): number {
  return Math.min(rows - 1, Math.max(0, at + step));
}

/** In the field that searches a list, the down arrow moves into the list. */
export function enterRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const isSearch = event.target instanceof HTMLInputElement && event.target.type === 'search';
  if (event.key !== 'ArrowDown' || !isSearch) return;
  const [first] = linksIn(event.currentTarget);
  if (first === undefined) return;
  event.preventDefault();
  first.focus();
}

/** Gives the row of the record that was open the focus back, once the list is there. */
export function useReturnedTo(list: RefObject<HTMLElement | null>, rows: unknown): void {
  useEffect(() => {
    if (opened === undefined || list.current === null) return;
    linksIn(list.current)
      .find(({ pathname }) => pathname === opened)
      ?.focus();
    opened = undefined;
  }, [rows]);
}

/**
 * Escape goes back to the list where a record was found. `list`: its address; undefined while something would be lost.
 */
export function useReturnTo(list: string | undefined): void {
  const { path, route } = useLocation();
  useEffect(
    () => () => {
      opened = path;
    },
    [path],
  );
  useEffect(() => {
    if (list === undefined) return undefined;
    const goBack = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target)) return;
      // Escape closes what is open first.
      if (document.querySelector('dialog[open], :popover-open') === null) route(list);
    };
    window.addEventListener('keydown', goBack);
    return () => window.removeEventListener('keydown', goBack);
  }, [list, route]);
}

function stepOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): number | undefined {
  return altKey || ctrlKey || metaKey || shiftKey ? undefined : STEPS[key];
}

function linksIn(list: HTMLElement): HTMLAnchorElement[] {
  return [...list.querySelectorAll<HTMLAnchorElement>(ROW_LINKS)];
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, [popover]') !== null;
}
