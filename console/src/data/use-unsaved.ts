import { useEffect } from 'preact/hooks';
import { ask } from '../ui/ask.tsx';

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

// These listeners run before the router's, because they are added first.
window.addEventListener(
  'click',
  (event) => {
    const inAnotherTab = event.ctrlKey || event.metaKey || event.shiftKey;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (inAnotherTab || link === null || !leaves(link.pathname)) return;
    event.preventDefault();
    event.stopPropagation();
    void leave(() => link.click());
  },
  { capture: true },
);
window.addEventListener('popstate', (event) => {
  if (!leaves(location.pathname)) return;
  // The address has changed already.
  history.pushState(null, '', form);
  event.stopImmediatePropagation();
  void leave(() => history.back());
});
window.addEventListener('beforeunload', (event) => {
  if (form !== undefined) event.preventDefault();
});

function leaves(path: string): boolean {
  return form !== undefined && form.pathname !== path;
}

/** Goes there, if the person agrees to lose the changes. */
async function leave(go: () => void): Promise<void> {
  const agreed = await ask({
    title: 'Leave without saving?',
    text: ['Your changes to this form are lost.'],
    yes: 'Leave',
    no: 'Keep editing',
    isDangerous: true,
  });
  if (!agreed) return;
  form = undefined;
  go();
}
