import { readChange } from './entry-text.ts';
import type { Entry } from './follow-activity.ts';

/** What changed, from what to what. */
export function Changes({ of: { changes = [], data } }: { of: Entry }) {
  if (changes.length === 0) return null;
  return (
    <dl class="changes">
      {changes.map((change) => {
        const { name, values } = readChange(change, data);
        return (
          <div key={change.path}>
            <dt>{name}</dt>
            <dd>
              {values === undefined ? (
                <span class="soft">
                  changed, {change.redacted ? 'personal data is not kept here' : 'too long to show'}
                </span>
              ) : (
                <>
                  <del>{values[0]}</del> <span aria-hidden="true">→</span> <ins>{values[1]}</ins>
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
