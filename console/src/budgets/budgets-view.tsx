import { useState } from 'preact/hooks';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSettled } from '../data/use-settled.ts';
import { useSession } from '../shell/session.tsx';
import { Title } from '../shell/title.tsx';
import { TextField } from '../ui/fields.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { Notice } from '../ui/states.tsx';
import { BudgetUse, limitText } from './budget-text.tsx';

const REFRESH_MS = 3_000;
const PAGE = 50;

/** Every budget, and what is left of it, while orders come in. */
export function BudgetsView() {
  const { client } = useSession();
  const [typed, setTyped] = useState('');
  const q = useSettled(typed.trim());
  const pages = usePages(q);
  const budgets = useResource(
    async (signal) => {
      const query = {
        limit: PAGE,
        ...(q === '' ? {} : { q }),
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      return { ...(await listOf(client.GET('/v1/pricing/budgets', { params: { query }, signal }))), plain: q === '' };
    },
    [client, q, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  return (
    <>
      <Title text="Budgets">
        <TextField label="Name" type="search" value={typed} onChange={setTyped} />
        <a class="button" href="/console/campaigns">
          All campaigns
        </a>
        <a class="button primary" href="/console/budgets/new">
          New budget
        </a>
      </Title>
      <PagedTable
        from={budgets}
        pages={pages}
        columns={['Budget', 'Limit', 'Taken off']}
        empty={({ plain }) => (
          <Notice title={plain ? 'There is no budget' : 'No budget matches'}>
            {plain ? 'A budget limits how much campaigns and coupons take off, to the cent.' : undefined}
          </Notice>
        )}
      >
        {(budget) => (
          <tr key={budget.id}>
            <th scope="row">
              <a href={`/console/budgets/${budget.id}`}>{budget.name}</a>
            </th>
            <td>{limitText(budget)}</td>
            <td>
              <BudgetUse budget={budget} />
            </td>
          </tr>
        )}
      </PagedTable>
    </>
  );
}
