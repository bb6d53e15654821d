import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { BudgetPicker } from '../budgets/budget-picker.tsx';
import { FieldGroup } from '../ui/field-group.tsx';
import { ChoiceField, SelectField, TextField } from '../ui/fields.tsx';
import { type Draft, filledIn, GROUPS, type Problems, unnamedName } from './draft.ts';
import { EffectFields, EffectLimits, usesAmounts } from './effect-fields.tsx';
import { WindowFields } from './window-fields.tsx';
import { PlaceFields } from './place-fields.tsx';

type Schemas = components['schemas'];

const STACKING: readonly (readonly [Draft['stacking'], string])[] = [
  ['stackable', 'Adds up with others'],
  ['replace-within-category', 'Only the best of its category'],
  ['exclusive', 'Alone, if the buyer pays no more'],
];
const APPLICATION: readonly (readonly [Draft['application'], string])[] = [
  ['at-checkout', 'At checkout'],
  ['at-listing', 'To the list price'],
];
const BASE: readonly (readonly [Draft['effectBase'], string])[] = [
  ['list-price', 'The list price'],
  ['current-price', 'The price so far'],
];

interface Props {
  draft: Draft;
  events: readonly Schemas['Event'][];
  problems: Problems;
  effectAsItIs: Schemas['Effect'] | undefined;
  onChange: (changed: Partial<Draft>) => void;
  onSubmit: () => void;
  /** Nothing can be typed now: it would be lost. */
  isLocked: boolean;
  children: ComponentChildren;
}

type TextFieldName = { [K in keyof Draft]: string extends Draft[K] ? K : never }[keyof Draft];

