import { type Client, type components, dataOf } from '@event-commerce/client';
import { type Action, useActions } from '../data/use-actions.ts';
import { money, moment } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { Countdown } from '../ui/countdown.tsx';
import { dueText } from './amend-draft.ts';

type Order = components['schemas']['Order'];
type Pending = NonNullable<Order['pendingAmendment']>;

/** The amendment of an order that waits for the buyer to pay: for how long, and how it ends. */
export function PendingAmendment({ order, onChanged }: { order: Order; onChanged: () => void }) {
  const { client } = useSession();
  const { problem, run } = useActions(onChanged);
  const { pendingAmendment: pending } = order;
  if (pending === undefined) return null;
  const { due, total, expiresAt } = pending;
  const { currency } = order;
  return (
    <section class="card" aria-label="Pending amendment">
      <h2>An amendment waits for payment</h2>
      <p class="due">{dueText({ due, currency }, true)}</p>
      <p>
        What it adds is held for <Countdown until={expiresAt} /> more, until {moment(expiresAt)}. The order stays as it
        is until the amendment is confirmed; then it costs {money(total, currency)}.
      </p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="form-end">
        {pendingActions(client, order, pending).map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            isPrimary={action.label.startsWith('Confirm')}
            onAction={() => void run(action)}
          />
        ))}
      </div>
    </section>
  );
}

/** How a pending amendment ends, if it does not expire. */
export function pendingActions(
  client: Client,
  { id, orderNumber, currency }: Pick<Order, 'id' | 'orderNumber' | 'currency'>,
  { id: amendmentId, due }: Pick<Pending, 'id' | 'due'>,
): Action[] {
  const params = { path: { id, amendmentId } };
  return [
    {
      label: 'Confirm the amendment',
      confirm: {
        title: `Amend order ${orderNumber}?`,
        text: [due > 0 ? `${money(due, currency)} counts as paid.` : `${dueText({ due, currency }, true)}.`],
        yes: 'Confirm the amendment',
      },
      run: async () => await dataOf(client.POST('/v1/orders/{id}/amendments/{amendmentId}/confirm', { params })),
    },
    {
      label: 'Cancel the amendment',
      confirm: {
        title: `Leave order ${orderNumber} as it is?`,
        text: ['What the amendment holds is released.'],
        yes: 'Cancel the amendment',
        no: 'Keep the amendment',
        isDangerous: true,
      },
      run: async () => await dataOf(client.POST('/v1/orders/{id}/amendments/{amendmentId}/cancel', { params })),
    },
  ];
}
