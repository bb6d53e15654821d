import type { Catalogue } from './use-catalogue.ts';

interface Reason {
  title: string;
  /** What to do about it. */
  hint: string;
}

/** Why nothing of a catalogue can be priced; undefined if something can be, and while it loads or if that failed. */
export function whyNoOffering({ events, event, offerings, offering }: Catalogue): Reason | undefined {
  if (events.value === undefined || offering !== undefined) return undefined;
  if (event === undefined && events.value.asked === '') {
    return {
      title: 'There are no events yet',
      hint: 'Create one under “Events”, or choose “Price” to try any price.',
    };
  }
  if (event === undefined) return { title: 'There is no such event', hint: 'Choose another event.' };
  if (offerings.value === undefined) return undefined;
  const name = event.name ?? event.id;
  if (offerings.value.length === 0) {
    return {
      title: `${name} sells nothing yet`,
      hint: 'Create an offering under “Events”, choose another event, or “Price” to try any price.',
    };
  }
  return { title: `${name} has no such offering`, hint: 'Choose another offering, or the event that sells it.' };
}
