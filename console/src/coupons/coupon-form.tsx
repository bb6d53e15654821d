import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { BudgetPicker } from '../budgets/budget-picker.tsx';
import { eventIdOf } from '../campaigns/place.ts';
import { PlaceFields } from '../campaigns/place-fields.tsx';
import { ChoiceField, TextField } from '../ui/fields.tsx';
import type { CouponDraft, CouponProblems } from './coupon-draft.ts';
import { OnlyOfferings } from './only-offerings.tsx';

interface Props {
  draft: CouponDraft;
  /** What the coupon does, if the form cannot change it. */
  effect: string | undefined;
  events: readonly components['schemas']['Event'][];
  problems: CouponProblems;
  onChange: (changed: Partial<CouponDraft>) => void;
  onSubmit: () => void;
  /** Nothing can be typed now: it would be lost. */
  isLocked: boolean;
  children: ComponentChildren;
}

/** Every field with what it means, where it is filled in. */
export function CouponForm({ draft, effect, events, problems, onChange, onSubmit, isLocked, children }: Props) {
  const text = (field: Exclude<keyof CouponDraft, 'codes' | 'off' | 'per' | 'places' | 'offeringIds'>) => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => onChange({ [field]: value }),
  });
  return (
    <form
      class="card question"
      inert={isLocked}
      aria-label="Coupon"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <ChoiceField
        label="Codes"
        value={draft.codes}
        onChange={(codes) => onChange({ codes, ...(codes === 'unique' ? { code: '' } : {}) })}
        options={[
          ['shared', 'One code for all buyers'],
          ['unique', 'A code for each buyer'],
        ]}
      />
      {draft.codes === 'shared' ? (
        <TextField
          label="Code"
          hint="What buyers enter. Upper and lower case are the same."
          placeholder="SUMMER20"
          {...text('code')}
        />
      ) : (
        <p class="soft">Create its codes after saving the coupon.</p>
      )}
      <TextField label="Name" hint="Shown to your team and buyers next to the amount." {...text('description')} />
      <fieldset>
        <legend>What it takes off</legend>
        <ChoiceField
          label="Discount"
          value={draft.off}
          onChange={(off) => onChange({ off })}
          options={[
            ['percent', 'Percentage'],
            ['amount', 'Amount'],
            ...(effect === undefined ? [] : [['effect', effect] as const]),
          ]}
        />
        {draft.off === 'effect' ? null : draft.off === 'percent' ? (
          <TextField label="Percent" inputMode="decimal" hint="Up to four decimals." {...text('percent')} />
        ) : (
          <div class="pair">
            <TextField label="Amount" inputMode="decimal" {...text('amount')} />
            <TextField
              label="Currency"
              value={draft.currency}
              problem={problems.currency}
              onChange={(currency) => onChange({ currency: currency.toUpperCase() })}
            />
          </div>
        )}
        {draft.off !== 'effect' && (
          <ChoiceField
            label="How often"
            value={draft.per}
            onChange={(per) => onChange({ per })}
            options={[
              ['unit', 'Off each ticket'],
              ['order', 'Once per order'],
            ]}
          />
        )}
      </fieldset>
      <PlaceFields
        places={draft.places}
        events={events}
        wholeEvents
        onChange={(places) => onChange({ places: places.length === 0 ? draft.places : places })}
      />
      <OnlyOfferings
        ids={draft.offeringIds}
        eventId={draft.places.map(eventIdOf).find((id) => id !== undefined)}
        onChange={(offeringIds) => onChange({ offeringIds })}
      />
      <fieldset>
        <legend>Limits</legend>
        <div class="pair">
          <TextField
            label="Redemptions"
            hint="How many orders may have it. Empty: no limit."
            type="number"
            min={0}
            {...text('limit')}
          />
          <TextField
            label="Expires"
            type="datetime-local"
            hint={`${draft.zone} time. Empty: never.`}
            {...text('expiresAt')}
          />
        </div>
        <BudgetPicker value={draft.budgetId} onPick={(budgetId) => onChange({ budgetId })} />
      </fieldset>
      {children}
    </form>
  );
}
