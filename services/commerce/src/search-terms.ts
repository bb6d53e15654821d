import {
  type Coupon,
  codeKey,
  emailKey,
  isUnspaced,
  type Order,
  readableEmail,
  wordsOf,
} from '@event-commerce/contracts';

interface Searched extends Pick<Order, 'orderNumber' | 'customer' | 'coupons'> {
  items: readonly Pick<Order['items'][number], 'offeringId'>[];
}

const WORDS_MAX = 50;
/** Order numbers and telephone numbers that people read to each other have no more. */
const WORDS_OF_ONE_MAX = 4;
/** What no address is found by: `example.com` is searched for as `example`. */
const END_OF_DOMAIN = /(?<=[\p{L}\p{N}])\.\p{L}{2,}$/u;

/** The term that an order has because of each thing that it can be found by. */
export const term = {
  email: (email: string) => `e ${emailKey(email)}`,
  /** What a search for the beginning of an address finds: the domain in ASCII begins otherwise. */
  readableEmail: (email: string) => `e ${readableEmail(email)}`,
  offering: (offeringId: string) => `o ${offeringId}`,
  code: (code: string) => `c ${codeKey(code)}`,
  word: (word: string) => `w ${word}`,
};

/**
 * All terms of an order, each once: what its e-mail address, offerings and codes are, and the words that a text search
 * finds. Each costs the database as much as an index of its own would.
 */
export function orderTerms({ orderNumber, customer, items, coupons }: Searched): string[] {
  const { email, firstName = '', lastName = '', phone = '' } = customer;
  // Without what nearly all of them end with.
  const readable = readableEmail(email);
  const address = readable.slice(0, readable.lastIndexOf('.'));
  return [
    ...new Set([
      term.email(email),
      term.readableEmail(email),
      ...items.flatMap(({ offeringId }) => (offeringId === undefined ? [] : [term.offering(offeringId)])),
      ...coupons.map(({ code }) => term.code(code)),
      ...wordsToFind([orderNumber, address, firstName, lastName, phone].join(' ')).map(term.word),
    ]),
  ];
}

/** What the terms of an order that is found by the text `q` begin with, each of them. */
export function ordersSearchedFor(q: string): string[] {
  const parts = q.split(/\s+/u);
  const others = parts.filter((part) => !part.includes('@')).map((part) => part.replace(END_OF_DOMAIN, ''));
  return [
    ...parts.filter((part) => part.includes('@')).map(term.readableEmail),
    ...wordsToFind(others.join(' ')).map(term.word),
  ];
}

/** All terms of a coupon, each once: the words of its code and description. */
export function couponTerms({ code = '', description = '' }: Pick<Coupon, 'code' | 'description'>): string[] {
  return couponsSearchedFor(`${code} ${description}`);
}

/** What the terms of a coupon that is found by the text `q` begin with, each of them. */
export function couponsSearchedFor(q: string): string[] {
  return wordsOf(q).map(term.word);
}

/**
 * The words of a text that it is found by. Of something written in one that has many, such as an order number that is a
 * UUID, these are the first and the last.
 */
function wordsToFind(text: string): string[] {
  const words = text.split(/\s+/u).flatMap((part) => {
    const ofPart = wordsOf(part);
    return ofPart.length > WORDS_OF_ONE_MAX && !isUnspaced(part)
      ? [...ofPart.slice(0, 1), ...ofPart.slice(-1)]
      : ofPart;
  });
  return [...new Set(words)].slice(0, WORDS_MAX);
}
