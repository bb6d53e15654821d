import { useState } from 'preact/hooks';
import { FieldGroup } from '../ui/field-group.tsx';
import { EventPicker } from '../ui/event-picker.tsx';
import { OfferingPicker } from '../ui/offering-picker.tsx';

/** The tickets that a coupon is for, picked by their names: of an event that it is for, or of any. */
export function OnlyOfferings({
  ids,
  eventId,
  onChange,
}: {
  ids: readonly string[];
  /** The event that the coupon is for, if it is for one. */
  eventId: string | undefined;
  onChange: (ids: readonly string[]) => void;
}) {
  const [chosenEvent, setChosenEvent] = useState('');
  const from = eventId ?? chosenEvent;
  return (
    <div class="field-groups">
      <FieldGroup title="Only for some tickets" filled={ids.length} hasProblem={false}>
        {ids.map((id, index) => (
          <div key={id} class="row one">
            <OfferingPicker
              label={index === 0 ? 'Tickets' : 'Or'}
              value={id}
              eventId={from}
              isOffered={(offering) => offering.id === id || !ids.includes(offering.id)}
              onPick={(picked) => picked !== undefined && onChange(ids.with(index, picked.id))}
            />
            <button
              type="button"
              aria-label={`Remove ticket ${index + 1}`}
              onClick={() => onChange(ids.filter((one) => one !== id))}
            >
              Remove
            </button>
          </div>
        ))}
        {eventId === undefined && (
          <EventPicker
            label="Tickets of which event"
            value={chosenEvent}
            onPick={(event) => setChosenEvent(event?.id ?? '')}
          />
        )}
        {from !== '' && (
          <OfferingPicker
            key={ids.length}
            label={ids.length === 0 ? 'Tickets' : 'Another one'}
            hint={ids.length === 0 ? 'Nothing picked: all of them.' : undefined}
            value=""
            eventId={from}
            isOffered={({ id }) => !ids.includes(id)}
            onPick={(picked) => picked !== undefined && onChange([...ids, picked.id])}
          />
        )}
      </FieldGroup>
    </div>
  );
}
