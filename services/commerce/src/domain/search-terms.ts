import { matchCode, type Order } from '@event-commerce/contracts';

type Searched = Pick<Order, 'orderNumber' | 'customer' | 'items' | 'coupons'>;

const WORDS_MAX = 50;
const WORD_LENGTH_MAX = 64;

/** The term that an order has because of each thing that it can be found by. */
export const term = {
  email: (email: string) => `e ${email.toLowerCase()}`,
  offering: (offeringId: string) => `o ${offeringId}`,
  code: (code: string) => `c ${matchCode(code)}`,
  word: (word: string) => `w ${word}`,
};

/** All terms of an order, each once: what its e-mail address, offerings and codes are, and the words that a text search finds. */
export function searchTerms({ orderNumber, customer, items, coupons }: Searched): string[] {
  const { email, firstName = '', lastName = '', phone = '' } = customer;
  return [
    ...new Set([
      term.email(email),
      ...items.flatMap(({ offeringId }) => (offeringId === undefined ? [] : [term.offering(offeringId)])),
      ...coupons.map(({ code }) => term.code(code)),
      ...wordsOf([orderNumber, email, firstName, lastName, phone].join(' ')).map(term.word),
    ]),
  ];
}

/** The words of a text as they are compared: without case and accents. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return [...new Set(words)].slice(0, WORDS_MAX).map((word) => word.slice(0, WORD_LENGTH_MAX));
}
