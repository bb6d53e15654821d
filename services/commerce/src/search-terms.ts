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
/** Order and telephone numbers that people read aloud have no more words. */
const WORDS_OF_ONE_MAX = 4;
/** The ending of a domain is not searched for: `example.com` is found as `example`. */
const END_OF_DOMAIN = /(?<=[\p{L}\p{N}])\.\p{L}{2,}$/u;

/** The search term for each property that an order can be found by. */
export const term = {
  email: (email: string) => `e ${emailKey(email)}`,
  /** The spelling that a search for the beginning of an address matches: the domain in ASCII begins differently. */
  readableEmail: (email: string) => `e ${readableEmail(email)}`,
  offering: (offeringId: string) => `o ${offeringId}`,
  code: (code: string) => `c ${codeKey(code)}`,
  word: (word: string) => `w ${word}`,
};

/**
 * All search terms of an order, each once: its e-mail address, offerings and codes, and the words that a text search
 * finds. Each costs the database as much as an index of its own would.
 */
export function orderTerms({ orderNumber, customer, items, coupons }: Searched): string[] {
  const { email, firstName = '', lastName = '', phone = '' } = customer;
  // Without the endings that nearly all addresses have.
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

/** Prefixes for the text `q`: an order matches if for each of them it has a term that begins with it. */
export function ordersSearchedFor(q: string): string[] {
  const parts = q.split(/\s+/u);
  const others = parts.filter((part) => !part.includes('@')).map((part) => part.replace(END_OF_DOMAIN, ''));
  return [
    ...parts.filter((part) => part.includes('@')).map(term.readableEmail),
    ...wordsToFind(others.join(' ')).map(term.word),
  ];
}

/** All search terms of a coupon, each once: the words of its code and description. */
export function couponTerms({ code = '', description = '' }: Pick<Coupon, 'code' | 'description'>): string[] {
  return couponsSearchedFor(`${code} ${description}`);
}

/** Prefixes for the text `q`: a coupon matches if for each of them it has a term that begins with it. */
export function couponsSearchedFor(q: string): string[] {
  return wordsOf(q).map(term.word);
}

/**
 * The words that a text is found by. For a long word with many parts, such as a UUID as an order number, the first and
 * the last part.
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
