import type { ComponentChildren } from 'preact';
import { money, number } from '../format/format.ts';
import { type Priced, withheldText } from './amend-draft.ts';

/** What an amendment changes, line by line and promotion by promotion. `nameOf`: the name of an offering, if known. */
export function Amended({
  amendment,
  nameOf,
}: {
  amendment: Priced;
  nameOf?: (offeringId: string) => string | undefined;
}) {
  const { currency, lines, modifiers, costs, redemptions } = amendment;
  const changed = lines.filter(({ quantity, due }) => quantity.before !== quantity.after || due !== 0);
  const amount = (value: number) => money(value, currency);
  const others = (['fees', 'tax'] as const).filter((cost) => costs.before[cost] !== costs.after[cost]);
  const withheld = withheldText(amendment);
  return (
    <>
      {withheld !== undefined && <p>{withheld}</p>}
      <dl class="amended">
        {changed.map(({ lineId, offeringId = '', name = nameOf?.(offeringId) ?? offeringId, quantity, charged }) => (
          <Change
            key={lineId}
            title={name === '' ? 'Item' : name}
            note={
              quantity.before === quantity.after
                ? `${number(quantity.after)} as before`
                : `${number(quantity.before)} → ${number(quantity.after)}`
            }
            before={amount(charged.before)}
            after={amount(charged.after)}
          />
        ))}
        {modifiers.map(({ adjustmentId, name, code, total }) => (
          <Change
            key={adjustmentId}
            title={name}
            note={[
              ...(code === undefined || code === name ? [] : [`code ${code}`]),
              ...(redemptions.claimed.includes(adjustmentId) ? ['redeemed now'] : []),
              ...(redemptions.released.includes(adjustmentId) ? ['redemption released'] : []),
            ].join(', ')}
            before={amount(total.before)}
            after={amount(total.after)}
          />
        ))}
        {others.map((cost) => (
          <Change
            key={cost}
            title={cost === 'fees' ? 'Fees' : 'Tax'}
            before={amount(costs.before[cost])}
            after={amount(costs.after[cost])}
          />
        ))}
        <Change title={<b>Total</b>} before={amount(costs.before.total)} after={amount(costs.after.total)} />
      </dl>
    </>
  );
}

function Change({
  title,
  note = '',
  before,
  after,
}: {
  title: ComponentChildren;
  note?: string;
  before: string;
  after: string;
}) {
  return (
    <div>
      <dt>
        {title} {note !== '' && <small>{note}</small>}
      </dt>
      <dd>
        {before !== after && (
          <>
            <del>{before}</del> <span aria-hidden="true">→</span>{' '}
          </>
        )}
        <ins>{after}</ins>
      </dd>
    </div>
  );
}
