import type { components } from '@event-commerce/client';
import { useEffect, useRef } from 'preact/hooks';
import { useActions } from '../data/use-actions.ts';
import { time } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import { callOffAddress, eventAddress, salesAddress } from './addresses.ts';
import { type CalendarDate, type DateState, dayText, STATE_TEXT } from './calendar-days.ts';
import { FIELD_TEXT } from './event-draft.ts';
import { Sold } from './sold.tsx';
import { revertField } from './revert.ts';
import { valueText } from './value-text.ts';

type Event = components['schemas']['Event'];

const BADGES: Partial<Record<DateState, string>> = { 'on-sale': 'good', 'sold-out': 'warn', 'called-off': 'warn' };

/** The dates of one day: the state of each, and how it differs from its series. */
export function DayPanel({
  series,
  day,
  dates,
  onChanged,
  onLeave,
}: {
  series: Event;
  day: string;
  dates: readonly CalendarDate[];
  onChanged: () => void;
  onLeave: () => void;
}) {
  const { client } = useSession();
  const { problem, run } = useActions(onChanged);
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever chose the day with the keyboard continues here.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card stack small day-panel" aria-label="The day">
      <h2 tabIndex={-1} ref={heading}>
        {dayText(day)}
      </h2>
      <p class="problem" role="alert">
        {problem}
      </p>
      {dates.map(({ event, state, differs }) => (
        <article key={event.id} class="stack small">
          <div>
            <h3>
              <a href={eventAddress(event.id)}>{event.name ?? event.id}</a>
            </h3>
            <p class="soft">{event.startsAt !== undefined && time(event.startsAt, event.timezone)}</p>
            <div class="badges">
              <span class={`badge ${BADGES[state] ?? ''}`}>{STATE_TEXT[state]}</span>
            </div>
          </div>
          <Sold event={event} />
          {differs.length === 0 ? (
            <p class="soft">Has everything else from the series.</p>
          ) : (
            <ul class="overrides">
              {differs.map((field) => (
                <li key={field}>
                  <span>
                    <b>{FIELD_TEXT[field]}</b> {valueText(event, field)}
                    <small>Series: {valueText(series, field)}</small>
                  </span>
                  <button
                    type="button"
                    aria-label={`Revert ${FIELD_TEXT[field]} of ${event.name ?? event.id}`}
                    onClick={() => void run(revertField(client, series, event, field))}
                  >
                    Revert
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div class="row-actions">
            <a class="button" href={eventAddress(event.id)}>
              Edit
            </a>{' '}
            <a class="button" href={salesAddress(event.id)}>
              Sales
            </a>{' '}
            {state !== 'called-off' && state !== 'over' && (
              <a class="button" href={callOffAddress(event.id)}>
                Call off
              </a>
            )}
          </div>
        </article>
      ))}
      <div class="form-end">
        <button type="button" onClick={onLeave}>
          Add dates
        </button>
      </div>
    </section>
  );
}
