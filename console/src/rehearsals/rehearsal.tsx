import { dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { type RangeDays, RANGES } from '../charts/sales-series.ts';
import { useActions } from '../data/use-actions.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { SelectField } from '../ui/fields.tsx';
import { Loaded } from '../ui/states.tsx';
import { changeTo, type Rehearsed } from './change.ts';
import { RehearsalReport } from './report.tsx';

const DAY_MS = 86_400_000;
const REFRESH_MS = 1_000;

/** What the orders of the last days would have cost with what is in the form, or without the campaign. */
export function Rehearse({ proposed, before }: Rehearsed) {
  const { client } = useSession();
  const [days, setDays] = useState<RangeDays>('30');
  const [without, setWithout] = useState(false);
  const [id, setId] = useState<string>();
  const { busy, problem, run } = useActions(() => undefined);
  const change = changeTo({ proposed, before }, without);
  const start = async () => {
    if (change === undefined) return;
    const to = new Date();
    const from = new Date(to.getTime() - Number(days) * DAY_MS);
    const body = { from: from.toISOString(), to: to.toISOString(), changes: [change] };
    setId((await dataOf(client.POST('/v1/pricing/rehearsals', { body }))).id);
  };
  return (
    <section class="card stack small" aria-label="Rehearsal">
      <h2>What past orders would have cost</h2>
      <p class="soft">Replays past orders with the form as it is now. Nothing is saved, and no order is changed.</p>
      <form
        class="rehearse-form"
        aria-label="Rehearse"
        onSubmit={(event) => {
          event.preventDefault();
          void run({ run: start });
        }}
      >
        <SelectField
          label="Orders of"
          value={days}
          onChange={(value) => setDays(value as RangeDays)}
          options={RANGES}
        />
        {before !== undefined && (
          <SelectField
            label="If it had been"
            value={without ? 'without' : 'form'}
            onChange={(value) => setWithout(value === 'without')}
            options={[
              ['form', 'As in the form'],
              ['without', 'Not there'],
            ]}
          />
        )}
        <button type="submit" class="primary" disabled={busy || change === undefined}>
          {busy ? 'Starting …' : 'Rehearse'}
        </button>
      </form>
      <p class="problem" role="alert">
        {problem}
      </p>
      {id !== undefined && <Running key={id} id={id} mark={before?.id ?? 'proposed_0'} />}
    </section>
  );
}

/** How far a rehearsal is, then its report. */
function Running({ id, mark }: { id: string; mark: string }) {
  const { client } = useSession();
  const [isDone, setIsDone] = useState(false);
  const loaded = useResource(
    async (signal) => {
      const params = { path: { rehearsalId: id } };
      const read = await dataOf(client.GET('/v1/pricing/rehearsals/{rehearsalId}', { params, signal }));
      if (read.status === 'done') setIsDone(true);
      return read;
    },
    [client, id],
    isDone ? {} : { everyMs: REFRESH_MS },
  );
  return (
    <Loaded from={loaded}>
      {({ status, progress: { orders, of }, report }) =>
        status === 'running' || report === undefined ? (
          <div role="status">
            <label class="progress">
              {orders.toLocaleString('en')} of {of.toLocaleString('en')} orders
              <progress value={orders} max={Math.max(1, of)} />
            </label>
          </div>
        ) : (
          <RehearsalReport report={report} mark={mark} />
        )
      }
    </Loaded>
  );
}
