/** What a person listed, separated by commas. A name may have spaces. */
export function listedIn(typed: string): string[] {
  return typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
