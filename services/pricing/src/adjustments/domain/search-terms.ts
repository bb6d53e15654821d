import { type Conditions, namedBy, type Target, wordsOf } from '@event-commerce/contracts';

interface Searched {
  name: string;
  type: string;
  category: string;
  targets: readonly Pick<Target, 'urn' | 'eventId' | 'offeringId'>[];
  conditions: Pick<Conditions, 'code' | 'offeringIds'>;
}

/** The search term for each property that an adjustment can be found by. */
export const term = {
  type: (type: string) => `t ${type}`,
  category: (category: string) => `c ${category}`,
  event: (eventId: string) => `e ${eventId}`,
  offering: (offeringId: string) => `o ${offeringId}`,
  word: (word: string) => `w ${word}`,
};

/**
 * All search terms of an adjustment, each once: its type and category, the events and offerings that it names, and its
 * words.
 */
export function searchTerms({ name, type, category, targets, conditions }: Searched): string[] {
  const named = targets.map(namedBy);
  const { code = '', offeringIds = [] } = conditions;
  return [
    ...new Set([
      term.type(type),
      term.category(category),
      ...named.flatMap(({ eventId }) => (eventId === undefined ? [] : [term.event(eventId)])),
      ...named.flatMap(({ offeringId }) => (offeringId === undefined ? [] : [term.offering(offeringId)])),
      ...offeringIds.map(term.offering),
      ...searchedFor(`${name} ${code}`),
    ]),
  ];
}

/** Prefixes for the text `q`: an adjustment matches if for each of them it has a term that begins with it. */
export function searchedFor(q: string): string[] {
  return wordsOf(q).map(term.word);
}
