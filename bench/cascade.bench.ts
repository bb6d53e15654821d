import { CASCADE_LABELS, MATCHING, measureCascade, ROUNDS } from './cascade.ts';

// The cost of one evaluation as a company's adjustments grow, here and in json-rules-engine. Run:
// `node_modules/.bin/node bench/cascade.bench.ts`. Exits with 1 if 10,000 adjustments cost more than RATIO_MAX times as
// much as 100, without the list of target mismatches.

const SIZES = [10, 100, 1_000, 10_000];
const RATIO_MAX = 1.5;

const usOf = await measureCascade(SIZES);
console.log(`Microseconds for one evaluation, ${MATCHING} adjustments matching (median of ${ROUNDS} rounds)`);
console.table(
  Object.fromEntries(
    SIZES.map((size) => [
      size,
      {
        ...Object.fromEntries(CASCADE_LABELS.map((label) => [label, Number(usOf(label, size).toFixed(1))])),
        'times faster': Number((usOf('json-rules-engine', size) / usOf('candidates', size)).toFixed(1)),
      },
    ]),
  ),
);
const ratio = usOf('candidates', 10_000) / usOf('candidates', 100);
console.log(`10,000 adjustments cost ${ratio.toFixed(2)} times 100 (at most ${RATIO_MAX})`);
if (ratio > RATIO_MAX) process.exitCode = 1;
