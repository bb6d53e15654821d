import type { components } from '@event-commerce/client';
import { useLocation } from 'preact-iso';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { useSettled } from '../data/use-settled.ts';
import { time } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { Title } from '../shell/title.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { usePages } from '../ui/pager.tsx';
import { Notice } from '../ui/states.tsx';
import { eventAddress, salesAddress } from './addresses.ts';
import { STATUSES } from './event-draft.ts';
import { Sold } from './sold.tsx';
import { StatusBadge } from './status-badge.tsx';

type Event = components['schemas']['Event'];

const REFRESH_MS = 5_000;
const PAGE = 25;
const WHEN = [
  ['', 'Upcoming'],
  ['all', 'All, newest first'],
] as const;
const KINDS = [
  ['', 'Events and dates'],
  ['single', 'Single events'],
  ['series', 'Series'],
  ['instance', 'Dates of series'],
] as const;
const STATUS_OPTIONS = [['', 'Any'], ...STATUSES.map(([status]) => [status, capitalized(status)] as const)] as const;
const FILTERS = ['q', 'when', 'kind', 'status'] as const;
type Typed = Record<(typeof FILTERS)[number], string>;

/** The company's events, those to come first. */
export function EventsView() {
  const { client } = useSession();
  const { query: address, route } = useLocation();
  const typed = Object.fromEntries(FILTERS.map((name) => [name, address[name] ?? ''])) as Typed;
  const asked = useSettled(JSON.stringify(typed));
  const pages = usePages(asked);
  const events = useResource(
    async (signal) => {
      const { q, when, kind, status } = JSON.parse(asked) as Typed;
      const query = {
        limit: PAGE,
        availability: 'true',
        ...(q.trim() === '' ? {} : { q: q.trim() }),
        ...(when === '' ? ({ sort: 'startsAt', endsAfter: new Date().toISOString() } as const) : {}),
        ...(kind === '' ? {} : { kind: kind as Event['kind'] }),
        ...(status === '' ? {} : { status: status as NonNullable<Event['status']> }),
        ...(pages.cursor === undefined ? {} : { cursor: pages.cursor }),
      };
      const page = await listOf(client.GET('/v1/events', { params: { query }, signal }));
      return { ...page, isFiltered: q.trim() !== '' || kind !== '' || status !== '', when };
    },
    [client, asked, pages.cursor],
    { everyMs: REFRESH_MS },
  );
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: (value: string) => route(addressOf({ ...typed, [name]: value }), true),
  });
  return (
    <>
      <Title text="Events">
        <a class="button" href="/console/events/new?kind=series">
          New series
        </a>
        <a class="button primary" href="/console/events/new">
          New event
        </a>
      </Title>
      <form class="search-four" aria-label="Events" onSubmit={(submit) => submit.preventDefault()}>
        <TextField label="Search" type="search" placeholder="Name or description" {...field('q')} />
        <SelectField label="When" options={WHEN} {...field('when')} />
        <SelectField label="What" options={KINDS} {...field('kind')} />
        <SelectField label="Status" options={STATUS_OPTIONS} {...field('status')} />
      </form>
      <PagedTable
        from={events}
        pages={pages}
        columns={['Event', 'When', 'Where', 'Tickets', 'Actions']}
        pageNames={typed.when === '' ? ['Earlier', 'Later'] : undefined}
        empty={({ isFiltered, when }) => (
          <Notice title={isFiltered ? 'No event matches' : when === '' ? 'No event is coming up' : 'No events yet'}>
            {isFiltered
              ? 'Try fewer filters.'
              : when === ''
                ? 'Create one, or look at all events.'
                : 'Create the first one: it can sell tickets at once.'}
          </Notice>
        )}
      >
        {(event) => <Row key={event.id} event={event} />}
      </PagedTable>
    </>
  );
}

function addressOf(typed: Typed): string {
  const filled = Object.entries(typed).filter(([, value]) => value !== '');
  const address = new URLSearchParams(Object.fromEntries(filled)).toString();
  return `/console/events${address === '' ? '' : `?${address}`}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function Row({ event }: { event: Event }) {
  const { id, kind, name = id, status, startsAt, timezone, venueId } = event;
  const isSeries = kind === 'series';
  return (
    <tr>
      <th scope="row">
        <a href={eventAddress(id, isSeries ? 'dates' : 'event')}>{name}</a>
        <div class="badges">
          <StatusBadge status={status} />
          {kind !== 'single' && <span class="badge">{isSeries ? 'series' : 'date of a series'}</span>}
        </div>
      </th>
      <td>{isSeries ? 'See its dates' : startsAt === undefined ? 'No start yet' : time(startsAt, timezone)}</td>
      <td>{venueId}</td>
      <td>{(!isSeries || sellsItself(event)) && <Sold event={event} />}</td>
      <td class="row-actions">
        <a class="button" aria-label={`Sales of ${name}`} href={salesAddress(id)}>
          Sales
        </a>
      </td>
    </tr>
  );
}

/** A series sells mostly through its dates. */
function sellsItself({ availability }: Event): boolean {
  return availability !== undefined && availability.sold + availability.held > 0;
}
