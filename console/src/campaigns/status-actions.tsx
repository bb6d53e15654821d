import type { components } from '@event-commerce/client';
import { ActionButton } from '../ui/action-button.tsx';
import { useActions } from '../data/use-actions.ts';
import { useSession } from '../shell/session.tsx';
import { actionsFor } from './actions.ts';

/** Pause, activate and archive, beside the name of what is changed. */
export function StatusActions({
  adjustment,
  onDone,
}: {
  adjustment: components['schemas']['Adjustment'];
  onDone: () => void;
}) {
  const { client } = useSession();
  const { problem, run } = useActions(onDone);
  const { status } = adjustment;
  return (
    <>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <span class={`badge ${status === 'active' ? 'good' : 'warn'}`}>{status}</span>
      {actionsFor(client, adjustment).map((action) => (
        <ActionButton key={action.label} action={action} onAction={() => void run(action)} />
      ))}
    </>
  );
}
