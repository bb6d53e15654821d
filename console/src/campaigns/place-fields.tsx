import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { findEvents } from '../data/load-events.ts';
import { aboutEvent } from '../format/event-name.ts';
import { useSession } from '../shell/session.tsx';
import { OfferingPicker } from '../ui/offering-picker.tsx';
import { type Choice, PickerField } from '../ui/picker.tsx';
import { eventIdOf, EVERYWHERE, type Place, placeName, venuesAndOrganizers, zoneAt } from './place.ts';

type Event = components['schemas']['Event'];

interface Props {
  places: readonly Place[];
  /** The events that are known by now. */
  events: readonly Event[];
  /** Offers whole events only, not single offerings. */
  wholeEvents?: true;
  /** `zone`: that of the first place, where an event was picked. */
  onChange: (places: readonly Place[], zone: string | undefined) => void;
}

/** Where a campaign applies: any of these. */
export function PlaceFields({ places, events, wholeEvents, onChange }: Props) {
  const [picked, setPicked] = useState<readonly Event[]>([]);
  const [isAdding, setAdding] = useState(false);
  const known = [...picked, ...events];
  const replace = (index: number, place: Place, event?: Event) => {
    if (event !== undefined) setPicked([event, ...picked]);
    const zone = index === 0 ? zoneAt(place, event === undefined ? known : [event]) : undefined;
    onChange(index < places.length ? places.map((one, n) => (n === index ? place : one)) : [...places, place], zone);
    setAdding(false);
  };
  const isTaken = (path: string) => places.some((place) => place.path === path);
  return (
    <fieldset>
      <legend>Where it applies</legend>
      {places.map((place, index) => (
        <div key={index} class="rows">
          <div class={places.length > 1 ? 'row one' : undefined}>
            <PlacePicker
              label={index === 0 ? 'Applies to' : 'Or to'}
              hint={places.length === 1 ? "Which event's tickets it changes." : undefined}
              place={place}
              known={known}
              isOffered={(path) => !isTaken(path)}
              onPick={(path, event) => replace(index, { path, offeringId: '' }, event)}
            />
            {places.length > 1 && (
              <button
                type="button"
                aria-label={`Remove ${placeName(place, known)}`}
                onClick={() =>
                  onChange(
                    places.filter((_, n) => n !== index),
                    undefined,
                  )
                }
              >
                Remove
              </button>
            )}
          </div>
          {!wholeEvents && (eventIdOf(place) !== undefined || place.offeringId !== '') && (
            <OfferingPicker
              label="Tickets"
              none="All of them"
              value={place.offeringId}
              eventId={eventIdOf(place) ?? ''}
              onPick={(offering) => replace(index, { ...place, offeringId: offering?.id ?? '' })}
            />
          )}
        </div>
      ))}
      {isAdding && (
        <PlacePicker
          label="Or to"
          known={known}
          isOffered={(path) => !isTaken(path) && path !== EVERYWHERE.path}
          onPick={(path, event) => replace(places.length, { path, offeringId: '' }, event)}
        />
      )}
      {!isAdding && !isTaken(EVERYWHERE.path) && (
        <button type="button" class="add" onClick={() => setAdding(true)}>
          Add another place
        </button>
      )}
    </fieldset>
  );
}

interface Found {
  path: string;
  event?: Event;
}

/** Picks every event, or one of them, a venue or an organizer, by its name. */
function PlacePicker({
  place,
  known,
  isOffered,
  onPick,
  ...field
}: {
  label: string;
  hint?: string | undefined;
  place?: Place;
  known: readonly Event[];
  isOffered: (path: string) => boolean;
  onPick: (path: string, event: Event | undefined) => void;
}) {
  const { client } = useSession();
  const find = async (typed: string, signal: AbortSignal): Promise<readonly Choice<Found>[]> => {
    const events = await findEvents(client, signal, typed);
    const others = [[EVERYWHERE.path, 'Every event'] as const, ...venuesAndOrganizers([...events, ...known])];
    const matches = others.filter(([, text]) => text.toLowerCase().includes(typed.toLowerCase()));
    const choices = [
      ...events.map((event) => ({
        id: `event/${event.id}`,
        text: event.name ?? event.id,
        about: aboutEvent(event),
        of: { path: `event/${event.id}`, event },
      })),
      ...matches.map(([path, text]) => ({ id: path, text, of: { path } })),
    ];
    // The choice of every event comes first while nothing is typed.
    if (typed === '') choices.sort((a, b) => Number(b.id === EVERYWHERE.path) - Number(a.id === EVERYWHERE.path));
    return choices.filter(({ id }) => isOffered(id) || id === place?.path);
  };
  return (
    <PickerField<Found>
      {...field}
      shown={place === undefined ? '' : placeName(place, known)}
      value={place?.path ?? ''}
      find={find}
      onPick={(found) => found !== undefined && onPick(found.path, found.event)}
    />
  );
}
