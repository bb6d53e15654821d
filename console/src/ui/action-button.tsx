import type { Action } from '../data/use-actions.ts';

/** Starts an action. `of`: what it is done to, for those who hear the button and do not see its row. */
export function ActionButton({
  action,
  of,
  isPrimary = false,
  onAction,
}: {
  action: Action;
  of?: string;
  isPrimary?: boolean;
  onAction: (action: Action) => void;
}) {
  return (
    <button
      type="button"
      class={isPrimary ? 'primary' : undefined}
      aria-label={of === undefined ? undefined : `${action.label} ${of}`}
      onClick={({ detail: clicks }) => {
        // By the second click of a double click, the row may be gone and the next one in its place.
        if (clicks < 2) onAction(action);
      }}
    >
      {action.label}
    </button>
  );
}
