/** Matches texts that begin with `text`, taken literally. The pattern is anchored, so an index serves it. */
export function beginsWith(text: string): { $regex: string } {
  return { $regex: `^${text.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)}` };
}
