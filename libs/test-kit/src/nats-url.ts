import { expect, inject } from 'vitest';

/** Who has which account: an owner's position is its account's number in this worker. */
const owners: string[] = [];

/** A broker account that only `owner` uses in this worker, isolated from parallel tests and from earlier streams. */
export function natsUrlFor(owner: string): string {
  if (!owners.includes(owner)) owners.push(owner);
  const urls = inject('natsUrls');
  const worker = Number(process.env['VITEST_POOL_ID']) - 1;
  return urls[(owners.indexOf(owner) * inject('workers') + worker) % urls.length] as string;
}

/**
 * The broker account of this test file. `other` gives it further ones, for parts that must be isolated from each other.
 */
export function natsUrlOfThisFile(other = 0): string {
  return natsUrlFor(`${expect.getState().testPath} ${other}`);
}
