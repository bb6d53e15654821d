import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { addressOf, questionFrom } from '../explain/question.ts';
import { ActionMenu } from '../ui/action-menu.tsx';
import { TextField } from '../ui/fields.tsx';
import { count, money, number } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Notice } from '../ui/states.tsx';
import { type Action, useActions } from '../data/use-actions.ts';

type Schemas = components['schemas'];
type Table = Schemas['TableCommitment'];

const REFRESH_MS = 3_000;
const PAGE = 50;
const BADGES: Record<Table['status'], string> = { open: 'good', full: 'warn', closed: '' };

/** The tables of an event, with who holds their seats. */
export function Tables({ event }: { event: Schemas['Event'] }) {
  const { client } = useSession();
  const pages = usePages(event.id);
  const tables = useResource(
    async (signal) => {
      const query = {
        contextId: event.id,
        limit: PAGE,
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      return await listOf(client.GET('/v1/cart/table-commitments', { params: { query }, signal }));
    },
    [client, event.id, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const { busy, problem, run } = useActions(tables.reload);
  const close = ({ id, seats, seatsTaken }: Table): Action => ({
    label: 'Close',
    confirm: {
      title: `Close table ${id}?`,
      text: [
        `Nobody else can join: ${count(seats - seatsTaken, 'free seat')} cannot be taken any more.`,
        `The ${count(seatsTaken, 'taken seat')} ${seatsTaken === 1 ? 'stays' : 'stay'} taken.`,
        'A closed table cannot be opened again.',
      ],
      yes: 'Close the table',
      isDangerous: true,
    },
    run: async () => await dataOf(client.POST('/v1/cart/table-commitments/{id}/close', { params: { path: { id } } })),
  });
  const resize = (id: string, seats: number) => ({
    run: async () =>
      dataOf(client.PATCH('/v1/cart/table-commitments/{id}', { params: { path: { id } }, body: { seats } })),
  });
  return (
    <div class="stack small">
      <NewTable
        busy={busy}
        onCreate={async (seats, id) =>
          await run({
            run: async () =>
              dataOf(
                client.POST('/v1/cart/table-commitments', {
                  body: { contextId: event.id, seats, ...(id === '' ? {} : { id }) },
                }),
              ),
          })
        }
      />
      <p class="problem" role="alert">
        {problem}
      </p>
      <PagedTable
        from={tables}
        pages={pages}
        columns={['Table', 'Seats taken', 'Who', 'Actions']}
        empty={() => <Notice title="No tables yet">A table has seats that buyers join with their carts.</Notice>}
      >
        {(table) => (
          <tr key={table.id}>
            <th scope="row">
              {table.id}
              <div class="badges">
                <span class={`badge ${BADGES[table.status]}`}>{table.status}</span>
              </div>
            </th>
            <td>
              <div class="used">
                <span>
                  {number(table.seatsTaken)} <span class="soft">of {number(table.seats)}</span>
                </span>
                <span class="meter" aria-hidden="true">
                  <i style={{ width: `${Math.min(100, (table.seatsTaken / table.seats) * 100)}%` }} />
                </span>
              </div>
              {spendText(table.minimumSpend)}
            </td>
            <td>
              <ul class="plain">
                {table.parties.map(({ sessionId, seats, orderId }) => (
                  <li key={`${sessionId} ${orderId}`}>
                    <Holder id={sessionId} /> {seats > 1 && <span class="soft">{number(seats)} seats </span>}
                    {orderId === undefined && <span class="soft">not ordered</span>}
                  </li>
                ))}
              </ul>
            </td>
            <td class="row-actions">
              <ChangeSeats
                key={table.seats}
                table={table}
                busy={busy}
                onChange={(seats) => void run(resize(table.id, seats))}
              />
              {table.status !== 'closed' && (
                <ActionMenu actions={[close(table)]} of={table.id} onAction={(action) => void run(action)} />
              )}
            </td>
          </tr>
        )}
      </PagedTable>
    </div>
  );
}

function ChangeSeats({ table, busy, onChange }: { table: Table; busy: boolean; onChange: (seats: number) => void }) {
  const [seats, setSeats] = useState(String(table.seats));
  const isNew = /^[1-9]\d*$/.test(seats) && Number(seats) !== table.seats;
  return (
    <form
      class="inline-form"
      aria-label={`Seats of ${table.id}`}
      onSubmit={(submit) => {
        submit.preventDefault();
        onChange(Number(seats));
      }}
    >
      <TextField label="Seats" type="number" min={Math.max(1, table.seatsTaken)} value={seats} onChange={setSeats} />
      <button type="submit" disabled={busy || !isNew}>
        Change
      </button>
    </form>
  );
}

/** A seat belongs to a cart until it is ordered; then the cart keeps its name. */
function Holder({ id }: { id: string }) {
  return <a href={addressOf({ ...questionFrom({ of: 'cart' }), of: 'cart', id })}>{id}</a>;
}

function spendText(spend: Table['minimumSpend']) {
  if (spend === undefined) return null;
  const text = typeof spend === 'object' ? money(spend.amount, spend.currency) : (spend / 100).toFixed(2);
  return <small>Minimum spend {text}</small>;
}

function NewTable({
  busy,
  onCreate,
}: {
  busy: boolean;
  /** Resolves with whether it was created. */
  onCreate: (seats: number, id: string) => Promise<boolean>;
}) {
  const [seats, setSeats] = useState('8');
  const [id, setId] = useState('');
  const create = async () => {
    if (await onCreate(Number(seats), id.trim())) setId('');
  };
  return (
    <form
      class="inline-form"
      aria-label="New table"
      onSubmit={(submit) => {
        submit.preventDefault();
        void create();
      }}
    >
      <TextField label="Name" placeholder="table-7" value={id} onChange={setId} />
      <TextField label="Seats" type="number" min={1} value={seats} onChange={setSeats} />
      <button type="submit" disabled={busy || !/^[1-9]\d*$/.test(seats)}>
        Add a table
      </button>
    </form>
  );
}
