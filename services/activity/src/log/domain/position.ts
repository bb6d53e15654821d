/**
 * A place in the log: the epoch, and within it the sequence of the event in the broker's stream. A stream that was
 * created again counts from one, so it begins another epoch. One number, so that the database compares it.
 */
export type Position = number;

const SEQUENCES = 2 ** 43;

/** Before everything. */
export const BEGINNING: Position = 0;

export function positionOf(epoch: number, seq: number): Position {
  return epoch * SEQUENCES + seq;
}

export function epochOf(position: Position): number {
  return Math.floor(position / SEQUENCES);
}

export function seqOf(position: Position): number {
  return position % SEQUENCES;
}

const CURSOR = /^[0-9a-z]{1,11}$/;

/** A position as callers see it, who need not know what it is made of. */
export function cursorOf(position: Position): string {
  return position.toString(36);
}

/** The position of a cursor; undefined if it is not a cursor. */
export function positionIn(cursor: string): Position | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const position = Number.parseInt(cursor, 36);
  return Number.isSafeInteger(position) ? position : undefined;
}
