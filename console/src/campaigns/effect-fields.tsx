import type { components } from '@event-commerce/client';
import { effectText } from '../format/effect-text.ts';
import { SelectField, TextField } from '../ui/fields.tsx';
import { type EffectDraft, isDiscount, type Kind, KINDS } from './effect-draft.ts';

const KIND_TEXT: Record<Kind, string> = {
  percentage_off: 'Percentage off',
  amount_off: 'Amount off',
  fixed_price: 'Fixed price',
  tiered: 'More off for more tickets',
  buy_x_get_y: 'Buy some, get some free',
  percentage_surcharge: 'Percentage on top',
  amount_surcharge: 'Amount on top',
};

interface Props {
  draft: EffectDraft;
  problems: Partial<Record<keyof EffectDraft, string>>;
  /** The effect as it is stored, if there is one. */
  effectAsItIs: components['schemas']['Effect'] | undefined;
  onChange: (changed: Partial<EffectDraft>) => void;
}

/** What a campaign does to the price. */
export function EffectFields({ draft, problems, effectAsItIs, onChange }: Props) {
  const { kind } = draft;
  const text = textFields({ draft, problems, onChange });
  const kinds = [
    ...KINDS.map((one) => [one, KIND_TEXT[one]] as const),
    ...(kind === 'other' && effectAsItIs !== undefined ? [['other', effectText(effectAsItIs)] as const] : []),
  ];
  return (
    <fieldset>
      <legend>What it does</legend>
      <div class={kind === 'percentage_off' || kind === 'percentage_surcharge' ? 'pair' : undefined}>
        <SelectField
          label="Effect"
          value={kind}
          onChange={(value) =>
            onChange(value === 'buy_x_get_y' ? { kind: value, percent: '100' } : { kind: value as Kind })
          }
          options={kinds}
        />
        {(kind === 'percentage_off' || kind === 'percentage_surcharge') && (
          <TextField label="Percent" inputMode="decimal" {...text('percent')} />
        )}
      </div>
      {(kind === 'amount_off' || kind === 'fixed_price' || kind === 'amount_surcharge') && (
        <div class="triple">
          <TextField label="Amount" inputMode="decimal" {...text('amount')} />
          <CurrencyField draft={draft} problem={problems.currency} onChange={onChange} />
          <PerField draft={draft} onChange={onChange} />
        </div>
      )}
      {kind === 'buy_x_get_y' && (
        <div class="triple">
          <TextField label="Buy" type="number" min={1} {...text('buy')} />
          <TextField label="Get" type="number" min={1} {...text('get')} />
          <TextField label="Percent off" inputMode="decimal" hint="100: free." {...text('percent')} />
        </div>
      )}
      {kind === 'tiered' && (
        <>
          <div class="pair">
            <SelectField
              label="In"
              value={draft.tiersOff}
              onChange={(value) => onChange({ tiersOff: value as EffectDraft['tiersOff'] })}
              options={[
                ['percent', 'Percent'],
                ['amount', `Amounts of ${draft.currency}`],
              ]}
            />
            {draft.tiersOff === 'amount' && (
              <CurrencyField draft={draft} problem={problems.currency} onChange={onChange} />
            )}
          </div>
          <Tiers draft={draft} problem={problems.tiers} onChange={onChange} />
        </>
      )}
    </fieldset>
  );
}

/** What few effects need: for what they count, the most that they take off, and its currency. */
export function EffectLimits({ draft, problems, onChange }: Omit<Props, 'effectAsItIs'>) {
  const { kind } = draft;
  const text = textFields({ draft, problems, onChange });
  const isInAmounts = usesAmounts(draft);
  const counts = !isInAmounts || kind === 'tiered';
  return (
    <>
      {counts && kind !== 'buy_x_get_y' && kind !== 'other' && <PerField draft={draft} onChange={onChange} />}
      <div class={isInAmounts ? undefined : 'pair'}>
        {isDiscount(kind) && kind !== 'other' && (
          <TextField
            label="At most"
            inputMode="decimal"
            hint={`The largest discount in ${draft.currency}, for ${draft.per === 'order' || kind === 'buy_x_get_y' ? 'an order' : 'one ticket'}. Empty: no limit.`}
            {...text('maxAmount')}
          />
        )}
        {!isInAmounts && <CurrencyField draft={draft} problem={problems.currency} onChange={onChange} />}
      </div>
      {kind !== 'buy_x_get_y' && kind !== 'other' && (
        <div class="pair">
          <TextField
            label="Tickets per order"
            hint="How many per order it counts for. Empty: all."
            type="number"
            min={1}
            {...text('unitsMax')}
          />
          <SelectField
            label="Which of them"
            hint="By their prices before any campaign."
            value={draft.unitsPick}
            onChange={(value) => onChange({ unitsPick: value as EffectDraft['unitsPick'] })}
            options={[
              ['cheapest', 'The cheapest'],
              ['dearest', 'The dearest'],
            ]}
          />
        </div>
      )}
    </>
  );
}

/** Whether the effect itself is written in amounts, so that its currency is shown beside them. */
export function usesAmounts({ kind, tiersOff }: Pick<EffectDraft, 'kind' | 'tiersOff'>): boolean {
  if (kind === 'tiered') return tiersOff === 'amount';
  return kind === 'amount_off' || kind === 'fixed_price' || kind === 'amount_surcharge';
}

function textFields({ draft, problems, onChange }: Omit<Props, 'effectAsItIs'>) {
  return (field: 'percent' | 'amount' | 'buy' | 'get' | 'maxAmount' | 'unitsMax') => ({
    value: draft[field],
    problem: problems[field],
    onChange: (value: string) => onChange({ [field]: value }),
  });
}

function PerField({ draft, onChange }: Pick<Props, 'draft' | 'onChange'>) {
  return (
    <SelectField
      label="Counts for"
      value={draft.per}
      onChange={(value) => onChange({ per: value as EffectDraft['per'] })}
      options={[
        ['unit', 'Each ticket'],
        ['order', 'The whole order'],
      ]}
    />
  );
}

function CurrencyField({
  draft,
  problem,
  onChange,
}: Pick<Props, 'draft' | 'onChange'> & { problem: string | undefined }) {
  return (
    <TextField
      label="Currency"
      hint="Of every amount in this form."
      value={draft.currency}
      problem={problem}
      onChange={(value) => onChange({ currency: value.toUpperCase() })}
    />
  );
}

function Tiers({
  draft: { tiers, tiersOff },
  problem,
  onChange,
}: {
  draft: EffectDraft;
  problem: string | undefined;
  onChange: Props['onChange'];
}) {
  const replace = (index: number, changed: Partial<EffectDraft['tiers'][number]>) =>
    onChange({ tiers: tiers.map((tier, n) => (n === index ? { ...tier, ...changed } : tier)) });
  return (
    <div class="rows">
      {tiers.map((tier, index) => (
        <div key={index} class="row">
          <TextField
            label="From tickets"
            type="number"
            min={1}
            value={tier.from}
            onChange={(from) => replace(index, { from })}
          />
          <TextField
            label={tiersOff === 'percent' ? 'Percent off' : 'Amount off'}
            inputMode="decimal"
            value={tier.off}
            onChange={(off) => replace(index, { off })}
          />
          <button
            type="button"
            aria-label={`Remove step ${index + 1}`}
            onClick={() => onChange({ tiers: tiers.filter((_, n) => n !== index) })}
          >
            Remove
          </button>
        </div>
      ))}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" class="add" onClick={() => onChange({ tiers: [...tiers, { from: '', off: '' }] })}>
        Add a step
      </button>
    </div>
  );
}
