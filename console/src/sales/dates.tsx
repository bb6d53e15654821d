import { type components, dataOf } from '@event-commerce/client';
import { time } from '../format/format.ts';
import { listOf } from '../data/list-of.ts';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { Notice } from '../ui/states.tsx';
import { useActions } from '../data/use-actions.ts';

type Event = components['schemas']['Event'];
type Field = NonNullable<Event['overrides']>[number];

const PAGE = 50;
const FIELD_TEXT: Record<Field, string> = {
  name: 'Name',
  description: 'Description',
  startsAt: 'Start',
  endsAt: 'End',
  timezone: 'Time zone',
  venueId: 'Venue',
  organizerId: 'Organizer',
  capacity: 'Capacity',
  status: 'Status',
  tags: 'Tags',
};

/** The dates of a series, each with the fields that it overrides and that can be reverted. */
export function Dates({ seriesId, onChanged }: { seriesId: string; onChanged: () => void }) {
  const { client } = useSession();
  const pages = usePages(seriesId);
  const dates = useResource(
    async (signal) => {
      const query = { seriesId, limit: PAGE, ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }) };
      const [series, found] = await Promise.all([
        dataOf(client.GET('/v1/events/{id}', { params: { path: { id: seriesId } }, signal })),
        listOf(client.GET('/v1/events', { params: { query }, signal })),
      ]);
      return { series, ...found };
    },
    [client, seriesId, pages.cursor],
  );
  const { problem, run } = useActions(() => {
    dates.reload();
    onChanged();
  });
  const revert = (date: Event, field: Field) => ({
    confirm: `Revert the ${FIELD_TEXT[field].toLowerCase()} of “${date.name ?? date.id}” to that of its series?`,
    run: async () => {
      const params = { path: { seriesId, instanceId: date.id } };
      await dataOf(
        client.POST('/v1/events/{seriesId}/instances/{instanceId}/revert', { params, body: { fields: [field] } }),
      );
    },
  });
  return (
    <div class="stack small">
      <p class="problem" role="alert">
        {problem}
      </p>
      <PagedTable
        from={dates}
        pages={pages}
        columns={['Date', 'Differs from the series']}
        empty={() => <Notice title="No dates yet">Add the dates of this series through the API.</Notice>}
      >
        {(date, { series }) => (
          <tr key={date.id}>
            <th scope="row">
              <a href={`/console/sales?event=${encodeURIComponent(date.id)}`}>{date.name ?? date.id}</a>
              <small>{date.startsAt === undefined ? 'No start yet' : time(date.startsAt, date.timezone)}</small>
              <div class="badges">
                <span class={`badge ${date.status === 'published' ? 'good' : ''}`}>{date.status}</span>
              </div>
            </th>
            <td>
              {(date.overrides ?? []).length === 0 ? (
                <span class="soft">Nothing: it follows the series.</span>
              ) : (
                <ul class="overrides">
                  {(date.overrides ?? []).map((field) => (
                    <li key={field}>
                      <span>
                        <b>{FIELD_TEXT[field]}</b> {textOf(date, field)}
                        <small>Series: {textOf(series, field)}</small>
                      </span>
                      <button
                        type="button"
                        aria-label={`Revert ${FIELD_TEXT[field]} of ${date.name ?? date.id}`}
                        onClick={() => void run(revert(date, field))}
                      >
                        Revert
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </td>
          </tr>
        )}
      </PagedTable>
    </div>
  );
}

function textOf(event: Event, field: Field): string {
  const value = event[field];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 'none';
  if (field === 'startsAt' || field === 'endsAt') return time(String(value), event.timezone);
  return Array.isArray(value) ? value.join(', ') : value.toLocaleString();
}
