import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { effectText } from '../shell/effect-text.ts';
import { SelectField } from '../shell/fields.tsx';
import { number, time } from '../shell/format.ts';
import { listOf } from '../shell/list-of.ts';
import { useResource } from '../shell/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Loaded, Notice, sentenceOf } from '../shell/states.tsx';
import { type Action, actionsFor } from './actions.ts';

type Adjustment = components['schemas']['Adjustment'];

const REFRESH_MS = 3_000;
const LISTED_MAX = 200;
const FILTERS = [
  ['active', 'Active'],
  ['scheduled', 'Scheduled'],
  ['paused', 'Paused'],
  ['draft', 'Drafts'],
  ['archived', 'Archived'],
] as const;
type Status = (typeof FILTERS)[number][0];

/** Every adjustment and coupon, and how much of its cap is used, while orders come in. */
export function CampaignsView() {
  const { client } = useSession();
  const [status, setStatus] = useState<Status>('active');
  const [problem, setProblem] = useState<string>();
  const campaigns = useResource(
    async (signal) => {
      const query = { status, limit: LISTED_MAX };
      const page = await listOf(client.GET('/v1/pricing/adjustments', { params: { query }, signal }));
      return { ...page, status };
    },
    [client, status],
    { everyMs: REFRESH_MS },
  );

  async function run(action: Action): Promise<void> {
    if (action.confirm !== undefined && !window.confirm(action.confirm)) return;
    try {
      setProblem(undefined);
      await action.run();
      campaigns.reload();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }

  return (
    <>
      <div class="title">
        <h1>Campaigns</h1>
        <div class="title-actions">
          <SelectField
            label="Status"
            value={status}
            onChange={(value) => setStatus(value as Status)}
            options={FILTERS}
          />
          <a class="button primary" href="/console/campaigns/new">
            New campaign
          </a>
        </div>
      </div>
      <p class="problem" role="alert">
        {problem}
      </p>
      <Loaded from={campaigns}>
        {({ items, next, status: listed }) =>
          items.length === 0 ? (
            <Notice title={listed === 'active' ? 'No campaign is active' : 'There are none'}>
              {listed === 'active' ? 'A campaign changes prices: a discount, a coupon code, a fee.' : undefined}
            </Notice>
          ) : (
            <>
              <table class="list">
                <thead>
                  <tr>
                    <th scope="col">Campaign</th>
                    <th scope="col">What it does</th>
                    <th scope="col">Used</th>
                    <th scope="col">Actions</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((adjustment) => (
                    <Row key={adjustment.id} adjustment={adjustment} onAction={(action) => void run(action)} />
                  ))}
                </tbody>
              </table>
              {next !== undefined && <p class="soft">These are the newest {number(LISTED_MAX)}; there are more.</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Row({ adjustment, onAction }: { adjustment: Adjustment; onAction: (action: Action) => void }) {
  const { client } = useSession();
  const { id, name, category, conditions, effect, couponId } = adjustment;
  return (
    <tr>
      <th scope="row">
        {couponId === undefined ? <a href={`/console/campaigns/${id}`}>{name}</a> : name}
        <div class="badges">
          <span class="badge">{couponId === undefined ? category : 'coupon'}</span>
          {conditions.code !== undefined && conditions.code !== name && <code>{conditions.code}</code>}
        </div>
      </th>
      <td>
        {effectText(effect)}
        <small>{whenText(conditions)}</small>
      </td>
      <td>
        <Used adjustment={adjustment} />
      </td>
      <td class="row-actions">
        {actionsFor(client, adjustment).map((action) => (
          <button
            key={action.label}
            type="button"
            aria-label={`${action.label} ${name}`}
            onClick={() => onAction(action)}
          >
            {action.label}
          </button>
        ))}
      </td>
    </tr>
  );
}

function Used({ adjustment: { conditions, usage } }: { adjustment: Adjustment }) {
  const max = conditions.maxRedemptions;
  const redeemed = usage?.redeemed ?? 0;
  if (max === undefined) {
    return (
      <span>
        {number(redeemed)} <span class="soft">redeemed</span>
      </span>
    );
  }
  return (
    <div class="used">
      <span>
        {number(redeemed)} <span class="soft">of {number(max)} redeemed</span>
      </span>
      <span class="meter" aria-hidden="true">
        <i style={{ width: `${max === 0 ? 100 : Math.min(100, (redeemed / max) * 100)}%` }} />
      </span>
      {usage?.remaining === 0 && <span class="badge warn">used up</span>}
    </div>
  );
}

function whenText({ startsAt, endsAt }: Adjustment['conditions']): string {
  const from = startsAt === undefined ? '' : `from ${time(startsAt)}`;
  const until = endsAt === undefined ? '' : `until ${time(endsAt)}`;
  return [from, until].filter((part) => part !== '').join(' ');
}
