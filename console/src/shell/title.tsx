import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** The heading of a view, which is the page's title too, and beside it what can be done there. */
export function Title({
  text,
  badge,
  children,
}: {
  text: string;
  badge?: ComponentChildren;
  children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${text} · Event Commerce`;
  }, [text]);
  return (
    <div class="title">
      <h1>
        {text} {badge}
      </h1>
      <div class="title-actions">{children}</div>
    </div>
  );
}
