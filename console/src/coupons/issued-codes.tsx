import { type Client, type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { saveCsv } from '../data/download.ts';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { type Action, useActions } from '../data/use-actions.ts';
import { count, OWN_ZONE, time } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Loaded, Notice } from '../ui/states.tsx';

type Batch = components['schemas']['CodeBatch'];

const REFRESH_MS = 2_000;
const COUNT_MAX = 1_000_000;

/** The codes of a coupon that gives each buyer one: made, exported, looked up and revoked. */
export function IssuedCodes({ couponId }: { couponId: string }) {
  const { client } = useSession();
  const params = { path: { id: couponId } };
  const batches = useResource(
    async (signal) => (await listOf(client.GET('/v1/coupons/{id}/codes/batches', { params, signal }))).items,
    [client, couponId],
    { everyMs: REFRESH_MS },
  );
  const { busy, problem, run } = useActions(batches.reload);
  return (
    <section class="card stack small" aria-label="Codes">
      <div class="list-head">
        <h2>Codes</h2>
        <button
          type="button"
          disabled={busy}
          onClick={() => void run({ run: async () => exportCodes(client, couponId) })}
        >
          Download all codes (CSV)
        </button>
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      <MakeCodes
        busy={busy}
        onMake={async (body) =>
          run({ run: async () => await dataOf(client.POST('/v1/coupons/{id}/codes', { params, body })) })
        }
      />
      <Loaded from={batches}>
        {(all) =>
          all.length === 0 ? (
            <Notice title="No codes yet">Make the first ones above: buyers can use them at once.</Notice>
          ) : (
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Made</th>
                  <th scope="col">Looks like</th>
                  <th scope="col" class="figure">
                    Codes
                  </th>
                  <th scope="col" class="figure">
                    Each counts
                  </th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                {all.map((batch) => (
                  <tr key={batch.id}>
                    <td>{time(batch.created, OWN_ZONE)}</td>
                    <td data-label="Looks like">{batch.pattern ?? 'Your own codes'}</td>
                    <td class="figure" data-label="Codes">
                      <Progress batch={batch} />
                    </td>
                    <td class="figure" data-label="Each counts">
                      {count(batch.limitPerCode, 'time')}
                    </td>
                    <td>
                      <div class="title-actions">
                        {actionsOf(client, batch).map((action) => (
                          <ActionButton
                            key={action.label}
                            action={action}
                            of={`the codes of ${time(batch.created, OWN_ZONE)}`}
                            onAction={() => void run(action)}
                          />
                        ))}
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      <FindCode couponId={couponId} />
    </section>
  );
}

function Progress({ batch: { status, made, count: wanted } }: { batch: Batch }) {
  if (status === 'running') {
    return (
      <label class="progress">
        {made.toLocaleString('en')} of {wanted.toLocaleString('en')}
        <progress value={made} max={wanted} />
      </label>
    );
  }
  return (
    <>
      {made.toLocaleString('en')}
      {status !== 'done' && <span class="badge warn">{status === 'revoking' ? 'being revoked' : 'revoked'}</span>}
    </>
  );
}

function actionsOf(client: Client, { id, couponId, made, status }: Batch): Action[] {
  const params = { path: { id: couponId, batchId: id } };
  return [
    { label: 'Download', run: async () => exportCodes(client, couponId, id) },
    ...(status === 'revoked' || status === 'revoking'
      ? []
      : [
          {
            label: 'Revoke',
            confirm: {
              title: `Revoke ${count(made, 'code')}?`,
              text: ['No order can use them any more.', 'Orders that have one keep it, and what they cost.'],
              yes: 'Revoke',
              isDangerous: true,
            } as const,
            run: async () => await dataOf(client.DELETE('/v1/coupons/{id}/codes/batches/{batchId}', { params })),
          },
        ]),
  ];
}

async function exportCodes(client: Client, couponId: string, batch?: string): Promise<void> {
  const query = { format: 'csv', ...(batch === undefined ? {} : { batch }) } as const;
  const params = { path: { id: couponId }, query };
  const reply = client.GET('/v1/coupons/{id}/codes', { params, parseAs: 'text' });
  await saveCsv(`codes-${batch ?? couponId}.csv`, reply);
}

function MakeCodes({
  busy,
  onMake,
}: {
  busy: boolean;
  onMake: (body: components['schemas']['IssueCodesInput']) => Promise<boolean>;
}) {
  const [typed, setTyped] = useState('100');
  const [pattern, setPattern] = useState('');
  const [each, setEach] = useState('1');
  const wanted = Number(typed);
  const limitPerCode = Number(each);
  const countProblem =
    Number.isInteger(wanted) && wanted >= 1 && wanted <= COUNT_MAX ? undefined : 'From 1 to 1,000,000.';
  const eachProblem = Number.isInteger(limitPerCode) && limitPerCode >= 1 ? undefined : 'A whole number, 1 or more.';
  return (
    <form
      class="code-form"
      aria-label="Make codes"
      onSubmit={(event) => {
        event.preventDefault();
        void onMake({ count: wanted, limitPerCode, ...(pattern.trim() === '' ? {} : { pattern: pattern.trim() }) });
      }}
    >
      <TextField label="How many" type="number" min={1} value={typed} problem={countProblem} onChange={setTyped} />
      <TextField
        label="Looks like"
        hint="Each # is a random character."
        placeholder="####-####-####"
        value={pattern}
        onChange={setPattern}
      />
      <TextField
        label="Each counts"
        hint="How many orders may use it."
        type="number"
        min={1}
        value={each}
        problem={eachProblem}
        onChange={setEach}
      />
      <button type="submit" class="primary" disabled={busy || countProblem !== undefined || eachProblem !== undefined}>
        Make codes
      </button>
    </form>
  );
}

/** Says whether a code was used, for a buyer who asks why it does not work. */
function FindCode({ couponId }: { couponId: string }) {
  const { client } = useSession();
  const [code, setCode] = useState('');
  const [found, setFound] = useState<components['schemas']['IssuedCodeDetail']>();
  const { busy, problem, run } = useActions(() => undefined);
  const params = { path: { id: couponId, code: code.trim() } };
  return (
    <form
      class="inline-form"
      aria-label="Look up a code"
      onSubmit={(event) => {
        event.preventDefault();
        setFound(undefined);
        void run({ run: async () => setFound(await dataOf(client.GET('/v1/coupons/{id}/codes/{code}', { params }))) });
      }}
    >
      <TextField label="Look up a code" value={code} problem={problem} onChange={setCode} />
      <button type="submit" disabled={busy || code.trim() === ''}>
        Look up
      </button>
      {found !== undefined && (
        <div role="status">
          <p>
            {found.code} is {found.status}
            {found.limit > 0 && `: ${found.claimed} of ${count(found.limit, 'time')}`}.
          </p>
          {found.orderIds.length > 0 && (
            <ul>
              {found.orderIds.map((id) => (
                <li key={id}>
                  <a href={`/console/sales/orders/${id}`}>{id}</a>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </form>
  );
}
