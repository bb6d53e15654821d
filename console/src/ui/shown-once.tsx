import { useState } from 'preact/hooks';

/** A secret that the platform shows once. */
export function ShownOnce({
  label,
  title,
  secret,
  onDone,
}: {
  label: string;
  title: string;
  secret: string;
  onDone: () => void;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <section class="card issued" aria-label={label}>
      <h2>{title}</h2>
      <p>Copy it now: nobody can show it again.</p>
      <code>{secret}</code>
      <div class="form-end">
        {navigator.clipboard !== undefined && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              navigator.clipboard.writeText(secret).then(
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
