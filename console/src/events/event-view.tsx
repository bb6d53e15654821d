import { type components, dataOf } from '@event-commerce/client';
import { useLocation, useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { History } from '../activity/history.tsx';
import { FormEnd } from '../campaigns/form-end.tsx';
import { useEditing } from '../campaigns/use-editing.ts';
import { fieldProblems } from '../data/field-problems.ts';
import { useResource } from '../data/resource.ts';
import { useActions } from '../data/use-actions.ts';
import { aboutEvent } from '../format/event-name.ts';
import { OWN_ZONE } from '../format/format.ts';
import { localOf } from '../format/zoned-time.ts';
import { useSession } from '../shell/session.tsx';
import { Title } from '../shell/title.tsx';
import { ChoiceField } from '../ui/fields.tsx';
import { Loaded } from '../ui/states.tsx';
import { callOffAddress, eventAddress, salesAddress } from './addresses.ts';
import { CallOffDialog } from './call-off-dialog.tsx';
import { CalledOff } from './called-off.tsx';
import { DatesView } from './dates-view.tsx';
import {
  eventChangeOf,
  eventCreationOf,
  type EventDraft,
  eventDraftOf,
  type EventField,
  eventProblems,
  FIELD_TEXT,
  newEventDraft,
} from './event-draft.ts';
import { EventForm } from './event-form.tsx';
import { Offerings } from './offerings.tsx';
import { revertField } from './revert.ts';
import { StatusBadge } from './status-badge.tsx';

type Event = components['schemas']['Event'];

const NEW = 'new';
const PATHS = Object.fromEntries(Object.keys(FIELD_TEXT).map((field) => [field, field])) as Record<EventField, string>;

/** One event to create or change, with what it sells; a series with its dates. */
export function EventView() {
  const { client } = useSession();
  const id = useRoute().params['id'] ?? NEW;
  const { query, route } = useLocation();
  const loaded = useResource(
    async (signal) => {
      if (id === NEW) return {};
      const read = async (one: string) =>
        await dataOf(client.GET('/v1/events/{id}', { params: { path: { id: one } }, signal }));
      const event = await read(id);
      return event.seriesId === undefined ? { event } : { event, series: await read(event.seriesId) };
    },
    [client, id],
  );
  const shown = loaded.value?.event;
  const event = shown?.id === id ? shown : undefined;
  // A series is called off date by date.
  const isOneDate = event !== undefined && event.kind !== 'series';
  const isDates = event?.kind === 'series' && query['show'] === 'dates';
  return (
    <>
      <Title
        text={id === NEW ? 'New event' : (event?.name ?? 'Event')}
        badge={event && <StatusBadge status={event.status} />}
      >
        {isOneDate && event.status !== 'cancelled' && (
          <a class="button" href={callOffAddress(event.id)}>
            Call off
          </a>
        )}
        {event !== undefined && (
          <a class="button" href={salesAddress(event.id)}>
            Sales
          </a>
        )}
        <a class="button" href="/console/events">
          All events
        </a>
      </Title>
      <Loaded from={loaded}>
        {({ series }) => {
          if (id !== NEW && event === undefined) return <p role="status">Loading …</p>;
          return (
            <div class="stack">
              {event !== undefined && (
                <p class="soft">
                  {aboutEvent(event)}
                  {series !== undefined && (
                    <>
                      . A date of{' '}
                      <a href={eventAddress(series.id, 'dates', placeOf(event))}>{series.name ?? series.id}</a>.
                    </>
                  )}
                </p>
              )}
              {isOneDate && event.status === 'cancelled' && (
                <CalledOff key={event.id} eventId={event.id} onUndone={loaded.reload} />
              )}
              {isOneDate && 'call-off' in query && (
                <CallOffDialog
                  key={event.id}
                  event={event}
                  onCalledOff={loaded.reload}
                  onClose={() => route(eventAddress(event.id), true)}
                />
              )}
              {event?.kind === 'series' && (
                <nav class="tabs" aria-label="Of this series">
                  <a href={eventAddress(event.id)} aria-current={isDates ? undefined : 'page'}>
                    Series
                  </a>
                  <a href={eventAddress(event.id, 'dates')} aria-current={isDates ? 'page' : undefined}>
                    Dates
                  </a>
                </nav>
              )}
              {isDates ? (
                <DatesView series={event} />
              ) : (
                <Editor
                  key={id}
                  event={event}
                  series={series}
                  onSaved={(saved) => loaded.replace({ event: saved, ...(series === undefined ? {} : { series }) })}
                  onReverted={loaded.reload}
                />
              )}
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

/** Where a date is in the calendar of its series. */
function placeOf({ startsAt, timezone }: Event): { year?: number; day?: string } {
  if (startsAt === undefined) return {};
  const day = localOf(startsAt, timezone ?? 'UTC').slice(0, 10);
  return { year: Number(day.slice(0, 4)), day };
}

function Editor({
  event,
  series,
  onSaved,
  onReverted,
}: {
  event: Event | undefined;
  series: Event | undefined;
  onSaved: (saved: Event) => void;
  onReverted: () => void;
}) {
  const { client } = useSession();
  const { query } = useLocation();
  const state = useState<Partial<EventDraft>>({});
  const saved =
    event === undefined
      ? newEventDraft(query['kind'] === 'series' ? 'series' : 'single', OWN_ZONE)
      : eventDraftOf(event);
  const editing = useEditing(saved, state, async (wanted) => {
    if (event === undefined) {
      const created = await dataOf(client.POST('/v1/events', { body: eventCreationOf(wanted) }));
      return eventAddress(created.id);
    }
    const params = { path: { id: event.id } };
    onSaved(await dataOf(client.PATCH('/v1/events/{id}', { params, body: eventChangeOf(wanted, saved) })));
    return undefined;
  });
  const { problem, run } = useActions(onReverted);
  const venues = useResource(
    async (signal) => {
      const params = { query: { limit: 1, facets: 'true' } };
      const { data } = await client.GET('/v1/events', { params, signal });
      return (data?.page.facets?.venues ?? []).map(({ venueId }) => venueId);
    },
    [client],
  );
  const { draft } = editing;
  const own = eventProblems(draft);
  const refused = fieldProblems(editing.error, PATHS);
  // An empty form is not full of problems.
  const { name: _, ...ownButName } = own;
  const revert = async (field: EventField) => {
    if (event === undefined || series === undefined) return;
    const isDone = await run(revertField(client, series, event, field));
    // What was typed over it no longer applies.
    if (isDone) state[1](({ [field]: _typed, ...others }) => others);
  };
  return (
    <div class="split even">
      <div class="stack">
        <p class="problem" role="alert">
          {problem}
        </p>
        <EventForm
          draft={draft}
          problems={{ ...refused.fields, ...(draft.name === '' && event === undefined ? ownButName : own) }}
          venues={venues.value ?? []}
          inherits={
            event === undefined || series === undefined
              ? undefined
              : { series, overrides: event.overrides ?? [], onRevert: (field) => void revert(field) }
          }
          onChange={editing.type}
          onSubmit={editing.submit}
          isLocked={editing.busy && event === undefined}
        >
          {event === undefined && (
            <ChoiceField
              label="Kind"
              value={draft.kind === 'series' ? 'series' : 'single'}
              onChange={(kind) => editing.type({ kind })}
              options={[
                ['single', 'Takes place once'],
                ['series', 'A series with dates'],
              ]}
            />
          )}
          <FormEnd
            editing={{ ...editing, problem: refused.rest }}
            isNew={event === undefined}
            canSave={Object.keys(own).length === 0}
          />
        </EventForm>
      </div>
      <div class="stack">
        {event === undefined ? (
          <section class="card">
            <h2>Then put it on sale</h2>
            <p class="soft">
              Once it is created, add its offerings here: each has a price, and a number of tickets if it is limited. A
              draft sells nothing until you publish it.
            </p>
          </section>
        ) : (
          <>
            <Offerings key={event.id} event={event} />
            <History of={event.id} />
          </>
        )}
      </div>
    </div>
  );
}
