import { writeFile } from 'node:fs/promises';

/** Every error sentence once, for people to review: `npm run proofs -- api-contract` writes the file. */
const REFUSALS_FILE = new URL('refusals.txt', import.meta.url);

/** Words of the validator, the framework, the runtime and the stores, which mean nothing to a caller. */
const NOT_OURS =
  /\b(?:expected\b|received|invalid_|ZodError|FST_|ECONN\w*|E11000|Unexpected token|Too (?:big|small)|Invalid (?:input|string|option)|undefined|param length|Cast to|BSON)|\[object /i;

/** Collects the sentences that callers read. */
export function refusals() {
  const seen = new Map<string, string>();
  return {
    add(operationId: string, status: number, { message, code, details = [] }: ErrorAnswer): void {
      const found = details.map((detail) => `  ${detail.path} | ${detail.message}`);
      // Once for each kind: ids, numbers and the position of a mistake belong to the caller.
      const kind = code.endsWith('NOT_FOUND') ? '' : details.map((detail) => detail.message).join() || message;
      const key = `${status} ${code} ${kind.replaceAll(/\w+_[0-9a-z]{20,}|\d+/g, '#')}`;
      if (!seen.has(key)) seen.set(key, [`${status} ${code} (${operationId})`, message, ...found].join('\n'));
    },
    /** The sentences that no person would have written. */
    strange: () =>
      [...seen.values()].filter((text) => {
        const sentence = text.split('\n')[1] ?? '';
        return NOT_OURS.test(text) || !/^\S.*[.?…]$/s.test(sentence) || sentence.length > 300;
      }),
    write: async () => writeFile(REFUSALS_FILE, [...seen.values()].toSorted().join('\n\n')),
  };
}

interface ErrorAnswer {
  code: string;
  message: string;
  details?: readonly { path: string; message: string }[];
}
