import { type ErrorDetail, type MemberProblem, PlatformError, readMembers, shortened } from '@event-commerce/contracts';
import { z } from 'zod';

const DETAILS_MAX = 50;
const NAME_LENGTH_MAX = 64;
const GIVEN_LENGTH_MAX = 64;

/**
 * Parses `input` with `schema`: a message of another process, or a stored value. `root` names the input as a whole in
 * an error about it (`body`, `query`).
 *
 * @throws {PlatformError} VALIDATION_FAILED with one detail for each problem, its path dotted from the root
 */
export function validate<T extends z.ZodType>(schema: T, input: unknown, root = 'body'): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(problemsOf(result.error.issues, input), root);
}

/**
 * Parses a caller's input with `schema`: null or an empty text for an optional field means that it is absent, and a
 * field that looks misspelt is rejected. May change `input`. `at`: where the request has it, if it is a part.
 *
 * @throws {PlatformError} VALIDATION_FAILED with one detail for each problem, its path dotted from the root
 */
export function validateRequest<T extends z.ZodType>(
  schema: T,
  input: unknown,
  root = 'body',
  at: readonly PropertyKey[] = [],
): z.output<T> {
  const unread = [...(root === 'query' ? readQuery(schema, input) : []), ...readMembers(schema, input)];
  const result = schema.safeParse(input);
  if (result.success && unread.length === 0) return result.data;
  const others = result.success
    ? []
    : problemsOf(
        result.error.issues.filter(({ code }) => code !== 'unrecognized_keys'),
        input,
      );
  const problems = [...unread, ...others].map(({ path, message }) => ({ path: [...at, ...path], message }));
  throw validationError(problems, root);
}

/**
 * Prepares a query for `schema`, in place: a parameter that a form left empty is absent. Returns those that are sent
 * more than once.
 */
function readQuery(schema: z.ZodType, query: unknown): MemberProblem[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const given = query as Record<string, unknown>;
  return Object.keys(schema.shape).flatMap((name) => {
    const value = given[name];
    if (typeof value === 'string' && value.trim() === '') delete given[name];
    return Array.isArray(value) ? [{ path: [name], message: `is sent ${value.length} times; send it once` }] : [];
  });
}

/**
 * The error for invalid input, with the first problem of each place: the following ones are often only its consequence.
 * `root` names the input as a whole.
 */
export function validationError(found: readonly MemberProblem[], root: string): PlatformError {
  const problems = [
    ...new Map(found.toReversed().map((problem) => [pathText(problem.path), problem])).values(),
  ].toReversed();
  const details = problems.slice(0, DETAILS_MAX).map(({ path, message }): ErrorDetail => ({
    path: path.length === 0 ? root : pathText(path),
    message,
  }));
  const [first] = problems;
  if (first === undefined) return new PlatformError('VALIDATION_FAILED', 'The request is not valid.');
  const subject = first.path.length === 0 ? `The ${root}` : pathText(first.path);
  const others = problems.length - 1;
  const more = others === 0 ? '' : ` See details for ${others} more ${others === 1 ? 'problem' : 'problems'}.`;
  const message = `${subject} ${first.message}${first.message.endsWith('?') ? '' : '.'}${more}`;
  return new PlatformError('VALIDATION_FAILED', message, { details });
}

/**
 * A path as callers write it: `items[0].offeringId`. The caller's own names are shown in part, however long they are.
 */
function pathText(path: readonly PropertyKey[]): string {
  const parts = path.map((part) =>
    typeof part === 'number' ? `[${part}]` : `.${shortened(String(part), NAME_LENGTH_MAX)}`,
  );
  return parts.join('').replace(/^\./, '');
}

/**
 * Issues of `input` with their paths, and what the input has there. For a union that the value nearly fits, the issues
 * of that branch.
 */
function problemsOf(issues: readonly z.core.$ZodIssue[], input: unknown): MemberProblem[] {
  return issues.flatMap((issue) => {
    const at = issue.path.reduce<unknown>(
      (value, part) => (value as Record<PropertyKey, unknown> | null)?.[part],
      input,
    );
    const inside = issue.code === 'invalid_union' ? nearestBranch(issue.errors) : undefined;
    if (inside === undefined) return [{ path: [...issue.path], message: withGiven(issue, at) }];
    return problemsOf(inside, at).map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  });
}

/** The issue's message with the value that it is about, or with how long that is. */
function withGiven(issue: z.core.$ZodIssue, value: unknown): string {
  const given = givenIn(issue, value);
  return given === undefined || issue.message.endsWith(')') ? issue.message : `${issue.message} (got ${given})`;
}

function givenIn(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  const { code, origin = '' } = issue as { code: string; origin?: string };
  const isSize = code.startsWith('too_');
  if (isSize && origin === 'array') return String((value as unknown[]).length);
  if (typeof value === 'string') {
    return isSize && origin === 'string' && value.trim() !== '' ? String(value.length) : visible(value);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (code !== 'invalid_type') return undefined;
  return Array.isArray(value) ? 'an array' : 'an object';
}

/** The beginning of a text in quotes. Invisible characters, which may be the problem, are escaped. */
function visible(text: string): string {
  return JSON.stringify(shortened(text, GIVEN_LENGTH_MAX)).replaceAll(/(?! )[\p{C}\p{Z}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escaped(character.charCodeAt(at))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** The only branch whose issues are all about parts of the value, not the value as a whole. */
function nearestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | undefined {
  const [nearest, ...others] = branches.filter((issues) => issues.every(({ path }) => path.length > 0));
  return others.length === 0 ? nearest : undefined;
}
