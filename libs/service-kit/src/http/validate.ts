import { type ErrorDetail, type MemberProblem, PlatformError, readMembers, shortened } from '@event-commerce/contracts';
import type { z } from 'zod';

const DETAILS_MAX = 50;
const NAME_LENGTH_MAX = 64;

/**
 * Parses `input` with `schema`: a message of another process, or a stored value. `root` names the input as a whole in
 * an error about it (`body`, `query`).
 *
 * @throws {PlatformError} VALIDATION_FAILED with one detail for each problem, its path dotted from the root
 */
export function validate<T extends z.ZodType>(schema: T, input: unknown, root = 'body'): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(problemsOf(result.error.issues), root);
}

/**
 * Parses a caller's input with `schema`: null or an empty text for an optional field means that it is absent, and a field that looks
 * misspelt is rejected. May change `input`.
 *
 * @throws {PlatformError} VALIDATION_FAILED with one detail for each problem, its path dotted from the root
 */
export function validateRequest<T extends z.ZodType>(schema: T, input: unknown, root = 'body'): z.output<T> {
  const unknown = readMembers(schema, input);
  const result = schema.safeParse(input);
  if (result.success && unknown.length === 0) return result.data;
  const others = result.success
    ? []
    : problemsOf(result.error.issues.filter(({ code }) => code !== 'unrecognized_keys'));
  throw validationError([...unknown, ...others], root);
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

/** Issues with their paths. For a union that the value nearly fits, the issues of that branch. */
function problemsOf(issues: readonly z.core.$ZodIssue[]): MemberProblem[] {
  return issues.flatMap((issue) => {
    const inside = issue.code === 'invalid_union' ? nearestBranch(issue.errors) : undefined;
    if (inside === undefined) return [{ path: [...issue.path], message: issue.message }];
    return problemsOf(inside).map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
  });
}

/** The only branch whose issues are all about parts of the value, not the value as a whole. */
function nearestBranch(branches: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] | undefined {
  const [nearest, ...others] = branches.filter((issues) => issues.every(({ path }) => path.length > 0));
  return others.length === 0 ? nearest : undefined;
}
