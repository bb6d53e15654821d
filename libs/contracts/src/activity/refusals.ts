import { refusal } from '../errors/refusal.ts';

export const cursorExpired = refusal(
  'CURSOR_EXPIRED',
  'The entries after this cursor are no longer kept.',
  (oldest: string) => ({
    message: `Entries after this cursor are no longer kept. Continue with after=${oldest}, the oldest one kept.`,
    details: [{ path: 'after', message: `must be ${oldest} or later`, oldest }],
  }),
  'MWdoNXA',
);
export const kindNotReadable = refusal(
  'FORBIDDEN',
  'The key may not read of the types that it asked for.',
  (type: string, scope: string) => ({
    message: `To read entries of type ${type}, the key needs the scope ${scope}.`,
    details: [{ path: 'type', message: `needs the scope ${scope}` }],
  }),
  'order.placed',
  'orders:read',
);
export const tooManyWaiting = refusal(
  'RATE_LIMITED',
  'Too many streams and waiting requests of the company are open.',
  (max: number) => ({
    message: `Your company has ${max} streams and waiting requests open. Close one, or send wait=0.`,
    retryAfterSeconds: 5,
  }),
  20,
);
