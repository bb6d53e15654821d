import type { components } from '@event-commerce/client';
import { money, number } from '../format/format.ts';

/** How many tickets of an event are sold and left, and from which price. Nothing where that was not asked for. */
export function Sold({ event: { availability } }: { event: Pick<components['schemas']['Event'], 'availability'> }) {
  if (availability === undefined) return null;
  const { sold, held, left, lowestPrices } = availability;
  const taken = sold + held;
  const all = left === null ? undefined : taken + left;
  const from = lowestPrices.map(({ amount, currency }) => money(amount, currency)).join(', ');
  return (
    <div class="used">
      <span>
        {number(sold)} <span class="soft">sold{held > 0 && `, ${number(held)} held`}</span>
        {left !== null && <span class="soft">, {number(left)} left</span>}
      </span>
      {all !== undefined && all > 0 && (
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${(taken / all) * 100}%` }} />
        </span>
      )}
      {left === 0 && taken > 0 && <span class="badge warn">sold out</span>}
      {from !== '' && <small>From {from}</small>}
    </div>
  );
}
