import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Fields that few need, behind their heading. Open from the start if one holds something, and if one is wrong. */
export function FieldGroup({
  title,
  filled,
  hasProblem,
  children,
}: {
  title: string;
  /** How many of its fields hold something. */
  filled: number;
  hasProblem: boolean;
  children: ComponentChildren;
}) {
  // Emptying the last field, or correcting it, does not close what one is typing in.
  const [isOpen, setOpen] = useState(filled > 0);
  if (hasProblem && !isOpen) setOpen(true);
  return (
    <details class="field-group" open={isOpen}>
      <summary>
        {title}
        {filled > 0 && <span class="badge">{filled} set</span>}
      </summary>
      <div class="question">{children}</div>
    </details>
  );
}
