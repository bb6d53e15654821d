import { type components, dataOf } from '@event-commerce/client';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useResource } from '../data/resource.ts';
import { useActions } from '../data/use-actions.ts';
import { useSession } from '../shell/session.tsx';
import { ChoiceField, TextAreaField } from '../ui/fields.tsx';
import { Loaded } from '../ui/states.tsx';
import { knownOrders, willHappen } from './known-orders.ts';

type Event = components['schemas']['Event'];

/** Says what calling an event off will do, and does it. */
export function CallOffDialog({
  event,
  onCalledOff,
  onClose,
}: {
  event: Event;
  onCalledOff: () => void;
  onClose: () => void;
}) {
  const { client } = useSession();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const [reason, setReason] = useState('');
  const [orders, setOrders] = useState<'cancel' | 'list'>('cancel');
  const { busy, problem, run } = useActions(onCalledOff);
  const known = useResource(async (signal) => await knownOrders(client, signal, event.id), [client, event.id]);
  const callOff = async () => {
    const params = { path: { id: event.id } };
    const body = { reason: reason.trim(), cancelOrders: orders === 'cancel' };
    const isDone = await run({
      run: async () => await dataOf(client.POST('/v1/events/{id}/call-off', { params, body })),
    });
    if (isDone) dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="call-off" aria-labelledby={`${id}-title`} onClose={onClose}>
      <form
        class="question"
        onSubmit={(submit) => {
          submit.preventDefault();
          void callOff();
        }}
      >
        <h2 id={`${id}-title`}>Call off {event.name ?? event.id}?</h2>
        <ChoiceField
          label="What becomes of its orders"
          value={orders}
          onChange={setOrders}
          options={[
            ['cancel', 'Cancel its orders'],
            ['list', 'Only list them'],
          ]}
        />
        <div class="stack small">
          <p>The sale stops at once: nobody can order, and pending orders can no longer be confirmed.</p>
          <Loaded from={known}>
            {(what) => willHappen(what, orders).map((sentence) => <p key={sentence}>{sentence}</p>)}
          </Loaded>
          <p class="soft">
            The platform refunds and notifies nobody: the report says whom to notify and what to refund.
          </p>
        </div>
        <TextAreaField
          label="Reason"
          hint="For the buyers: their orders and your webhooks have it."
          placeholder="A storm is coming. You get your money back."
          value={reason}
          onChange={setReason}
        />
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="form-end">
          <button type="submit" class="primary" disabled={busy || reason.trim() === ''}>
            {busy ? 'Calling off …' : 'Call off'}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Back
          </button>
        </div>
      </form>
    </dialog>
  );
}
