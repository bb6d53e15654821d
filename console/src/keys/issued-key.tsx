import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';

/** The text of a new key, which the platform tells this once. */
export function IssuedKey({
  issued: { key, name },
  onDone,
}: {
  issued: components['schemas']['IssuedApiKey'];
  onDone: () => void;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <section class="card issued" aria-label="The new key">
      <h2>The new key of “{name}”</h2>
      <p>Copy it now: nobody can show it again.</p>
      <code>{key}</code>
      <div class="form-end">
        {navigator.clipboard !== undefined && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              navigator.clipboard.writeText(key).then(
                () => setCopied(true),
                () => undefined,
              );
            }}
          >
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
        <button type="button" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
