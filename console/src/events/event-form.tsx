import type { components } from '@event-commerce/client';
import type { ComponentChildren } from 'preact';
import { SelectField, TextAreaField, TextField } from '../ui/fields.tsx';
import { ZonePicker } from '../ui/zone-picker.tsx';
import { type EventDraft, type EventField, type EventProblems, FIELD_TEXT, STATUSES } from './event-draft.ts';
import { valueText } from './value-text.ts';

type Event = components['schemas']['Event'];

interface Props {
  draft: EventDraft;
  problems: EventProblems;
  /** Venues of other events. */
  venues: readonly string[];
  /** For a date of a series: the series, and which of its fields the date overrides. */
  inherits?: { series: Event; overrides: readonly EventField[]; onRevert: (field: EventField) => void } | undefined;
  onChange: (changed: Partial<EventDraft>) => void;
  onSubmit: () => void;
  /** Nothing can be typed now: it would be lost. */
  isLocked: boolean;
  children: ComponentChildren;
}

/** Every field of an event. For a date of a series, each shows the value of the series beside it. */
export function EventForm({ draft, problems, venues, inherits, onChange, onSubmit, isLocked, children }: Props) {
  const common = (field: EventField) => ({
    label: FIELD_TEXT[field],
    value: draft[field],
    problem: problems[field],
  });
  const text = (field: EventField) => ({
    ...common(field),
    onChange: (value: string) => onChange({ [field]: value }),
  });
  const zone = draft.timezone || 'UTC';
  const field = (name: EventField, input: ComponentChildren) =>
    inherits === undefined ? (
      input
    ) : (
      <div class="own-field">
        {input}
        <Inherited field={name} {...inherits} />
      </div>
    );
  const pair = inherits === undefined ? 'pair stacks' : 'question';
  return (
    <form
      class="card question"
      inert={isLocked}
      aria-label="Event"
      onSubmit={(submit) => {
        submit.preventDefault();
        onSubmit();
      }}
    >
      {field('name', <TextField {...text('name')} />)}
      {field('description', <TextAreaField {...text('description')} />)}
      <div class={pair}>
        {field('startsAt', <TextField type="datetime-local" hint={`${zone} time.`} {...text('startsAt')} />)}
        {field('endsAt', <TextField type="datetime-local" hint="Tickets are sold until then." {...text('endsAt')} />)}
      </div>
      {field(
        'timezone',
        <ZonePicker
          {...common('timezone')}
          hint="The times above are those of a clock there."
          none={inherits === undefined ? 'UTC' : 'As the series'}
          onPick={(timezone) => onChange({ timezone })}
        />,
      )}
      <div class={pair}>
        {field(
          'venueId',
          <TextField
            placeholder="ven_…"
            suggestions={venues}
            hint="The same for every event there."
            {...text('venueId')}
          />,
        )}
        {field('organizerId', <TextField placeholder="org_…" hint="Who holds it." {...text('organizerId')} />)}
      </div>
      <div class={pair}>
        {field(
          'capacity',
          <TextField
            inputMode="numeric"
            hint={
              draft.kind === 'series'
                ? 'Tickets of each date. Empty: no limit.'
                : 'Tickets of all offerings together. Empty: no limit.'
            }
            {...text('capacity')}
          />,
        )}
        {field(
          'maxPerCustomer',
          <TextField
            inputMode="numeric"
            hint="In all orders of the customer. Empty: no limit."
            {...text('maxPerCustomer')}
          />,
        )}
      </div>
      <div class={pair}>
        {field('status', <SelectField options={STATUSES} {...text('status')} />)}
        {field('tags', <TextField placeholder="open-air, music" hint="Separated by commas." {...text('tags')} />)}
      </div>
      {children}
    </form>
  );
}

function Inherited({ field, series, overrides, onRevert }: { field: EventField } & NonNullable<Props['inherits']>) {
  if (!overrides.includes(field)) return <small class="inherited">As the series</small>;
  return (
    <div class="inherited">
      <small>Series: {valueText(series, field)}</small>
      <button type="button" aria-label={`Revert ${FIELD_TEXT[field]}`} onClick={() => onRevert(field)}>
        Revert
      </button>
    </div>
  );
}
