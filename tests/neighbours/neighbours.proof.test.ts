import { proofSize } from '@event-commerce/test-kit';
import { expect, test } from 'vitest';
import { MEMORY_MIB, PROCESS_NAMES } from '../../deploy/local/platform.ts';
import { abuses } from './abuses.ts';
import { neighbourRun } from './neighbour-run.ts';

/**
 * The abuses that need little preparation, and once ended a process, took its memory or delayed others.
 * `npm run neighbours` plays all abuses, for longer, and measures.
 */
const SHORT = [
  'member names of 750 KB',
  'responses that nobody reads',
  // The gateway's own proof, company-shares, holds back bodies too.
  'uploads that hold back the last byte',
].slice(0, proofSize(2, 3));

test('a misbehaving company causes its neighbour no errors, ends no process, and stays within the memory limits', async () => {
  const { abuses: reports } = await neighbourRun({
    abuses: abuses.filter(({ name }) => SHORT.includes(name)),
    seconds: 2,
    measured: false,
    progress: () => undefined,
  });
  expect(reports.map(({ name }) => name).toSorted()).toEqual(SHORT.toSorted());
  for (const { name, statuses, neighbour, peakMiB, ended } of reports) {
    const { expected } = abuses.find((abuse) => abuse.name === name)!;
    expect(statuses[expected] ?? 0, `${name} took place`).toBeGreaterThan(0);
    for (const process of PROCESS_NAMES) expect(peakMiB[process], `the memory of ${process}`).toBeGreaterThan(0);
    const tooLarge = PROCESS_NAMES.filter((process) => peakMiB[process] > MEMORY_MIB[process]);
    const found = { name, errors: neighbour.errors, ended, tooLarge };
    expect(found).toEqual({ name, errors: [], ended: [], tooLarge: [] });
  }
}, 400_000);
