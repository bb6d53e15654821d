import { z } from 'zod';
import { memberNotes } from './member-notes.ts';

export interface MemberProblem {
  path: PropertyKey[];
  /** The problem, as a continuation of the path. */
  message: string;
}

/** More unknown names than this in one request are refused, because checking each takes time. */
const UNKNOWN_NAMES_MAX = 500;
const VERDICTS_MAX = 1_000;
const NAME_LENGTH_MAX = 64;
const NAMES_LISTED_MAX = 15;

/** Words for the same thing. An object that accepts one of them does not ignore the others. */
const SYNONYMS = [
  ['quantity', 'qty'],
  ['meta', 'metadata'],
  ['coupon', 'code', 'couponCode', 'discountCode', 'promoCode', 'voucher'],
  ['contextId', 'eventId'],
  ['offeringId', 'offerId'],
  ['customerSegment', 'segment'],
  ['cartSessionId', 'cartId', 'sessionId'],
  ['expiresInSeconds', 'expiresIn'],
  ['startsAt', 'start', 'startDate', 'startTime', 'startDateTime', 'beginsAt'],
  ['endsAt', 'end', 'endDate', 'endTime', 'endDateTime'],
  ['expiresAt', 'expires', 'expiry', 'expirationDate', 'validUntil', 'validTo'],
  ['cursor', 'page', 'offset', 'startingAfter', 'endingBefore'],
  ['limit', 'pageSize', 'perPage'],
  ['q', 'query', 'search'],
].map((words) => words.map(stem));

/**
 * Prepares a request for `schema`, in place: removes null for an optional member, and an empty text, which in a merge
 * patch becomes null instead. Returns the members that the schema does not accept and that must not be ignored: any in
 * a strict object, elsewhere those that look like a mistake.
 */
export function readMembers(schema: z.core.$ZodType, input: unknown): MemberProblem[] {
  const found: Found = { problems: [], unknown: new Set() };
  readerOf(schema)?.(input, [], found);
  if (found.unknown.size > UNKNOWN_NAMES_MAX) {
    found.problems.push({
      path: [],
      message: `has more than ${UNKNOWN_NAMES_MAX} different members that are unknown here`,
    });
  }
  return found.problems;
}

interface Found {
  problems: MemberProblem[];
  unknown: Set<string>;
}

type Reader = (value: unknown, path: readonly PropertyKey[], found: Found) => void;

const readers = new WeakMap<z.core.$ZodType, { read: Reader | undefined }>();

/** Reads what `schema` describes; undefined if it does not describe an object. Compiled once for each schema. */
function readerOf(schema: z.core.$ZodType): Reader | undefined {
  const known = readers.get(schema);
  if (known !== undefined) return known.read;
  const compiled = { read: compile(schema) };
  readers.set(schema, compiled);
  return compiled.read;
}

function compile(schema: z.core.$ZodType): Reader | undefined {
  if (schema instanceof z.ZodObject) return objectReader(schema);
  if (schema instanceof z.ZodDiscriminatedUnion) return choiceReader(schema);
  if (schema instanceof z.ZodUnion) {
    const [only, ...others] = schema.options.flatMap((option) => readerOf(option) ?? []);
    return others.length === 0 ? only : undefined;
  }
  if (schema instanceof z.ZodPipe) return readerOf(schema.in) ?? readerOf(schema.out);
  if (schema instanceof z.ZodArray) {
    const readElement = readerOf(schema.element);
    return (
      readElement &&
      ((value, path, found) => {
        if (Array.isArray(value)) for (const [index, one] of value.entries()) readElement(one, [...path, index], found);
      })
    );
  }
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType && readerOf(innerType);
}

function choiceReader(schema: z.ZodDiscriminatedUnion): Reader {
  const { discriminator } = schema.def;
  const options = schema.options as readonly z.ZodObject[];
  return (value, path, found) => {
    if (!isObject(value)) return;
    const chosen = options.find((option) =>
      option.shape[discriminator]?._zod.values?.has(value[discriminator] as string),
    );
    if (chosen !== undefined) readerOf(chosen)?.(value, path, found);
  };
}

