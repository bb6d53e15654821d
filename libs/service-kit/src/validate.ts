import { type ErrorDetail, PlatformError } from '@event-commerce/contracts';
import { z } from 'zod';

z.config({
  customError: (issue) => (issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : undefined),
});

/**
 * `input` as `schema` reads it. `root` names the input as a whole in an error about it (`body`, `query`).
 *
 * @throws {PlatformError} VALIDATION_FAILED with one detail for each problem, its path dotted from the root
 */
export function validate<T extends z.ZodType>(schema: T, input: unknown, root = 'body'): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw validationError(result.error, root);
}

export function validationError(error: z.ZodError, root: string): PlatformError {
  const details = error.issues.slice(0, 50).map((issue): ErrorDetail => {
    const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    return { path: path.replace(/^\./, '') || root, message: issue.message };
  });
  const first = details[0];
  return new PlatformError(
    'VALIDATION_FAILED',
    first ? `${first.path}: ${first.message}` : 'The request is not valid.',
    {
      details,
    },
  );
}
