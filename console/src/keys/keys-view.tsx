import { type components, dataOf } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { day, distance, OWN_ZONE } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { ActionMenu } from '../ui/action-menu.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Loaded, Notice } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { type Action, useActions } from '../data/use-actions.ts';
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
  const rotate = ({ id, name }: Key): Action => ({
    label: 'Rotate',
    confirm: {
      title: `Issue a new key for “${name}”?`,
      text: ['The new one may do the same. The old one keeps working for a day, then stops.'],
      yes: 'Issue a new key',
    },
    run: async () => {
      const body = { overlapSeconds: OVERLAP_SECONDS };
      setIssued(await dataOf(client.POST('/v1/admin/keys/{id}/rotate', { params: { path: { id } }, body })));
    },
  });
  const revoke = ({ id, name, lastUsed }: Key): Action => ({
    label: 'Revoke',
    confirm: {
      title: `Revoke “${name}”?`,
      text: [
        'It stops working within a second, for good. Everything that uses it fails from then on.',
        `${usedText(lastUsed)}.`,
        'This cannot be undone. To replace a key without a break, rotate it instead.',
      ],
      yes: 'Revoke the key',
      isDangerous: true,
    },
    run: async () => await dataOf(client.POST('/v1/admin/keys/{id}/revoke', { params: { path: { id } } })),
    done: { text: `“${name}” is revoked.` },
  });
  const actionsOf = (key: Key) =>
    key.status === 'active' ? [...(key.rotatedTo === null ? [rotate(key)] : []), revoke(key)] : [];

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
                <KeyTable keys={items} actionsOf={actionsOf} onAction={(action) => void run(action)} />
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
  actionsOf,
  onAction,
}: {
  keys: readonly Key[];
  actionsOf: (key: Key) => Action[];
  onAction: (action: Action) => void;
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
              <ActionMenu actions={actionsOf(key)} of={key.name} onAction={onAction} />
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
