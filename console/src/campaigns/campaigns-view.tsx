import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { ActionMenu } from '../ui/action-menu.tsx';
import { eligibleTotalText, weekText } from '../format/condition-text.ts';
import { effectText } from '../format/effect-text.ts';
import { SelectField, TextField } from '../ui/fields.tsx';
import { count, number, OWN_ZONE, time } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Notice } from '../ui/states.tsx';
import { Title } from '../shell/title.tsx';
import { type Action, useActions } from '../data/use-actions.ts';
import { useSettled } from '../data/use-settled.ts';
import { actionsFor } from './actions.ts';

type Adjustment = components['schemas']['Adjustment'];

const REFRESH_MS = 3_000;
const PAGE = 50;
const FILTERS = [
  ['active', 'Active'],
  ['scheduled', 'Scheduled'],
  ['paused', 'Paused'],
  ['draft', 'Drafts'],
  ['archived', 'Archived'],
  ['', 'All'],
] as const;
type Status = (typeof FILTERS)[number][0];

/** Every adjustment and coupon, and how much of its cap is used, while orders come in. */
export function CampaignsView() {
  const { client } = useSession();
  const [status, setStatus] = useState<Status>('active');
  const [typedCode, setCode] = useState('');
  const code = useSettled(typedCode.trim());
  const pages = usePages(`${status} ${code}`);
  const campaigns = useResource(
    async (signal) => {
      const query = {
        limit: PAGE,
        ...(status === '' ? {} : { status }),
        ...(code === '' ? {} : { code }),
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      const page = await listOf(client.GET('/v1/pricing/adjustments', { params: { query }, signal }));
      return { ...page, plain: status === 'active' && code === '' };
    },
    [client, status, code, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const { problem, run } = useActions(campaigns.reload);

  return (
    <>
      <Title text="Campaigns">
        <TextField label="Code" type="search" placeholder="SUMMER20" value={typedCode} onChange={setCode} />
        <SelectField label="Status" value={status} onChange={(value) => setStatus(value as Status)} options={FILTERS} />
        <a class="button" href="/console/budgets">
          Budgets
        </a>
        <a class="button" href="/console/coupons/new">
          New coupon
        </a>
        <a class="button primary" href="/console/campaigns/new">
          New campaign
        </a>
      </Title>
      <p class="problem" role="alert">
        {problem}
      </p>
      <PagedTable
        from={campaigns}
        pages={pages}
        columns={['Campaign', 'What it does', 'Used', 'Actions']}
        empty={({ plain }) => (
          <Notice title={plain ? 'No campaign is active' : 'No campaign matches'}>
            {plain ? 'A campaign changes prices: a discount, a code, a fee. Create the first one.' : undefined}
          </Notice>
        )}
      >
        {(adjustment) => (
          <Row
            key={adjustment.id}
            adjustment={adjustment}
            withStatus={status === ''}
            onAction={(action) => void run(action)}
          />
        )}
      </PagedTable>
    </>
  );
}

function Row({
  adjustment,
  withStatus,
  onAction,
}: {
  adjustment: Adjustment;
  withStatus: boolean;
  onAction: (action: Action) => void;
}) {
  const { client } = useSession();
  const { id, name, category, conditions, effect, couponId, status } = adjustment;
  return (
    <tr>
      <th scope="row">
        <a href={couponId === undefined ? `/console/campaigns/${id}` : `/console/coupons/${couponId}`}>{name}</a>
        <div class="badges">
          <span class="badge">{couponId === undefined ? category : 'coupon'}</span>
          {withStatus && <span class={`badge ${status === 'active' ? 'good' : ''}`}>{status}</span>}
          {conditions.code !== undefined && conditions.code !== name && <code>{conditions.code}</code>}
        </div>
      </th>
      <td>
        {effectText(effect)}
        <small>{[whoText(conditions), whenText(conditions)].filter((text) => text !== '').join(', ')}</small>
      </td>
      <td>
        <Used adjustment={adjustment} />
      </td>
      <td class="row-actions">
        <ActionMenu actions={actionsFor(client, adjustment)} of={name} onAction={onAction} />
      </td>
    </tr>
  );
}

function Used({ adjustment: { conditions, usage } }: { adjustment: Adjustment }) {
  const { maxRedemptions, maxTickets } = conditions;
  const tickets = usage?.tickets;
  return (
    <div class="used">
      <Cap used={usage?.redeemed ?? 0} max={maxRedemptions} what="redeemed" />
      {tickets !== undefined && <Cap used={tickets.claimed} max={maxTickets} what="tickets" />}
      {(usage?.remaining === 0 || tickets?.remaining === 0) && <span class="badge warn">used up</span>}
    </div>
  );
}

/** How much is used, as a bar if it is limited. */
function Cap({ used, max, what }: { used: number; max: number | undefined; what: string }) {
  const of = max === undefined ? '' : `of ${number(max)} `;
  return (
    <>
      <span>
        {number(used)} <span class="soft">{`${of}${what}`}</span>
      </span>
      {max !== undefined && (
        <span class="meter" aria-hidden="true">
          <i style={{ width: `${max === 0 ? 100 : Math.min(100, (used / max) * 100)}%` }} />
        </span>
      )}
    </>
  );
}

function whoText(conditions: Adjustment['conditions']): string {
  const { minQuantity, maxQuantity, customerSegments, channelIds } = conditions;
  return [
    ...[eligibleTotalText(conditions)].filter((text) => text !== ''),
    ...(minQuantity === undefined ? [] : [`from ${count(minQuantity, 'ticket')}`]),
    ...(maxQuantity === undefined ? [] : [`up to ${count(maxQuantity, 'ticket')}`]),
    ...(customerSegments === undefined ? [] : [`for ${customerSegments.join(' or ')}`]),
    ...(channelIds === undefined ? [] : [`through ${channelIds.join(' or ')}`]),
  ].join(', ');
}

function whenText(conditions: Adjustment['conditions']): string {
  const { startsAt, endsAt } = conditions;
  const from = startsAt === undefined ? '' : `from ${time(startsAt, OWN_ZONE)}`;
  const until = endsAt === undefined ? '' : `until ${time(endsAt, OWN_ZONE)}`;
  return [weekText(conditions), from, until].filter((part) => part !== '').join(' ');
}
