import { type ErrorCode, type ErrorOptions, PlatformError } from './errors.ts';

/** What callers see of an error: its code, when it occurs, and an example as it is really thrown. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly when: string;
  readonly example: () => PlatformError;
}

/** Makes the errors of one kind. The thrown errors and those in the documents come from the same call. */
type RefusalKind<Args extends unknown[]> = Refusal &
  ((...args: Args) => PlatformError) & {
    /** The same kind with another example, as an operation describes it. */
    shownWith(...args: Args): Refusal;
  };

/** Declares a kind of error. `write` words it; `example`: the arguments with which the documents call it. */
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