function objectReader(schema: z.ZodObject): Reader {
  const members = new Map(
    Object.entries(schema.shape).map(([name, type]) => [
      name,
      {
        read: readerOf(type),
        isOptional: type._zod.optin !== undefined,
        takesNull: z.safeParse(type, null).success,
        isText: isText(type),
      },
    ]),
  );
  let isPatch: boolean | undefined;
  let answered: Readonly<Record<string, unknown>> | undefined;
  let judge: ((name: string) => string | undefined) | undefined;
  return (value, path, found) => {
    if (!isObject(value)) return;
    // Looked up late, because notes are added to schemas after they were created.
    isPatch ??= memberNotes.get(schema)?.isPatch === true;
    answered ??= memberNotes.get(schema)?.answer?.() ?? {};
    for (const name of Object.keys(value)) {
      const member = members.get(name);
      if (member === undefined) {
        if (value[name] === null && Object.hasOwn(answered, name)) continue;
        if (found.unknown.add(name).size > UNKNOWN_NAMES_MAX) return;
        judge ??= judgeOf(schema, answered);
        const message = judge(name);
        if (message !== undefined) found.problems.push({ path: [...path, name], message });
      } else if (value[name] === '' && member.isText && member.isOptional) {
        // Forms send empty fields like this.
        if (!isPatch) delete value[name];
        else if (member.takesNull) value[name] = null;
      } else if (value[name] === null) {
        if (member.isOptional && !member.takesNull && !isPatch) delete value[name];
      } else member.read?.(value[name], [...path, name], found);
    }
  };
}

/** Whether `type` accepts free text, not one of certain words. */
function isText(type: z.core.$ZodType): boolean {
  if (type instanceof z.ZodPipe) return isText(type.in);
  const { type: kind, innerType } = type._zod.def as { type: string; innerType?: z.core.$ZodType };
  return innerType === undefined ? kind === 'string' : isText(innerType);
}

/** Why a member that `schema` does not accept must not be ignored. */
function judgeOf(
  schema: z.ZodObject,
  answered: Readonly<Record<string, unknown>>,
): (name: string) => string | undefined {
  const taken = Object.keys(schema.shape);
  const isStrict = schema.def.catchall instanceof z.ZodNever;
  const { related, listed } = memberNotes.get(schema) ?? {};
  const elsewhere = new Map(Object.entries(related?.() ?? {}).map(([name, place]) => [plain(name), place]));
  const filters = listed?.() ?? [];

  const judge = (name: string): string | undefined => {
    const place = elsewhere.get(plain(name));
    if (place === undefined && Object.hasOwn(answered, name)) return undefined;
    const meant = place ?? nearest(name, taken);
    if (meant !== undefined) return `is unknown; did you mean ${meant}?`;
    if (!isStrict && nearest(name, filters) === undefined) return undefined;
    return `is unknown; valid names are ${listOf(taken)}`;
  };
  const verdicts = new Map<string, string | undefined>();
  return (name) => {
    if (verdicts.has(name)) return verdicts.get(name);
    if (verdicts.size >= VERDICTS_MAX) verdicts.clear();
    const verdict = judge(name);
    verdicts.set(name, verdict);
    return verdict;
  };
}

function listOf(names: readonly string[]): string {
  const listed = names.slice(0, NAMES_LISTED_MAX);
  if (names.length > listed.length) return `${listed.join(', ')} and others`;
  return [listed.slice(0, -1).join(', '), ...listed.slice(-1)].filter(Boolean).join(' and ');
}

/**
 * The name in `known` that `name` most likely means: one edit away (two from eight letters on), or another word or form
 * of it.
 */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  const given = plain(name);
  let best: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    const wanted = plain(candidate);
    // One edit makes almost anything of `id` or `to`.
    const editsMax = wanted.length >= 8 ? 2 : wanted.length > 2 ? 1 : 0;
    if (Math.abs(wanted.length - given.length) > editsMax) continue;
    const edits = editsBetween(given, wanted);
    if (edits > editsMax || edits >= fewest) continue;
    best = candidate;
    fewest = edits;
  }
  return best ?? known.find((candidate) => isFormOf(candidate, name));
}

/** Whether `name` is another form of `known`: its singular or plural, the thing that it is the id of, or a synonym. */
function isFormOf(known: string, name: string): boolean {
  if ([singular(known), stem(known)].includes(singular(name))) return true;
  return SYNONYMS.some((words) => words.includes(stem(known)) && words.includes(stem(name)));
}

/** `venue` for `venueId`, `offering` for `offeringIds`. */
function stem(name: string): string {
  return without(/id$/, singular(name));
}

function singular(name: string): string {
  return without(/s$/, plain(name));
}

function without(ending: RegExp, word: string): string {
  const rest = word.replace(ending, '');
  return rest.length > 2 ? rest : word;
}

/** A name without differences of spelling: `Max_Redemptions` and `maxRedemptions`, `limit[gt]` and `limit`. */
function plain(name: string): string {
  return name
    .replace(/\[.*$/s, '')
    .replaceAll(/[-_\s]/g, '')
    .toLowerCase();
}

/** How many letters must be added, removed, replaced or swapped with their neighbour to turn `a` into `b`. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, length) => length);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** Whether `value` is an object with members: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
