import { useId, useRef } from 'preact/hooks';
import type { Action } from '../data/use-actions.ts';
import { ActionButton } from './action-button.tsx';

/** How far the menu is from its button. */
const GAP_PX = 4;

/** What can be done with a row, behind one button. `of`: what it is done to. */
export function ActionMenu({
  actions,
  of,
  onAction,
}: {
  actions: readonly Action[];
  of: string;
  onAction: (action: Action) => void;
}) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  if (actions.length === 0) return null;
  const hide = () => menu.current?.hidePopover();
  return (
    <>
      <button ref={button} type="button" class="menu-button" aria-label={`Actions for ${of}`} popovertarget={id}>
        <span aria-hidden="true">⋯</span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        onToggle={({ currentTarget, newState }) => {
          if (newState !== 'open' || button.current === null) return;
          place(currentTarget, button.current);
          // The menu belongs to its row, but does not follow it.
          window.addEventListener('scroll', hide, { once: true, passive: true });
        }}
      >
        {actions.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            of={of}
            onAction={(chosen) => {
              // The focus goes back to the button, where a dialog finds it.
              hide();
              onAction(chosen);
            }}
          />
        ))}
      </div>
    </>
  );
}

/** Below the button, above it where there is no room. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetHeight: height, offsetWidth: width } = menu;
  const below = at.bottom + GAP_PX;
  const top = below + height > window.innerHeight ? Math.max(0, at.top - GAP_PX - height) : below;
  menu.style.top = `${top}px`;
  menu.style.left = `${Math.max(GAP_PX, at.right - width)}px`;
}
