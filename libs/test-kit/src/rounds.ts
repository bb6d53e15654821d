/**
 * How many of `all` rounds a race plays: a tenth, so that `npm test` stays fast; all of them with `TEST_ROUNDS=all`.
 * `npm run flakes` plays a race's tenth 50 times.
 */
export function rounds(all: number): number {
  return process.env['TEST_ROUNDS'] === 'all' ? all : Math.ceil(all / 10);
}
