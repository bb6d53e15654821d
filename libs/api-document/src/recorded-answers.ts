import { readFileSync } from 'node:fs';

/** What the platform answered to an example. */
interface RecordedAnswer {
  status: number;
  body: unknown;
}

/** The contract test compares this file with what the platform answers; `-u` rewrites it. */
export const RECORDED_ANSWERS_FILE = new URL('recorded-answers.json', import.meta.url);

let answers: Record<string, RecordedAnswer> | undefined;

/** The answer to example `name` of an operation: real, apart from its ids and times. */
export function recordedAnswer(operationId: string, name: string): RecordedAnswer | undefined {
  answers ??= JSON.parse(readFileSync(RECORDED_ANSWERS_FILE, 'utf8')) as Record<string, RecordedAnswer>;
  return answers[`${operationId}.${name}`];
}
