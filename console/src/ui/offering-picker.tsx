import type { components } from '@event-commerce/client';
import { useState } from 'preact/hooks';
import { listOf } from '../data/list-of.ts';
import { useResource } from '../data/resource.ts';
import { money } from '../format/format.ts';
import { useSession } from '../shell/session.tsx';
import type { FieldProps } from './fields.tsx';
import { PickerField } from './picker.tsx';

type Offering = components['schemas']['Offering'];

const LISTED_MAX = 200;

/** Picks an offering of an event by its name. */
export function OfferingPicker({
  value,
  known,
  eventId,
  isOffered = () => true,
  onPick,
  ...field
}: FieldProps & {
  /** The id of the picked one; empty if none is. */
  value: string;
  /** The picked one, if it is known already. */
  known?: Offering | undefined;
  /** Whose offerings can be picked. */
  eventId: string;
  isOffered?: (offering: Offering) => boolean;
  /** What picking none is called; undefined where one must be picked. */
  none?: string | undefined;
  onPick: (offering: Offering | undefined) => void;
}) {
  const { client } = useSession();
  const [last, setLast] = useState(known);
  const here = [known, last].find((offering) => offering?.id === value);
  const unknownId = here === undefined ? value : '';
  const loaded = useResource(
    async (signal) => {
      if (unknownId === '') return undefined;
      return (await client.GET('/v1/offerings/{id}', { params: { path: { id: unknownId } }, signal })).data?.data;
    },
    [client, unknownId],
  );
  const offering = here ?? (loaded.value?.id === value ? loaded.value : undefined);
  return (
    <PickerField
      {...field}
      value={value}
      shown={offering === undefined ? (loaded.loading ? '' : value) : offeringText(offering)}
      findsIn={eventId}
      find={async (typed, signal) => {
        if (eventId === '') return [];
        const params = { path: { id: eventId }, query: { limit: LISTED_MAX } };
        const { items } = await listOf(client.GET('/v1/events/{id}/offerings', { params, signal }));
        return items
          .filter((one) => isOffered(one) && one.name.toLowerCase().includes(typed.toLowerCase()))
          .map((of) => ({ id: of.id, text: of.name, about: aboutOffering(of), of }));
      }}
      onPick={(picked) => {
        setLast(picked);
        onPick(picked);
      }}
    />
  );
}

function offeringText({ name, price }: Offering): string {
  return `${name}, ${money(price.amount, price.currency)}`;
}

function aboutOffering({ price, status, availability: { left } }: Offering): string {
  const stock = left === null ? [] : [left === 0 ? 'sold out' : `${left} left`];
  return [money(price.amount, price.currency), ...stock, ...(status === 'inactive' ? ['not for sale'] : [])].join(', ');
}
