import type { ComponentChildren } from 'preact';
import type { Saving } from './use-saving.ts';

/** The end of a form: what was wrong, the button, and whether what it shows is saved. */
export function FormEnd({
  saving,
  isNew,
  isSaved,
  canSave,
  children,
}: {
  saving: Saving;
  isNew: boolean;
  isSaved: boolean;
  canSave: boolean;
  children?: ComponentChildren;
}) {
  return (
    <>
      <p class="problem" role="alert">
        {saving.problem}
      </p>
      <div class="form-end">
        <button type="submit" class="primary" disabled={saving.busy || !canSave}>
          {isNew ? 'Create' : 'Save'}
        </button>
        {children}
        <span role="status" class="soft">
          {saving.busy ? 'Saving …' : isSaved ? 'Saved.' : ''}
        </span>
      </div>
    </>
  );
}
