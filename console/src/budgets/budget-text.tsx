import type { components } from '@event-commerce/client';
import { money } from '../format/format.ts';

type Budget = components['schemas']['Budget'];

/** What a budget is for: `5,000.00 EUR in all`. */
export function limitText({ limit, per }: Budget): string {
  const whose = { total: 'in all', customer: 'for each customer', day: 'a day' }[per];
  return `${money(limit.amount, limit.currency)} ${whose}`;
}

/** How much of a budget is used, with a bar if it is one total amount. */
export function BudgetUse({ budget: { limit, per, usage } }: { budget: Budget }) {
  const { amount, currency } = limit;
  const { spent, held, left } = usage;
  const taken = spent + held;
  return (
    <div class="used">
      <span>
        {money(taken, currency)}{' '}
        <span class="soft">
          {[
            ...(per === 'day' ? ['today'] : []),
            ...(held === 0 ? [] : [`${money(held, currency)} of it held`]),
            ...(left === null ? [] : [`${money(left, currency)} left`]),
          ].join(', ')}
        </span>
      </span>
      {left !== null && (
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${amount === 0 ? 100 : Math.min(100, (taken / amount) * 100)}%` }} />
        </span>
      )}
      {left === 0 && <span class="badge warn">exhausted</span>}
    </div>
  );
}
