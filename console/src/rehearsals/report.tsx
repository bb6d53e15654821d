import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { Waterfall } from '../explain/waterfall.tsx';
import { count, money, number, OWN_ZONE, time } from '../format/format.ts';
import { Notice } from '../ui/states.tsx';
import { explanationBefore, explanationAfter } from './sample.ts';

type Report = components['schemas']['RehearsalReport'];
type InCurrency = Report['currencies'][number];

/** What a rehearsal found out: what it adds up to, who wins and loses, and the orders where it matters most. */
export function RehearsalReport({ report, mark }: { report: Report; mark: string }) {
  const { orders, touched, currencies, ranOut, samples, kept, notModelled } = report;
  if (orders === 0) return <Notice title="No orders in this time">Choose a longer time.</Notice>;
  return (
    <div class="stack" role="region" aria-label="Report">
      <p role="status">
        {touched === 0 ? 'None' : number(touched)} of {count(orders, 'order')} would have cost something else.
      </p>
      {currencies.map((one) => (
        <Totals key={one.currency} {...one} />
      ))}
      {ranOut.length > 0 && (
        <table class="list">
          <caption class="visually-hidden">What ran out</caption>
          <thead>
            <tr>
              <th scope="col">Ran out</th>
              <th scope="col">As it was</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {ranOut.map(({ name, pool, day, adjustmentId, budgetId, before, after }) => (
              <tr key={`${pool} ${adjustmentId ?? budgetId} ${day}`}>
                <th scope="row">
                  {name} <span class="soft">{[pool, day].filter(Boolean).join(' of ')}</span>
                </th>
                <td data-label="As it was">{before === undefined ? 'something was left' : time(before, OWN_ZONE)}</td>
                <td data-label="Then">{after === undefined ? 'something is left' : time(after, OWN_ZONE)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {samples.length > 0 && (
        <section class="stack small" aria-label="Orders">
          <h3>The orders that differ most</h3>
          {samples.map((sample) => (
            <details key={sample.orderId} class="rehearsed">
              <summary>
                {sample.orderNumber}{' '}
                {sample.after === undefined ? (
                  <span class="badge warn">refused</span>
                ) : (
                  <Difference amount={sample.after.total - sample.before.total} currency={sample.currency} />
                )}
              </summary>
              <p>
                <a href={`/console/sales/orders/${sample.orderId}`}>The order</a> of {time(sample.createdAt, OWN_ZONE)}
              </p>
              <div class="side-by-side">
                <Side title="As it was">
                  <Waterfall explanation={explanationBefore(sample)} mark={mark} />
                </Side>
                <Side title="Then">
                  {sample.after === undefined ? (
                    <p>{sample.refusal}</p>
                  ) : (
                    <Waterfall explanation={explanationAfter(sample, sample.after)} mark={mark} />
                  )}
                </Side>
              </div>
            </details>
          ))}
        </section>
      )}
      <details>
        <summary>What this does not know</summary>
        <ul>
          {kept.amended > 0 && <li>{count(kept.amended, 'order')} were amended: they count as they are.</li>}
          {kept.stated > 0 && <li>{count(kept.stated, 'order')} had prices of their own: they count as they are.</li>}
          {kept.unexplained > 0 && (
            <li>{count(kept.unexplained, 'order')} cannot be priced again: they count as they are.</li>
          )}
          {notModelled.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function Totals({ currency, before, after, winners, losers, refused }: InCurrency) {
  const most = Math.max(1, winners.amount, losers.amount, refused.amount);
  const rows = [
    ['Pay less', winners, 'less'],
    ['Pay more', losers, 'more'],
    ['Are refused', refused, 'more'],
  ] as const;
  return (
    <div class="stack small">
      <dl class="facts">
        <div>
          <dt>Revenue</dt>
          <dd>
            <b>{money(after.revenue, currency)}</b>{' '}
            <span class="soft">instead of {money(before.revenue, currency)}</span>{' '}
            <Difference amount={after.revenue - before.revenue} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>Discounts</dt>
          <dd>
            <b>{money(after.discounts, currency)}</b>{' '}
            <span class="soft">instead of {money(before.discounts, currency)}</span>
          </dd>
        </div>
      </dl>
      <table class="waterfall">
        <caption class="visually-hidden">Winners and losers</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Orders</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(([, { orders }]) => orders > 0)
            .map(([label, { orders, amount }, kind]) => (
              <tr key={label} class={kind}>
                <th scope="row">
                  <span>{label}</span> <small>{count(orders, 'order')}</small>
                </th>
                <td>
                  <span class="track" aria-hidden="true">
                    <i style={{ left: '0%', width: `${(amount / most) * 100}%` }} />
                  </span>
                  <span class="amount">{money(amount, currency)}</span>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

function Side({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h4>{title}</h4>
      {children}
    </section>
  );
}

function Difference({ amount, currency }: { amount: number; currency: string }) {
  if (amount === 0) return null;
  return <span class={`badge ${amount < 0 ? 'good' : 'warn'}`}>{money(amount, currency, 'always')}</span>;
}
