import { money } from '../format/format.ts';
import type { Explanation } from './explanation.ts';

interface Bar {
  label: string;
  note: string | undefined;
  amount: string;
  kind: 'total' | 'less' | 'more';
  /** Where the bar begins and ends, in minor units. */
  from: number;
  to: number;
  marked?: boolean;
}

/** The price as a cascade: each step begins where the one before it ended. */
export function Waterfall({
  explanation,
  listNote,
  mark,
}: {
  explanation: Explanation;
  listNote?: string | undefined;
  /** The adjustment that this is about. */
  mark?: string | undefined;
}) {
  const bars = barsOf(explanation, listNote, mark);
  const scale = Math.max(1, ...bars.map(({ from, to }) => Math.max(from, to)));
  const percent = (value: number) => `${Math.max(0, value / scale) * 100}%`;
  return (
    <table class="waterfall">
      <caption class="visually-hidden">How the price is made up</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Step</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, note, amount, kind, from, to, marked }, n) => (
          <tr key={n} class={marked ? `${kind} marked` : kind}>
            <th scope="row">
              <span>{label}</span>
              {note !== undefined && <small>{note}</small>}
            </th>
            <td>
              <span class="track" aria-hidden="true">
                <i style={{ left: percent(Math.min(from, to)), width: percent(Math.abs(to - from)) }} />
              </span>
              <span class="amount">{amount}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function barsOf(
  { currency, subtotal, steps, total, clamped, totalLabel }: Explanation,
  listNote?: string,
  mark?: string,
): Bar[] {
  const bars: Bar[] = [
    { label: 'List price', note: listNote, amount: money(subtotal, currency), kind: 'total', from: 0, to: subtotal },
  ];
  let reached = subtotal;
  for (const { id, label, note, amount } of steps) {
    const kind = amount <= 0 ? 'less' : 'more';
    const shown = money(amount, currency, 'always');
    bars.push({ label, note, amount: shown, kind, from: reached, to: reached + amount, marked: id === mark });
    reached += amount;
  }
  if (clamped && reached !== total) {
    const given = money(total - reached, currency, 'always');
    bars.push({ label: 'Not below zero', note: undefined, amount: given, kind: 'more', from: reached, to: total });
  }
  const pays = { label: totalLabel, note: undefined, amount: money(total, currency) };
  return [...bars, { ...pays, kind: 'total', from: 0, to: total }];
}
