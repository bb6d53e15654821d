import { type components, dataOf } from '@event-commerce/client';
import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { History } from '../activity/history.tsx';
import { FormEnd } from '../campaigns/form-end.tsx';
import { useEditing } from '../campaigns/use-editing.ts';
import { changedMembers } from '../data/changed-members.ts';
import { useResource } from '../data/resource.ts';
import { OWN_ZONE } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { Title } from '../shell/title.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { Loaded } from '../ui/states.tsx';
import { ZonePicker } from '../ui/zone-picker.tsx';
import { budgetBodyOf, type BudgetDraft, budgetDraftOf, budgetProblems, NEW_BUDGET } from './budget-draft.ts';
import { BudgetUse, limitText } from './budget-text.tsx';

type Budget = components['schemas']['Budget'];

const NEW = 'new';
const PER: readonly (readonly [Budget['per'], string])[] = [
  ['total', 'All orders together'],
  ['customer', 'The orders of each customer'],
  ['day', 'The orders of each day'],
];
const ON_EXHAUSTED: readonly (readonly [Budget['onExhausted'], string])[] = [
  ['partial', 'Takes off what is left'],
  ['drop', 'Does not apply'],
];

/** One budget to create or change, and what is drawn on it. */
export function BudgetView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? NEW;
  const loaded = useResource(
    async (signal) => {
      if (id === NEW) return { budget: undefined };
      const params = { path: { budgetId: id } };
      return { budget: await dataOf(client.GET('/v1/pricing/budgets/{budgetId}', { params, signal })) };
    },
    [client, id],
  );
  return (
    <>
      <Title text={id === NEW ? 'New budget' : (loaded.value?.budget?.name ?? 'Budget')}>
        <a class="button" href="/console/budgets">
          All budgets
        </a>
      </Title>
      <Loaded from={loaded}>
        {({ budget }) =>
          budget?.id === (id === NEW ? undefined : id) ? (
            <div class="stack">
              <div class="split">
                <Editor key={id} budget={budget} onSaved={(saved) => loaded.replace({ budget: saved })} />
                {budget !== undefined && (
                  <section class="card">
                    <h2>{limitText(budget)}</h2>
                    <BudgetUse budget={budget} />
                  </section>
                )}
              </div>
              {budget !== undefined && <History of={budget.id} />}
            </div>
          ) : (
            <p role="status">Loading …</p>
          )
        }
      </Loaded>
    </>
  );
}

function Editor({ budget, onSaved }: { budget: Budget | undefined; onSaved: (saved: Budget) => void }) {
  const { client } = useSession();
  const state = useState<Partial<BudgetDraft>>({});
  const saved = budget === undefined ? { ...NEW_BUDGET, zone: OWN_ZONE } : budgetDraftOf(budget);
  const editing = useEditing(saved, state, async (wanted) => {
    if (budget === undefined) {
      const { id } = await dataOf(client.POST('/v1/pricing/budgets', { body: budgetBodyOf(wanted) }));
      return `/console/budgets/${id}`;
    }
    const params = { path: { budgetId: budget.id } };
    const body = changedMembers(budgetBodyOf(wanted), budgetBodyOf(saved));
    onSaved(await dataOf(client.PATCH('/v1/pricing/budgets/{budgetId}', { params, body })));
    return undefined;
  });
  const { draft, type } = editing;
  const problems = budgetProblems(draft);
  const isNew = budget === undefined;
  return (
    <form
      class="card question"
      inert={editing.busy && isNew}
      aria-label="Budget"
      onSubmit={(event) => {
        event.preventDefault();
        editing.submit();
      }}
    >
      <TextField label="Name" value={draft.name} problem={problems.name} onChange={(name) => type({ name })} />
      <div class={isNew ? 'pair' : undefined}>
        <TextField
          label="Limit"
          hint="How much may be taken off."
          inputMode="decimal"
          value={draft.amount}
          problem={problems.amount}
          onChange={(amount) => type({ amount })}
        />
        {isNew && (
          <TextField
            label="Currency"
            value={draft.currency}
            problem={problems.currency}
            onChange={(currency) => type({ currency: currency.toUpperCase() })}
          />
        )}
      </div>
      {isNew && (
        <SelectField
          label="For"
          hint="This and the currency stay as they are."
          value={draft.per}
          onChange={(per) => type({ per: per as Budget['per'] })}
          options={PER}
        />
      )}
      {draft.per === 'day' && (
        <ZonePicker
          label="Time zone"
          hint="Where a day begins and ends."
          value={draft.zone}
          onPick={(zone) => type({ zone })}
        />
      )}
      <SelectField
        label="A discount that is more than what is left"
        hint="What is left: to the cent for a discount of the order, for whole tickets otherwise."
        value={draft.onExhausted}
        onChange={(onExhausted) => type({ onExhausted: onExhausted as Budget['onExhausted'] })}
        options={ON_EXHAUSTED}
      />
      <FormEnd editing={editing} isNew={isNew} canSave={Object.keys(problems).length === 0} />
    </form>
  );
}
