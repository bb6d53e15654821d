import { ApiError } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import type { Resource } from '../data/resource.ts';

/** What a view says when it has nothing to show: a title, and what to do about it. */
export function Notice({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="notice">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/**
 * The one way to show what is loaded: a placeholder while it loads, why it failed, what to do if the key may not, and
 * otherwise the children.
 */
export function Loaded<T>({
  from,
  children,
}: {
  from: Pick<Resource<T>, 'value' | 'error' | 'reload'>;
  children: (value: T) => ComponentChildren;
}) {
  if (from.value !== undefined) {
    return (
      <>
        {from.error !== undefined && (
          <p class="problem" role="alert">
            Not up to date: {sentenceOf(from.error)}
          </p>
        )}
        {children(from.value)}
      </>
    );
  }
  if (from.error === undefined) return <Placeholder />;
  if (isForbidden(from.error)) {
    return (
      <Notice title="This key may not see this">
        {sentenceOf(from.error)} A colleague with a key that has the scope <code>keys:admin</code> can issue another
        one.
      </Notice>
    );
  }
  if (from.error instanceof ApiError && from.error.status === 404) {
    return <Notice title="Not found">{sentenceOf(from.error)}</Notice>;
  }
  return (
    <Notice title="This could not be loaded">
      {sentenceOf(from.error)}{' '}
      <button type="button" onClick={from.reload}>
        Try again
      </button>
    </Notice>
  );
}

function Placeholder() {
  return (
    <div class="placeholder" role="status">
      <span class="visually-hidden">Loading …</span>
      <i />
      <i />
      <i />
    </div>
  );
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

/** What went wrong, as a sentence: the platform's own where it answered. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) {
    // A form proposes one adjustment, which is what it shows.
    const details = error.details.map(({ path, message }) => `${path.replace(/^proposed\[0\]\./, '')}: ${message}`);
    return details.length === 0 || error.code !== 'VALIDATION_FAILED' ? error.message : `${details.join('; ')}.`;
  }
  if (error instanceof TypeError) return 'The platform does not respond. Is it running?';
  return error instanceof Error ? error.message : String(error);
}
