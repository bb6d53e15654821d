import { type ErrorCode, type ErrorOptions, PlatformError } from './errors.ts';

/** What callers are told of an error: its code, when it occurs, and one of its kind as it is really thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly when: string;
  readonly example: () => PlatformError;
}

/** Makes the errors of one kind. What is thrown and what the documents show come from the same call. */
type RefusalKind<Args extends unknown[]> = Refusal &
  ((...args: Args) => PlatformError) & {
    /** The same kind, as an operation describes it: with another example. */
    shownWith(...args: Args): Refusal;
  };

/** Declares a kind of error. `write` says it in words; `example` is what the documents call it with. */
export function refusal<Args extends unknown[]>(
  code: ErrorCode,
  when: string,
  write: (...args: Args) => ErrorOptions & { message: string },
  ...example: NoInfer<Args>
): RefusalKind<Args> {
  const make = (...args: Args) => {
    const { message, ...options } = write(...args);
    return new PlatformError(code, message, options);
  };
  const shownWith = (...args: Args): Refusal => ({ code, when, example: () => make(...args) });
  return Object.assign(make, { ...shownWith(...example), shownWith });
}
