import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { useActions } from '../data/use-actions.ts';
import { useUnsaved } from '../data/use-unsaved.ts';
import { money } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { ChoiceField, SelectField, TextField } from '../ui/fields.tsx';
import { OfferingPicker } from '../ui/offering-picker.tsx';
import { sentenceOf } from '../ui/states.tsx';
import {
  amendBodyOf,
  type AmendDraft,
  amendFailure,
  amendProblems,
  dueText,
  hasProblems,
  madeText,
  needsTax,
  newAmendDraft,
  type Priced,
  refusalOf,
} from './amend-draft.ts';
import { Amended } from './amended.tsx';
import { useOfferings } from './availability.tsx';

type Schemas = components['schemas'];
type Order = Schemas['Order'];
type Mode = Schemas['AmendmentInput']['mode'];

const MODES = [
  {
    mode: 'keep',
    title: 'Keep the prices',
    button: 'Apply kept prices',
    about: 'Tickets that stay cost what they cost; added ones cost what they cost today.',
  },
  {
    mode: 'reprice',
    title: 'Price it again',
    button: 'Apply new prices',
    about: 'Everything is priced as one purchase, by the campaigns of the day it was ordered.',
  },
] as const;

/** What was previewed, and for which version of the order. */
interface Previewed {
  version: number;
  body: Schemas['AmendmentPreviewInput'];
  modes: Schemas['AmendmentPreview'];
}

