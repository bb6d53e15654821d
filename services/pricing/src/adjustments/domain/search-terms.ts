import { type Conditions, namedBy, type Target, wordsOf } from '@event-commerce/contracts';

interface Searched {
  name: string;
  type: string;
  category: string;
  targets: readonly Pick<Target, 'urn' | 'eventId' | 'offeringId'>[];
  conditions: Pick<Conditions, 'code' | 'offeringIds'>;
}

/** The term that an adjustment has because of each thing that it can be found by. */
export const term = {
  type: (type: string) => `t ${type}`,
  category: (category: string) => `c ${category}`,
  event: (eventId: string) => `e ${eventId}`,
  offering: (offeringId: string) => `o ${offeringId}`,
  word: (word: string) => `w ${word}`,
};

/**
 * All terms of an adjustment, each once: its type and category, the events and offerings that it names, and its words.
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

/** What the terms of an adjustment that is found by the text `q` begin with, each of them. */
export function searchedFor(q: string): string[] {
  return wordsOf(q).map(term.word);
}
