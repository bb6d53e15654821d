import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/**
 * Texts of every schema's errors: what is wrong with a value, to be read after its path, as in `effect.percent must be
 * at most 100`. Covers every kind of issue, so that no text of the validator itself reaches a caller.
 */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return sizeText(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum));
    case 'too_big':
      return sizeText(issue.origin, issue.inclusive === false ? 'less than' : 'at most', Number(issue.maximum));
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${choice(issue.values)}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has a format that is not allowed';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return 'has an unknown field';
    case 'invalid_union':
      return unionText(issue);
    case 'invalid_key':
      return 'has a name that is not allowed';
    case 'invalid_element':
      return 'has an entry that is not allowed';
    case 'custom':
      return 'is not valid';
    default:
      return issue satisfies never;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  nan: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  tuple: 'an array',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  url: 'must be a URL',
  datetime: 'must be a date and time, such as 2027-05-01T18:00:00Z',
  date: 'must be a date, such as 2027-05-01',
};

function sizeText(origin: string, bound: string, size: number): string {
  const things = { string: 'character', array: 'entr', set: 'entr', object: 'member', map: 'member' }[origin];
  if (things === undefined) return `must be ${bound} ${size}`;
  if (bound === 'at least' && size === 1 && things === 'character') return 'must not be empty';
  const plural = things === 'entr' ? (size === 1 ? 'y' : 'ies') : size === 1 ? '' : 's';
  return `must have ${bound} ${size} ${things}${plural}`;
}

function choice(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`;
}

function unionText(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (issue.input === undefined) return 'is required';
  const { options } = issue as { options?: readonly unknown[] };
  if (options !== undefined) return `must be ${choice(options)}`;
  const texts = issue.errors.flatMap(([first]) => (first?.path.length === 0 ? [first.message] : []));
  const forms = texts.flatMap((text) => (text.startsWith('must be ') ? [text.slice('must be '.length)] : []));
  return forms.length > 0 && forms.length === issue.errors.length
    ? `must be ${[...new Set(forms)].join(', or ')}`
    : 'does not match any allowed form';
}
