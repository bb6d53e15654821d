import type { components } from '@event-commerce/client';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded } from '../shell/states.tsx';
import { useSettled } from '../shell/use-settled.ts';
import { CodeResults } from './code-results.tsx';
import { DroppedList } from './dropped-list.tsx';
import { explainCart, explainOffering, type Explanation } from './explanation.ts';
import { type HowFar, loadHowFar } from './how-far.ts';
import { addressOf } from './question.ts';
import { Waterfall } from './waterfall.tsx';

type EvaluateRequest = components['schemas']['EvaluateRequest'];

const NONE: ReadonlyMap<string, HowFar> = new Map();

/** The price of one offering, asked anew as soon as the typing pauses. */
export function EvaluationExplained({ request, listNote }: { request: EvaluateRequest; listNote: string }) {
  const { client } = useSession();
  const asked = useSettled(JSON.stringify(request));
  const explanation = useResource(
    async (signal) => explainOffering(client, JSON.parse(asked) as EvaluateRequest, signal),
    [client, asked],
  );
  const dropped = explanation.value?.dropped;
  const away = useResource(
    async (signal) =>
      dropped === undefined
        ? NONE
        : loadHowFar(client, dropped, (JSON.parse(asked) as EvaluateRequest).cartContext, signal),
    [client, dropped],
  );
  return (
    <Loaded from={explanation}>
      {(found) => (
        <div class="answer" aria-busy={explanation.loading}>
          <Price explanation={found} listNote={listNote} />
          <section class="card">
            <h2>What did not apply</h2>
            <DroppedList dropped={found.dropped} away={away.value ?? NONE} />
          </section>
        </div>
      )}
    </Loaded>
  );
}

export function CartExplained({ id }: { id: string }) {
  const { client } = useSession();
  const settled = useSettled(id);
  const explanation = useResource(async (signal) => explainCart(client, settled, signal), [client, settled]);
  return (
    <Loaded from={explanation}>
      {(found) => (
        <div class="answer" aria-busy={explanation.loading}>
          <Price explanation={found} />
          <section class="card">
            <h2>What did not apply</h2>
            <p class="soft">A cart says what its codes did. Every other adjustment is listed for one line at a time:</p>
            <ul class="lines">
              {found.lines.map(({ name, question }) => (
                <li key={question.offering}>
                  <a href={addressOf(question)}>
                    {question.quantity} × {name}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Loaded>
  );
}

function Price({ explanation, listNote }: { explanation: Explanation; listNote?: string }) {
  return (
    <section class="card">
      <h2>How the price comes about</h2>
      <Waterfall explanation={explanation} listNote={listNote} />
      {explanation.steps.length === 0 && <p class="soft">Nothing changes the list price.</p>}
      <CodeResults codes={explanation.codes} />
    </section>
  );
}
