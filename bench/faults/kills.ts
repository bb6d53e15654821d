import { parseArgs } from 'node:util';
import { killRun } from './kill-run.ts';

// `npm run kills -- --kills 200 --seed 7`: the long form of the kill test, with progress and a report.

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: String(Date.now()) } },
});
const report = await killRun({
  kills: Number(values.kills),
  seed: Number(values.seed),
  progress: (line) => process.stdout.write(`  ${line}\n`),
});
const wrong = Object.entries(report).filter(
  ([name, found]) => name !== 'kills' && Array.isArray(found) && found.length > 0,
);
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.stdout.write(
  wrong.length === 0 && report.pendingClaims === 0 && report.unpublishedEvents === 0
    ? 'Nothing lost, nothing doubled, no cap passed.\n'
    : `Wrong: ${wrong.map(([name]) => name).join(', ') || 'not settled'} (seed ${values.seed}).\n`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