/** What every campaign needs, then what few do, by groups. */
export function CampaignForm({ draft, events, problems, effectAsItIs, onChange, onSubmit, isLocked, children }: Props) {
  const text = (field: TextFieldName) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => onChange({ [field]: value }),
  });
  const group = (name: keyof typeof GROUPS) => ({
    filled: filledIn(name, draft),
    hasProblem: GROUPS[name].some((field) => problems[field] !== undefined),
  });
  return (
    <form
      class="card question"
      inert={isLocked}
      aria-label="Campaign"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextField
        label="Name"
        hint="Shown to your team and buyers next to the amount. Empty: what it does."
        placeholder={unnamedName(draft) ?? ''}
        {...text('name')}
      />
      <EffectFields draft={draft} problems={problems} effectAsItIs={effectAsItIs} onChange={onChange} />
      <fieldset>
        <legend>Who gets it</legend>
        <ChoiceField
          label="Who gets it"
          value={draft.audience}
          onChange={(audience) => onChange({ audience })}
          options={[
            ['everybody', 'Everybody, automatically'],
            ['code', 'Buyers with a code'],
          ]}
        />
        {draft.audience === 'code' && (
          <TextField label="Code" hint="Upper and lower case are the same." placeholder="SUMMER20" {...text('code')} />
        )}
      </fieldset>
      <PlaceFields
        places={draft.places}
        events={events}
        onChange={(places, zone) => onChange({ places, ...(zone === undefined ? {} : { zone }) })}
      />
      <fieldset>
        <legend>When, and how often</legend>
        <div class="pair stacks">
          <TextField label="From" type="datetime-local" hint={`${draft.zone} time.`} {...text('startsAt')} />
          <TextField label="Until" type="datetime-local" hint="It no longer applies then." {...text('endsAt')} />
        </div>
        <TextField
          label="Redemptions"
          hint="How many orders may have it. Empty: no limit."
          type="number"
          min={0}
          {...text('maxRedemptions')}
        />
      </fieldset>
      <div class="field-groups">
        <FieldGroup title="Only at times of the week" {...group('times')}>
          <WindowFields
            windows={draft.recurring}
            zone={draft.zone}
            problem={problems.recurring}
            onChange={(recurring) => onChange({ recurring })}
          />
        </FieldGroup>
        <FieldGroup
          title="More about the discount"
          {...group('discount')}
          hasProblem={group('discount').hasProblem || (!usesAmounts(draft) && problems.currency !== undefined)}
        >
          <BudgetPicker value={draft.budgetId} onPick={(budgetId) => onChange({ budgetId })} />
          <EffectLimits draft={draft} problems={problems} onChange={onChange} />
          <div class="pair">
            <SelectField
              label="Applies"
              hint="To the list price: everything else starts from it."
              value={draft.application}
              onChange={(application) => onChange({ application: application as Draft['application'] })}
              options={APPLICATION}
            />
            <SelectField
              label="Computed on"
              hint="What a percentage is a percentage of."
              value={draft.effectBase}
              onChange={(effectBase) => onChange({ effectBase: effectBase as Draft['effectBase'] })}
              options={BASE}
            />
          </div>
        </FieldGroup>
        <FieldGroup title="Only for some buyers" {...group('buyers')}>
          <div class="pair">
            <TextField
              label="Orders per customer"
              hint="How many orders of one customer may have it. Empty: no limit."
              type="number"
              min={0}
              {...text('maxPerCustomer')}
            />
            <TextField
              label="Tickets per customer"
              hint="For how many tickets of one customer it counts, in all orders."
              type="number"
              min={0}
              {...text('maxTicketsPerCustomer')}
            />
          </div>
          <SelectField
            label="Customers are known by"
            hint="For the two limits above. Guests have an e-mail address only."
            value={draft.perCustomerBy}
            onChange={(perCustomerBy) => onChange({ perCustomerBy: perCustomerBy as Draft['perCustomerBy'] })}
            options={[
              ['id', 'Their customer id'],
              ['email', 'Their e-mail address too'],
            ]}
          />
          <div class="pair">
            <TextField
              label="Segments"
              hint="Customers in any of these, separated by commas."
              placeholder="member, press"
              {...text('segments')}
            />
            <TextField
              label="Channels"
              hint="Sold through any of these."
              placeholder="web, box-office"
              {...text('channels')}
            />
          </div>
        </FieldGroup>
        <FieldGroup title="Only for some tickets and orders" {...group('orders')}>
          <TextField
            label="Tickets in all"
            hint="How many tickets it counts for, in all orders: the first hundred, say. Empty: no limit."
            type="number"
            min={0}
            {...text('maxTickets')}
          />
          <TextField
            label="Tags"
            hint="Tickets with any of these tags. Empty: all tickets."
            placeholder="seated, balcony"
            {...text('tags')}
          />
          <div class="pair">
            <TextField label="Tickets, at least" hint="In the cart." type="number" min={1} {...text('minQuantity')} />
            <TextField label="Tickets, at most" hint="In the cart." type="number" min={1} {...text('maxQuantity')} />
          </div>
          <div class="pair">
            <TextField
              label="Order total, at least"
              hint={`At list prices, in ${draft.currency}.`}
              inputMode="decimal"
              {...text('minOrderTotal')}
            />
            <TextField
              label="Order total, at most"
              hint={`At list prices, in ${draft.currency}.`}
              inputMode="decimal"
              {...text('maxOrderTotal')}
            />
          </div>
        </FieldGroup>
        <FieldGroup title="Together with other campaigns" {...group('others')}>
          <SelectField
            label="Stacking"
            hint="What happens when several apply to one ticket."
            value={draft.stacking}
            onChange={(stacking) => onChange({ stacking: stacking as Draft['stacking'] })}
            options={STACKING}
          />
          <div class="pair">
            <TextField
              label="Category"
              hint="Campaigns of one category can compete. Empty: promotion, or coupon if it has a code."
              {...text('category')}
            />
            <TextField
              label="Priority"
              hint="Higher applies first. Equal: the older one."
              inputMode="numeric"
              {...text('priority')}
            />
          </div>
        </FieldGroup>
      </div>
      {children}
    </form>
  );
}
