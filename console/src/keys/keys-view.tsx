import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { day, distance, OWN_ZONE } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { useActions } from '../data/use-actions.ts';
import { IssueForm } from './issue-form.tsx';

type Schemas = components['schemas'];
type Key = Schemas['ApiKey'];
type Issued = Schemas['IssuedApiKey'];

const LISTED_MAX = 200;
/** Long enough to put the new key into a shop without haste. */
const OVERLAP_SECONDS = 24 * 60 * 60;

/** The company's API keys: issue, rotate, revoke. */
export function KeysView() {
  const { client } = useSession();
  const [issued, setIssued] = useState<Issued>();
  const keys = useResource(
    async (signal) => await listOf(client.GET('/v1/admin/keys', { params: { query: { limit: LISTED_MAX } }, signal })),
    [client],
  );
  const { busy, problem, run } = useActions(keys.reload);

  const issue = async (body: Schemas['CreateApiKey']) =>
    await run({ run: async () => setIssued(await dataOf(client.POST('/v1/admin/keys', { body }))) });
  const rotate = ({ id, name }: Key) => ({
    confirm: `Issue a new key for “${name}”? The old one keeps working for a day.`,
    run: async () => {
      const body = { overlapSeconds: OVERLAP_SECONDS };
      setIssued(await dataOf(client.POST('/v1/admin/keys/{id}/rotate', { params: { path: { id } }, body })));
    },
  });
  const revoke = ({ id, name }: Key) => ({
    confirm: `Revoke “${name}”? It stops working within a second, for good.`,
    run: async () => dataOf(client.POST('/v1/admin/keys/{id}/revoke', { params: { path: { id } } })),
  });

  return (
    <>
      <Title text="API keys" />
      <p class="problem" role="alert">
        {problem}
      </p>
      <Loaded from={keys}>
        {({ items, next }) => (
          <div class="split">
            <IssueForm busy={busy} onIssue={issue} />
            <div class="stack">
              {issued !== undefined && (
                <ShownOnce
                  key={issued.id}
                  label="The new key"
                  title={`The new key of “${issued.name}”`}
                  secret={issued.key}
                  onDone={() => setIssued(undefined)}
                />
              )}
              {items.length === 0 ? (
                <Notice title="There are no keys" />
              ) : (
                <KeyTable
                  keys={items}
                  onRotate={(key) => void run(rotate(key))}
                  onRevoke={(key) => void run(revoke(key))}
                />
              )}
              {next !== undefined && <p class="soft">These are the newest {LISTED_MAX}; there are more.</p>}
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

function KeyTable({
  keys,
  onRotate,
  onRevoke,
}: {
  keys: readonly Key[];
  onRotate: (key: Key) => void;
  onRevoke: (key: Key) => void;
}) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">May</th>
          <th scope="col">Use</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <th scope="row">
              {key.name}
              <div class="badges">
                <span class={`badge ${key.status === 'active' ? 'good' : ''}`}>{key.status}</span>
                {key.environment === 'test' && <span class="badge warn">test data</span>}
              </div>
            </th>
            <td>{key.scopes.map((scope) => (scope === '*' ? 'everything' : scope)).join(', ')}</td>
            <td>
              {usedText(key.lastUsed)}
              <small>{endText(key)}</small>
            </td>
            <td class="row-actions">
              {key.status === 'active' && (
                <>
                  {key.rotatedTo === null && (
                    <button type="button" aria-label={`Rotate ${key.name}`} onClick={() => onRotate(key)}>
                      Rotate
                    </button>
                  )}
                  <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
                    Revoke
                  </button>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function usedText(lastUsed: string | null): string {
  if (lastUsed === null) return 'Never used';
  const usedMs = Date.parse(lastUsed);
  return Date.now() - usedMs < 60_000 ? 'Used just now' : `Used ${distance(Date.now(), usedMs)}`;
}

function endText({ revoked, expires, created }: Key): string {
  if (revoked !== null) return `Revoked ${day(revoked, OWN_ZONE)}`;
  if (expires !== null) return `Expires ${day(expires, OWN_ZONE)}`;
  return `Issued ${day(created, OWN_ZONE)}`;
}
