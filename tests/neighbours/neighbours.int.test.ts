import { expect, test } from 'vitest';
import { abuses } from './abuses.ts';
import { MEMORY_MIB, neighbourRun } from './neighbour-run.ts';

/** Those that need little to be prepared; `npm run neighbours` plays all of them, for longer, and measures. */
const SHORT = [
  'member names of 750 KB',
  'bodies of 1 MiB that are refused',
  'carts with 500 codes that nobody knows',
  'uploads that hold back the last byte',
  'answers that nobody reads',
  'keys that are none',
];

test('a company that does its worst costs its neighbour no error, ends no process, and takes no more memory than there is', async () => {
  const { abuses: reports } = await neighbourRun({
    abuses: abuses.filter(({ name }) => SHORT.includes(name)),
    seconds: 2,
    progress: () => {},
  });
  expect(reports.map(({ name }) => name).toSorted()).toEqual(SHORT.toSorted());
  for (const { name, neighbour, peakMiB, ended } of reports) {
    expect(neighbour.requests, name).toBeGreaterThan(10);
    expect({ name, errors: neighbour.errors, ended }).toEqual({ name, errors: [], ended: [] });
    for (const [process, mib] of Object.entries(peakMiB)) {
      expect(mib, `${process} in MiB, ${name}`).toBeLessThanOrEqual(MEMORY_MIB[process as keyof typeof MEMORY_MIB]);
    }
  }
}, 120_000);
