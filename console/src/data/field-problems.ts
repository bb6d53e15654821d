import { ApiError } from '@event-commerce/client';
import { sentenceOf } from '../ui/states.tsx';

/** Why the platform refused what was sent. */
interface Refused<Field extends string> {
  /** What it said about a field of the form, as a sentence. */
  fields: Partial<Record<Field, string>>;
  /** What it said about anything else. */
  rest: string | undefined;
}

/** Which fields of a form an error is about. `paths`: where the value of a field is in the body. */
export function fieldProblems<Field extends string>(
  error: unknown,
  paths: Readonly<Record<Field, string>>,
): Refused<Field> {
  const fields: Partial<Record<Field, string>> = {};
  if (error === undefined) return { fields, rest: undefined };
  const details = error instanceof ApiError ? error.details : [];
  const fieldOf = (path: string) =>
    (Object.entries(paths) as [Field, string][]).find(([, at]) => path === at || path.startsWith(`${at}[`))?.[0];
  let isAllShown = details.length > 0;
  for (const { path, message } of details) {
    const field = fieldOf(path);
    if (field === undefined) isAllShown = false;
    else fields[field] ??= `It ${message}.`;
  }
  return { fields, rest: isAllShown ? 'Nothing was saved: see the marked fields.' : sentenceOf(error) };
}