/** Changes the tickets and codes of an order, after showing both ways to price that. */
export function AmendForm({
  order,
  onChanged,
  onAmended,
  onLeave,
}: {
  order: Order;
  /** The order may have changed. */
  onChanged: () => void;
  /** It was amended, with this result. */
  onAmended: (result: string) => void;
  onLeave: () => void;
}) {
  const { client } = useSession();
  const [draft, setDraft] = useState(() => newAmendDraft(order));
  const [previewed, setPreviewed] = useState<Previewed>();
  const { busy, problem, run } = useActions(onChanged);
  const eventId = order.items.find((item) => item.eventId !== undefined)?.eventId ?? order.contextId;
  const offerings = useOfferings(eventId);
  const problems = amendProblems(draft, order);
  const body = hasProblems(problems) ? undefined : amendBodyOf(draft, order);
  useUnsaved(body !== undefined);
  const isPaid = order.status !== 'pending';
  const isCurrent = previewed?.version === order.version && JSON.stringify(previewed.body) === JSON.stringify(body);
  const path = { id: order.id };
  const type = (typed: Partial<AmendDraft>) => setDraft((last) => ({ ...last, ...typed }));

  const preview = async () => {
    if (body === undefined) return;
    const modes = await dataOf(client.POST('/v1/orders/{id}/amendments/preview', { params: { path }, body }));
    setPreviewed({ version: order.version, body, modes });
  };
  const apply = (
    mode: Mode,
    button: string,
    { costs, currency, due }: Priced,
    { version, body: asked }: Previewed,
  ) => ({
    confirm: {
      title: `Amend order ${order.orderNumber}?`,
      text: [
        `${dueText({ due, currency }, isPaid)}.`,
        `The order then costs ${money(costs.after.total, currency)}.`,
        ...(draft.waits === '' ? [] : ['It stays as it is until you confirm the amendment.']),
      ],
      yes: button,
    },
    run: async () => {
      const header = { 'If-Match': `"${version}"` };
      const reason = draft.reason.trim();
      const input = {
        ...asked,
        mode,
        expectedTotal: costs.after.total,
        ...(draft.waits === '' ? {} : { expiresInSeconds: Number(draft.waits) }),
        ...(reason === '' ? {} : { reason }),
      };
      try {
        const made = client.POST('/v1/orders/{id}/amendments', { params: { path, header }, body: input });
        onAmended(madeText(await dataOf(made), isPaid));
      } catch (error) {
        setPreviewed(undefined);
        onChanged();
        throw amendFailure(error);
      }
    },
  });

  return (
    <section class="card question" aria-label="Amend the order">
      <h2>Amend the order</h2>
      <form
        class="question"
        aria-label="What to change"
        onSubmit={(submit) => {
          submit.preventDefault();
          void run({ run: preview });
        }}
      >
        <div class="amend-fields">
          {order.items.map(({ lineId, name, offeringId, quantity }) => (
            <TextField
              key={lineId}
              label={name ?? offeringId ?? 'Item'}
              type="number"
              min={0}
              hint={`Has ${quantity}. How many stay.`}
              problem={problems.quantities[lineId]}
              value={draft.quantities[lineId] ?? String(quantity)}
              onChange={(kept) => type({ quantities: { ...draft.quantities, [lineId]: kept } })}
            />
          ))}
        </div>
        <div class="amend-fields">
          <OfferingPicker
            label="Add"
            hint="Tickets of the same event."
            none="No tickets"
            value={draft.offeringId}
            eventId={eventId}
            isOffered={({ status }) => status !== 'inactive'}
            onPick={(picked) => type({ offeringId: picked?.id ?? '' })}
          />
          {draft.offeringId !== '' && (
            <TextField
              label="How many to add"
              type="number"
              min={1}
              problem={problems.quantity}
              value={draft.quantity}
              onChange={(quantity) => type({ quantity })}
            />
          )}
          {needsTax(draft, order) && (
            <TextField
              label={`Tax in ${order.currency}`}
              inputMode="decimal"
              hint={`Of the whole order, with what is added. Now ${money(order.costs.tax, order.currency)}.`}
              problem={draft.tax === '' ? undefined : problems.tax}
              value={draft.tax}
              onChange={(tax) => type({ tax })}
            />
          )}
          <TextField
            label="Codes"
            hint="All that the order has afterwards, separated by commas."
            problem={problems.codes}
            value={draft.codes}
            onChange={(codes) => type({ codes })}
          />
          {isPaid && (
            <SelectField
              label="Apply it"
              hint="What it adds is held while the buyer pays."
              value={draft.waits}
              onChange={(waits) => type({ waits })}
              options={[
                ['', 'At once'],
                ['900', 'Once it is paid, within 15 minutes'],
                ['3600', 'Once it is paid, within an hour'],
                ['86400', 'Once it is paid, within a day'],
              ]}
            />
          )}
          <TextField
            label="Reason"
            hint="Your team reads it in the history."
            value={draft.reason}
            onChange={(reason) => type({ reason })}
          />
        </div>
        <fieldset class="amend-difference">
          <legend>If the remaining tickets lose a discount</legend>
          <ChoiceField
            label="If the remaining tickets lose a discount"
            value={draft.difference}
            onChange={(difference) => type({ difference })}
            options={[
              ['withhold', 'Pay back less'],
              ['charge', 'Charge their full price'],
            ]}
          />
        </fieldset>
        <p class="problem" role="alert">
          {problems.form ?? problem}
        </p>
        <div class="form-end">
          <button type="submit" class="primary" disabled={busy || body === undefined}>
            Preview
          </button>
          <button type="button" onClick={onLeave}>
            Leave it as it is
          </button>
          <span role="status" class="soft">
            {previewed !== undefined && !isCurrent && 'This changed since the preview. Preview again.'}
          </span>
        </div>
      </form>
      {previewed !== undefined && isCurrent && (
        <div class="split even">
          {MODES.map(({ mode, title, button, about }) => {
            const one = previewed.modes[mode];
            const refusal = refusalOf(one);
            return (
              <section key={mode} class="amend-mode" aria-label={title}>
                <h3>{title}</h3>
                <p class="soft">{about}</p>
                {refusal !== undefined && <p>Not possible: {sentenceOf(refusal)}</p>}
                {!('code' in one) && (
                  <>
                    <p class="due">{dueText(one, isPaid)}</p>
                    <Amended
                      amendment={one}
                      nameOf={(id) => offerings.value?.items.find((offering) => offering.id === id)?.name}
                    />
                    <button type="button" disabled={busy} onClick={() => void run(apply(mode, button, one, previewed))}>
                      {button}
                    </button>
                  </>
                )}
              </section>
            );
          })}
        </div>
      )}
    </section>
  );
}
