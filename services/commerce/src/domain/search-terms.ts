import { matchCode, type Order } from '@event-commerce/contracts';

type Searched = Pick<Order, 'orderNumber' | 'customer' | 'items' | 'coupons'>;

const WORDS_MAX = 50;
const WORD_LENGTH_MAX = 64;
/** Order numbers and telephone numbers that people read to each other have no more. */
const WORDS_OF_ONE_MAX = 4;

/** The term that an order has because of each thing that it can be found by. */
export const term = {
  email: (email: string) => `e ${email.toLowerCase()}`,
  offering: (offeringId: string) => `o ${offeringId}`,
  code: (code: string) => `c ${matchCode(code)}`,
  word: (word: string) => `w ${word}`,
};

/**
 * All terms of an order, each once: what its e-mail address, offerings and codes are, and the words that a text search finds. Each costs
 * the database as much as an index of its own would.
 */
export function searchTerms({ orderNumber, customer, items, coupons }: Searched): string[] {
  const { email, firstName = '', lastName = '', phone = '' } = customer;
  // Without what nearly all of them end with.
  const address = email.slice(0, email.lastIndexOf('.'));
  return [
    ...new Set([
      term.email(email),
      ...items.flatMap(({ offeringId }) => (offeringId === undefined ? [] : [term.offering(offeringId)])),
      ...coupons.map(({ code }) => term.code(code)),
      ...wordsOf([orderNumber, address, firstName, lastName, phone].join(' ')).map(term.word),
    ]),
  ];
}

/** What the terms of an order that is found by the text `q` begin with, each of them. */
export function searchedFor(q: string): string[] {
  const parts = q.split(/\s+/u);
  return [
    ...parts.filter((part) => part.includes('@')).map(term.email),
    ...wordsOf(parts.filter((part) => !part.includes('@')).join(' ')).map(term.word),
  ];
}

/**
 * The words of a text as they are compared: without case and accents. Of something written in one that has many, such as an order number
 * that is a UUID, these are the first and the last.
 */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/\s+/u).flatMap((part) => {
    const ofPart = part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
    return ofPart.length > WORDS_OF_ONE_MAX ? [...ofPart.slice(0, 1), ...ofPart.slice(-1)] : ofPart;
  });
  return [...new Set(words)].slice(0, WORDS_MAX).map((word) => word.slice(0, WORD_LENGTH_MAX));
}
