import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { effectText } from '../shell/effect-text.ts';
import { SelectField, TextField } from '../shell/fields.tsx';
import { type Draft, type Kind, KINDS, OTHER_TARGETS, type Problems } from './draft.ts';

type Schemas = components['schemas'];

const KIND_TEXT: Record<Kind, string> = {
  percentage_off: 'Percentage off',
  amount_off: 'Amount off',
  fixed_price: 'Fixed price',
  percentage_surcharge: 'Percentage on top',
  amount_surcharge: 'Amount on top',
  buy_x_get_y: 'Buy some, get some free',
};
const STACKING: readonly (readonly [Draft['stacking'], string])[] = [
  ['stackable', 'Adds up with others'],
  ['replace-within-category', 'Only the best of its category'],
  ['exclusive', 'Alone: nothing else applies'],
];

interface Props {
  draft: Draft;
  events: readonly Schemas['Event'][];
  problems: Problems;
  effectAsItIs: Schemas['Effect'] | undefined;
  onChange: (changed: Partial<Draft>) => void;
  onSubmit: () => void;
  children: ComponentChildren;
}

/** Every field with what it means, where it is filled in. */
export function CampaignForm(props: Props) {
  const { draft, problems, onChange, onSubmit, children } = props;
  const text = (field: TextFieldName) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => onChange({ [field]: value }),
  });
  return (
    <form
      class="card question"
      aria-label="Campaign"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField label="Name" hint="What your team and the buyer read beside the amount." {...text('name')} />
      <EffectFields {...props} text={text} />
      <PlaceFields {...props} />
      <TextField
        label="Code"
        hint="Applies only to buyers who enter it. Empty: to everybody who meets the conditions."
        placeholder="SUMMER20"
        {...text('code')}
      />
      <fieldset>
        <legend>Conditions</legend>
        <div class="pair stacks">
          <TextField label="From" type="datetime-local" hint={`${draft.zone} time.`} {...text('startsAt')} />
          <TextField label="Until" type="datetime-local" hint="Not any more at this time." {...text('endsAt')} />
        </div>
        <div class="pair">
          <TextField label="Tickets, at least" hint="In the cart." type="number" min={1} {...text('minQuantity')} />
          <TextField
            label="Order, at least"
            hint={`Its list price in ${draft.currency}.`}
            inputMode="decimal"
            {...text('minOrderTotal')}
          />
        </div>
        <TextField
          label="Segments"
          hint="Customers in any of these, with commas between. Empty: all customers."
          placeholder="member, press"
          {...text('segments')}
        />
      </fieldset>
      <fieldset>
        <legend>Caps</legend>
        <div class="pair">
          <TextField
            label="Redemptions"
            hint="How many orders may have it. Empty: no cap."
            type="number"
            min={0}
            {...text('maxRedemptions')}
          />
          <TextField
            label="Per customer"
            hint="How many orders of one."
            type="number"
            min={0}
            {...text('maxPerCustomer')}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Beside other campaigns</legend>
        <SelectField
          label="Stacking"
          hint="What happens when several apply to one ticket."
          value={draft.stacking}
          onChange={(stacking) => onChange({ stacking: stacking as Draft['stacking'] })}
          options={STACKING}
        />
        <TextField
          label="Category"
          hint="Campaigns of one category can compete. Empty: promotion, or coupon if it has a code."
          {...text('category')}
        />
      </fieldset>
      {children}
    </form>
  );
}

type TextFieldName = Exclude<keyof Draft, 'kind' | 'per' | 'stacking'>;
type Text = (field: TextFieldName) => { value: string; problem: string | undefined; onChange: (value: string) => void };

function EffectFields({ draft, effectAsItIs, onChange, text }: Props & { text: Text }) {
  const { kind, per } = draft;
  const kinds = [
    ...KINDS.map((one) => [one, KIND_TEXT[one]] as const),
    ...(kind === 'other' && effectAsItIs !== undefined ? [['other', effectText(effectAsItIs)] as const] : []),
  ];
  const perField = (
    <SelectField
      label="Counts for"
      value={per}
      onChange={(value) => onChange({ per: value as Draft['per'] })}
      options={[
        ['unit', 'Each ticket'],
        ['order', 'The whole order'],
      ]}
    />
  );
  return (
    <fieldset>
      <legend>What it does</legend>
      <SelectField
        label="Effect"
        value={kind}
        onChange={(value) =>
          onChange(value === 'buy_x_get_y' ? { kind: value, percent: '100' } : { kind: value as Kind })
        }
        options={kinds}
      />
      {(kind === 'percentage_off' || kind === 'percentage_surcharge') && (
        <div class="pair">
          <TextField label="Percent" inputMode="decimal" hint="Up to four decimals." {...text('percent')} />
          {perField}
        </div>
      )}
      {(kind === 'amount_off' || kind === 'fixed_price' || kind === 'amount_surcharge') && (
        <>
          <div class="pair">
            <TextField label="Amount" inputMode="decimal" {...text('amount')} />
            <TextField
              label="Currency"
              value={text('currency').value}
              problem={text('currency').problem}
              onChange={(currency) => onChange({ currency: currency.toUpperCase() })}
            />
          </div>
          {perField}
        </>
      )}
      {kind === 'buy_x_get_y' && (
        <div class="triple">
          <TextField label="Buy" type="number" min={1} {...text('buy')} />
          <TextField label="Get" type="number" min={1} {...text('get')} />
          <TextField label="Percent off" inputMode="decimal" hint="100: free." {...text('percent')} />
        </div>
      )}
    </fieldset>
  );
}

function PlaceFields({ draft, events, onChange }: Props) {
  const known =
    draft.eventId === '' || draft.eventId === OTHER_TARGETS || events.some(({ id }) => id === draft.eventId);
  return (
    <SelectField
      label="Applies to"
      hint="Which event's tickets it changes."
      value={draft.eventId}
      onChange={(eventId) => {
        const zone = events.find(({ id }) => id === eventId)?.timezone;
        onChange({ eventId, offeringId: '', ...(zone === undefined ? {} : { zone }) });
      }}
      options={[
        ['', 'Every event'],
        ...(draft.eventId === OTHER_TARGETS ? [[OTHER_TARGETS, 'As it is: several targets'] as const] : []),
        ...(known ? [] : [[draft.eventId, draft.eventId] as const]),
        ...events.map(({ id, name = id }) => [id, name] as const),
      ]}
    />
  );
}
