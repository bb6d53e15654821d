import type { Editing } from './use-editing.ts';

/** The end of a form: what was wrong, the button, and whether what it shows is saved. */
export function FormEnd({
  editing: { busy, problem, isSaved },
  isNew,
  canSave,
}: {
  editing: Pick<Editing<object>, 'busy' | 'problem' | 'isSaved'>;
  isNew: boolean;
  canSave: boolean;
}) {
  return (
    <>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="form-end">
        <button type="submit" class="primary" disabled={busy || !canSave}>
          {isNew ? 'Create' : 'Save'}
        </button>
        <span role="status" class="soft">
          {busy ? 'Saving …' : isSaved ? 'Saved.' : ''}
        </span>
      </div>
    </>
  );
}
