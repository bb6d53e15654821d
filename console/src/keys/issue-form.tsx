import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { TextField } from '../ui/fields.tsx';

type CreateApiKey = components['schemas']['CreateApiKey'];
type Scope = CreateApiKey['scopes'][number];

/** What each scope is for, in the words of those who issue keys. */
const SCOPES: readonly (readonly [Scope, string])[] = [
  ['*', 'Everything, keys too.'],
  ['pricing:evaluate', 'Ask what something costs.'],
  ['pricing:read', 'See campaigns and their codes.'],
  ['pricing:write', 'Create and change campaigns.'],
  ['pricing:redeem', 'Redeem for orders of another system.'],
  ['coupons:read', 'See coupons.'],
  ['coupons:write', 'Create and change coupons.'],
  ['carts:read', 'See carts.'],
  ['carts:write', 'Fill carts.'],
  ['orders:checkout', "Place orders at the catalogue's prices: what a shop needs."],
  ['orders:read', 'See orders.'],
  ['orders:write', 'Place orders at stated prices, change and cancel them.'],
  ['events:read', 'See events and offerings.'],
  ['events:write', 'Create and change events and offerings.'],
  ['activity:read', 'See what happened, of the records that the other scopes let it read.'],
  ['webhooks:read', 'See webhooks and their deliveries.'],
  ['webhooks:write', 'Create, change and delete webhooks, and send events again.'],
  ['customers:erase', 'Erase customers from all records. This cannot be undone.'],
  ['keys:admin', 'Issue, rotate and revoke keys.'],
];

/** `onIssue` resolves with whether the key was issued. */
export function IssueForm({ busy, onIssue }: { busy: boolean; onIssue: (body: CreateApiKey) => Promise<boolean> }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [expires, setExpires] = useState('');

  async function submit(): Promise<void> {
    const expiresAt = expires === '' ? {} : { expiresAt: new Date(expires).toISOString() };
    if (!(await onIssue({ name, scopes: [...scopes], ...expiresAt }))) return;
    setName('');
    setScopes([]);
    setExpires('');
  }

  return (
    <form
      class="card question"
      aria-label="Issue a key"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>Issue a key</h2>
      <TextField label="Name" hint="Who uses it: web shop, accounting." required value={name} onChange={setName} />
      <fieldset class="scopes">
        <legend>What it may do</legend>
        {SCOPES.map(([scope, hint]) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={(event) =>
                setScopes(
                  event.currentTarget.checked ? [...scopes, scope] : scopes.filter((chosen) => chosen !== scope),
                )
              }
            />
            <code>{scope}</code>
            <small>{hint}</small>
          </label>
        ))}
      </fieldset>
      <TextField
        label="Expires"
        type="datetime-local"
        hint="In your time zone. Empty: never, or with the key that you use."
        value={expires}
        onChange={setExpires}
      />
      <button type="submit" class="primary" disabled={busy || scopes.length === 0 || name.trim() === ''}>
        Issue key
      </button>
    </form>
  );
}
