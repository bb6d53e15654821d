import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { useSettled } from '../data/use-settled.ts';
import { CodeResults } from './code-results.tsx';
import { DroppedList } from './dropped-list.tsx';
import { explainCart, explainOffering, explainOrder, type Explanation, type Line } from './explanation.ts';
import { type HowFar, loadHowFar } from './how-far.ts';
import { addressOf } from './question.ts';
import { Waterfall } from './waterfall.tsx';

type EvaluateRequest = components['schemas']['EvaluateRequest'];

const NONE: ReadonlyMap<string, HowFar> = new Map();

/** The price of one offering, requested again when the typing pauses. */
export function EvaluationExplained({
  request,
  listNote,
  timeZone,
  mark,
  head,
}: {
  request: EvaluateRequest;
  listNote: string;
  /** The event's time zone, in which times are shown. */
  timeZone?: string | undefined;
  /** The adjustment that this is about. */
  mark?: string;
  head?: (total: number, currency: string) => ComponentChildren;
}) {
  const { client } = useSession();
  const asked = useSettled(JSON.stringify(request));
  const explanation = useResource(
    async (signal) => explainOffering(client, JSON.parse(asked) as EvaluateRequest, signal),
    [client, asked],
  );
  const dropped = explanation.value?.dropped;
  const away = useResource(
    async (signal) =>
      dropped === undefined ? NONE : loadHowFar(client, dropped, JSON.parse(asked) as EvaluateRequest, signal),
    [client, dropped],
  );
  return (
    <Loaded from={explanation}>
      {(found) => (
        <div class="answer" aria-busy={explanation.loading}>
          <Price explanation={found} listNote={listNote} mark={mark} head={head?.(found.total, found.currency)} />
          <section class="card">
            <h2>What did not apply</h2>
            <DroppedList dropped={found.dropped} away={away.value ?? NONE} mark={mark} timeZone={timeZone} />
          </section>
        </div>
      )}
    </Loaded>
  );
}

/** A stored cart or order: its price, and for each of its lines the question that explains what did not apply. */
export function StoredExplained({ of, id }: { of: 'cart' | 'order'; id: string }) {
  const settled = useSettled(id);
  // Nothing of one cart or order is shown as another's.
  return <Stored key={`${of} ${settled}`} of={of} id={settled} />;
}

function Stored({ of, id }: { of: 'cart' | 'order'; id: string }) {
  const { client } = useSession();
  const explain = of === 'cart' ? explainCart : explainOrder;
  const explanation = useResource(async (signal) => explain(client, id, signal), [client, id, of]);
  return (
    <Loaded from={explanation}>
      {(found) => (
        <div class="answer" aria-busy={explanation.loading}>
          <Price explanation={found} />
          <section class="card">
            <h2>What did not apply</h2>
            <p class="soft">
              {of === 'cart'
                ? 'A cart says what its codes did. Every other adjustment is listed for one line at a time:'
                : 'Choose a line to see what else did not apply, judged by today’s prices and campaigns at the time of the order.'}
            </p>
            <Lines lines={found.lines} />
          </section>
        </div>
      )}
    </Loaded>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <ul class="lines">
      {lines.map(({ name, question }, n) => (
        <li key={n}>
          <a href={addressOf(question)}>
            {question.quantity} × {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Price({
  explanation,
  listNote,
  mark,
  head,
}: {
  explanation: Explanation;
  listNote?: string;
  mark?: string | undefined;
  head?: ComponentChildren;
}) {
  return (
    <section class="card">
      <h2>How the price is made up</h2>
      {head}
      <Waterfall explanation={explanation} listNote={listNote} mark={mark} />
      {explanation.steps.length === 0 && <p class="soft">Nothing changes the list price.</p>}
      <CodeResults codes={explanation.codes} />
    </section>
  );
}
