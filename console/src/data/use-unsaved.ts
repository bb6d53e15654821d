import { useEffect } from 'preact/hooks';

/** The address of a form with changes, if there is one. */
let form: URL | undefined;

/** Asks before a form with changes is left: by a link, by going back, or with the page. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    form = new URL(location.href);
    return () => {
      form = undefined;
    };
  }, [isChanged]);
}

// These listen before the router does, because they are there first.
window.addEventListener(
  'click',
  (event) => {
    const inAnotherTab = event.ctrlKey || event.metaKey || event.shiftKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (inAnotherTab || link === null || !stays(link.pathname)) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);
window.addEventListener('popstate', (event) => {
  if (!stays(location.pathname)) return;
  // The address has changed already.
  history.pushState(null, '', form);
  event.stopImmediatePropagation();
});
window.addEventListener('beforeunload', (event) => {
  if (form !== undefined) event.preventDefault();
});

function stays(path: string): boolean {
  return form !== undefined && form.pathname !== path && !window.confirm('Leave without saving your changes?');
}
