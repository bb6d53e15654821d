/** What is to be explained, as typed: it is the view's address, which can be shared within the company. */
export interface Question {
  /** Where the price comes from. */
  of: Subject;
  event: string;
  offering: string;
  price: string;
  currency: string;
  quantity: string;
  codes: string;
  customer: string;
  segment: string;
  channel: string;
  /** Local time in the event's zone; empty, now. */
  at: string;
  /** The id of a stored cart, or the id or number of an order. */
  id: string;
}

const SUBJECTS = ['offering', 'price', 'cart', 'order'] as const;
export type Subject = (typeof SUBJECTS)[number];

const EMPTY: Question = {
  of: 'offering',
  event: '',
  offering: '',
  price: '50.00',
  currency: 'EUR',
  quantity: '1',
  codes: '',
  customer: '',
  segment: '',
  channel: '',
  at: '',
  id: '',
};

/** Which fields a subject has; the others are not part of its address. */
const FIELDS: Record<Subject, readonly (keyof Question)[]> = {
  offering: ['event', 'offering', 'quantity', 'codes', 'customer', 'segment', 'channel', 'at'],
  price: ['event', 'offering', 'price', 'currency', 'quantity', 'codes', 'customer', 'segment', 'channel', 'at'],
  cart: ['id'],
  order: ['id'],
};

export function questionFrom(query: Readonly<Record<string, string>>): Question {
  const of = SUBJECTS.find((subject) => subject === query['of']) ?? 'offering';
  return { ...EMPTY, ...Object.fromEntries(FIELDS[of].map((field) => [field, query[field] ?? EMPTY[field]])), of };
}

export function addressOf(question: Question): string {
  const query = new URLSearchParams();
  if (question.of !== EMPTY.of) query.set('of', question.of);
  for (const field of FIELDS[question.of]) if (question[field] !== EMPTY[field]) query.set(field, question[field]);
  return `/console/explain${query.size === 0 ? '' : `?${query.toString()}`}`;
}
