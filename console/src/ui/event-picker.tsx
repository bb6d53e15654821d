import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { findEvents } from '../data/load-events.ts';
import { useResource } from '../data/resource.ts';
import { aboutEvent, eventName } from '../format/event-name.ts';
import { useSession } from '../shell/session.tsx';
import type { FieldProps } from './fields.tsx';
import { PickerField } from './picker.tsx';

type Event = components['schemas']['Event'];

/** Picks an event by its name. */
export function EventPicker({
  value,
  known,
  kind,
  onPick,
  ...field
}: FieldProps & {
  /** The id of the picked one; empty if none is. */
  value: string;
  /** The picked one, if it is known already. */
  known?: Event | undefined;
  /** Only events of this kind. */
  kind?: Event['kind'];
  /** What picking none is called; undefined where one must be picked. */
  none?: string | undefined;
  onPick: (event: Event | undefined) => void;
}) {
  const { client } = useSession();
  const [last, setLast] = useState(known);
  const here = [known, last].find((event) => event?.id === value);
  const unknownId = here === undefined ? value : '';
  const loaded = useResource(
    async (signal) => {
      if (unknownId === '') return undefined;
      // A key that may not read events sees the id.
      return (await client.GET('/v1/events/{id}', { params: { path: { id: unknownId } }, signal })).data?.data;
    },
    [client, unknownId],
  );
  const event = here ?? (loaded.value?.id === value ? loaded.value : undefined);
  return (
    <PickerField
      {...field}
      value={value}
      shown={event === undefined ? (loaded.loading ? '' : value) : eventName(event)}
      findsIn={kind}
      find={async (typed, signal) =>
        (await findEvents(client, signal, typed, kind)).map((of) => ({
          id: of.id,
          text: of.name ?? of.id,
          about: aboutEvent(of),
          of,
        }))
      }
      onPick={(picked) => {
        setLast(picked);
        onPick(picked);
      }}
    />
  );
}
