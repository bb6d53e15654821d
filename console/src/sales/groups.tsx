import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../ui/fields.tsx';
import { count, number } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Notice } from '../ui/states.tsx';
import { useActions } from '../data/use-actions.ts';

type Schemas = components['schemas'];
type Group = Schemas['PurchaseGroup'];

const REFRESH_MS = 5_000;
const PAGE = 50;

/** The groups that buy together, and merging two of them. */
export function Groups({ event }: { event: Schemas['Event'] }) {
  const { client } = useSession();
  const pages = usePages(event.id);
  const [merging, setMerging] = useState<string>();
  const path = { id: event.id };
  const groups = useResource(
    async (signal) => {
      const query = {
        status: 'active' as const,
        limit: PAGE,
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      return await listOf(client.GET('/v1/events/{id}/purchase-groups', { params: { path, query }, signal }));
    },
    [client, event.id, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const { busy, problem, run } = useActions(groups.reload);
  const merge = (source: Group, target: Group, note: string) =>
    void run({
      run: async () => {
        const body = { sourceGroupId: source.id, combinedSize: source.size + target.size, note };
        const params = { path: { ...path, pgid: target.id } };
        await dataOf(client.POST('/v1/events/{id}/purchase-groups/{pgid}/merge', { params, body }));
        setMerging(undefined);
      },
    });
  return (
    <div class="stack small">
      <NewGroup
        busy={busy}
        onCreate={async (name, size) =>
          await run({
            run: async () =>
              dataOf(client.POST('/v1/events/{id}/purchase-groups', { params: { path }, body: { name, size } })),
          })
        }
      />
      <p class="problem" role="alert">
        {problem}
      </p>
      <PagedTable
        from={groups}
        pages={pages}
        columns={['Group', 'People', 'Notes', 'Actions']}
        empty={() => (
          <Notice title="No groups yet">A group keeps people together who buy separately: a choir, a class.</Notice>
        )}
      >
        {(group, { items }) => (
          <tr key={group.id}>
            <th scope="row">{group.name}</th>
            <td>
              {count(group.size, 'person', 'people')}
              <small>{group.members.map(({ name, email, id }) => name ?? email ?? id).join(', ')}</small>
            </td>
            <td>
              <ul class="plain">
                {group.notes.map(({ text, at }) => (
                  <li key={at}>{text}</li>
                ))}
              </ul>
            </td>
            <td class="row-actions">
              {items.length > 1 && merging !== group.id && (
                <button type="button" aria-label={`Merge ${group.name}`} onClick={() => setMerging(group.id)}>
                  Merge
                </button>
              )}
              {merging === group.id && (
                <MergeForm
                  source={group}
                  busy={busy}
                  others={items.filter(({ id }) => id !== group.id)}
                  onMerge={merge}
                  onLeave={() => setMerging(undefined)}
                />
              )}
            </td>
          </tr>
        )}
      </PagedTable>
    </div>
  );
}

function MergeForm({
  source,
  busy,
  others,
  onMerge,
  onLeave,
}: {
  source: Group;
  busy: boolean;
  others: readonly Group[];
  onMerge: (source: Group, target: Group, note: string) => void;
  onLeave: () => void;
}) {
  const [targetId, setTarget] = useState(others[0]?.id ?? '');
  const [note, setNote] = useState('');
  const target = others.find(({ id }) => id === targetId);
  return (
    <form
      class="question narrow"
      aria-label={`Merge ${source.name}`}
      onSubmit={(submit) => {
        submit.preventDefault();
        if (target !== undefined) onMerge(source, target, note);
      }}
    >
      <SelectField
        label="Into"
        hint={target === undefined ? undefined : `${number(source.size + target.size)} people together.`}
        value={targetId}
        onChange={setTarget}
        options={others.map(({ id, name }) => [id, name])}
      />
      <TextField label="Why" hint="Both groups keep this note." required value={note} onChange={setNote} />
      <div class="form-end">
        <button type="submit" class="primary" disabled={busy || note.trim() === '' || target === undefined}>
          Merge
        </button>
        <button type="button" onClick={onLeave}>
          Back
        </button>
      </div>
    </form>
  );
}

function NewGroup({
  busy,
  onCreate,
}: {
  busy: boolean;
  /** Resolves with whether it was created. */
  onCreate: (name: string, size: number) => Promise<boolean>;
}) {
  const [name, setName] = useState('');
  const [size, setSize] = useState('');
  const create = async () => {
    if (!(await onCreate(name.trim(), Number(size)))) return;
    setName('');
    setSize('');
  };
  return (
    <form
      class="inline-form"
      aria-label="New group"
      onSubmit={(submit) => {
        submit.preventDefault();
        void create();
      }}
    >
      <TextField label="Name" placeholder="The choir" value={name} onChange={setName} />
      <TextField label="People" type="number" min={1} value={size} onChange={setSize} />
      <button type="submit" disabled={busy || name.trim() === '' || !/^[1-9]\d*$/.test(size)}>
        Add a group
      </button>
    </form>
  );
}
