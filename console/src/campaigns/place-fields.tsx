import type { components } from '@event-commerce/client';
import { SelectField } from '../ui/fields.tsx';
import { listOf, type Page } from '../data/list-of.ts';
import { hintOfMore } from '../data/load-events.ts';
import { useResource } from '../data/resource.ts';
import { useSession } from '../shell/session.tsx';
import { eventIdOf, EVERYWHERE, type Place, placesOf } from './place.ts';

type Event = components['schemas']['Event'];

const OFFERINGS_MAX = 200;

interface Props {
  places: readonly Place[];
  events: Page<Event>;
  /** Offers whole events only, not single offerings. */
  wholeEvents?: true;
  onChange: (places: readonly Place[]) => void;
}

/** Where a campaign applies: any of these. */
export function PlaceFields({ places, events, wholeEvents, onChange }: Props) {
  const options = placesOf(events.items, places);
  const free = options.find(([path]) => !places.some((place) => place.path === path));
  return (
    <fieldset>
      <legend>Where it applies</legend>
      {places.map((place, index) => (
        <div key={index} class="rows">
          <div class={places.length > 1 ? 'row one' : undefined}>
            <SelectField
              label={index === 0 ? 'Applies to' : 'Or to'}
              hint={hintOfMore(events) ?? (places.length === 1 ? "Which event's tickets it changes." : undefined)}
              value={place.path}
              onChange={(path) => onChange(places.map((one, n) => (n === index ? { path, offeringId: '' } : one)))}
              options={options}
            />
            {places.length > 1 && (
              <button
                type="button"
                aria-label={`Remove ${options.find(([path]) => path === place.path)?.[1] ?? place.path}`}
                onClick={() => onChange(places.filter((_, n) => n !== index))}
              >
                Remove
              </button>
            )}
          </div>
          {!wholeEvents && (
            <OfferingField
              place={place}
              onChange={(offeringId) => onChange(places.map((one, n) => (n === index ? { ...one, offeringId } : one)))}
            />
          )}
        </div>
      ))}
      {free !== undefined && !places.some(({ path }) => path === EVERYWHERE.path) && (
        <button type="button" class="add" onClick={() => onChange([...places, { path: free[0], offeringId: '' }])}>
          Add another place
        </button>
      )}
    </fieldset>
  );
}

/** All offerings of an event, or one of them. */
function OfferingField({ place, onChange }: { place: Place; onChange: (offeringId: string) => void }) {
  const { client } = useSession();
  const eventId = eventIdOf(place);
  const offerings = useResource(
    async (signal) => {
      if (eventId === undefined) return [];
      const params = { path: { id: eventId }, query: { limit: OFFERINGS_MAX } };
      return (await listOf(client.GET('/v1/events/{id}/offerings', { params, signal }))).items;
    },
    [client, eventId],
  );
  const found = offerings.value?.filter((offering) => offering.eventId === eventId) ?? [];
  const isListed = place.offeringId === '' || found.some(({ id }) => id === place.offeringId);
  // With one offering there is nothing to choose.
  if (found.length < 2 && place.offeringId === '') return null;
  return (
    <SelectField
      label="Tickets"
      value={place.offeringId}
      onChange={onChange}
      options={[
        ['', 'All of them'],
        ...(isListed ? [] : [[place.offeringId, place.offeringId] as const]),
        ...found.map(({ id, name }) => [id, name] as const),
      ]}
    />
  );
}
