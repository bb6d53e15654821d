import { type AmendmentInput, ARRAY_LENGTH_MAX, invalidInput, type PricedItem } from '@event-commerce/contracts';

/** A line that an amendment adds. */
export interface AddedLine {
  lineId: string;
  offeringId: string;
  quantity: number;
  /** The list price that the caller states. */
  unitPrice?: number;
  /** The item of the request that adds it. */
  index: number;
}

/** How an amendment changes the lines of an order. */
export interface AskedLines {
  /** How many tickets each line of the order keeps. */
  remaining: ReadonlyMap<string, number>;
  added: AddedLine[];
}

/** The id of the order's line at this place among all that it ever had. */
export function lineIdAt(place: number): string {
  return `ln_${place + 1}`;
}

/**
 * How the `asked` items change the lines of an order. A line named by id can only lose tickets. An offering means all
 * of its lines together: more tickets make a new line, fewer are taken from the newest line first. Other lines stay.
 * `linesMade`: how many lines the order has had so far.
 *
 * @throws {PlatformError} VALIDATION_FAILED
 */
export function askedLines(
  items: readonly PricedItem[],
  asked: AmendmentInput['items'] = [],
  linesMade: number = items.length,
): AskedLines {
  const remaining = new Map(items.map(({ lineId, quantity }) => [lineId, quantity]));
  const lines = new Map(items.map((item) => [item.lineId, item]));
  const named = new Set<string>();
  const added: AddedLine[] = [];
  for (const [index, { lineId, offeringId = '', quantity, unitPrice }] of asked.entries()) {
    const path = `items[${index}]`;
    if (lineId !== undefined && !lines.has(lineId)) {
      throw invalidInput(`${path}.lineId`, `is ${lineId}, and the order has ${[...lines.keys()].join(', ')}`);
    }
    const theirs = items.filter((item) =>
      lineId === undefined ? item.offeringId === offeringId : item.lineId === lineId,
    );
    for (const one of [...theirs.map((item) => item.lineId), ...(lineId === undefined ? [offeringId] : [])]) {
      if (named.has(one)) throw invalidInput(path, `names ${one} twice; send how many it should have once`);
      named.add(one);
    }
    const has = theirs.reduce((sum, item) => sum + item.quantity, 0);
    if (quantity > has) {
      if (lineId !== undefined) {
        throw invalidInput(`${path}.quantity`, `cannot exceed ${has}; to add tickets, name the offering`);
      }
      const line = { lineId: lineIdAt(linesMade + added.length), offeringId, quantity: quantity - has, index };
      added.push({ ...line, ...(unitPrice === undefined ? {} : { unitPrice }) });
    }
    let returned = Math.max(0, has - quantity);
    for (const item of theirs.toReversed()) {
      const fewer = Math.min(item.quantity, returned);
      remaining.set(item.lineId, item.quantity - fewer);
      returned -= fewer;
    }
  }
  if (added.length === 0 && [...remaining.values()].every((quantity) => quantity === 0)) {
    throw invalidInput('items', 'leave no ticket; cancel the order');
  }
  const lineCount = [...remaining.values()].filter((quantity) => quantity > 0).length + added.length;
  if (lineCount > ARRAY_LENGTH_MAX) {
    throw invalidInput('items', `make more than ${ARRAY_LENGTH_MAX} lines; place another order for the rest`);
  }
  return { remaining, added };
}
