import { wholeNumbers } from '@event-commerce/test-kit';
import { readCommandLine, refuseCommandLine } from '@event-commerce/service-kit/command-line';
import { MEMORY_MIB } from '../../deploy/local/platform.ts';
import { build } from '../../tools/build.ts';
import { abuses } from './abuses.ts';
import { type Experience, neighbourRun } from './neighbour-run.ts';

/**
 * `npm run neighbours`: what a small shop notices while another company misbehaves with a key of the default limits.
 * Prints a table; exits with 1 if the shop got an error, a process exited, or one used more memory than its container
 * has.
 */

const USAGE = `Usage: npm run neighbours -- [--seconds 15] [--only TEXT]

  --seconds N  how long each abuse lasts (15)
  --only TEXT  only the abuses whose name contains TEXT, of:
${abuses.map(({ name }) => `                 ${name}\n`).join('')}`;

const { values } = readCommandLine(USAGE, {
  options: { seconds: { type: 'string', default: '15' }, only: { type: 'string', default: '' } },
});
const { seconds } = wholeNumbers(values, { seconds: 1 });
const chosen = abuses.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0) refuseCommandLine(USAGE, `No abuse has "${values.only}" in its name.`);
const say = (line: string) => process.stdout.write(`${line}\n`);
await build();
const { alone, abuses: reports } = await neighbourRun({
  abuses: chosen,
  seconds,
  measured: true,
  progress: say,
});

const quantile = ({ tookMs }: Experience, share: number) =>
  tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * share)] ?? 0;
const p99AloneMs = quantile(alone, 0.99);
const met = (experience: Experience) => {
  const [p50Ms, p99Ms] = [quantile(experience, 0.5), quantile(experience, 0.99)];
  const { tookMs, errors } = experience;
  return `${tookMs.length} | ${errors.length} | ${p50Ms.toFixed(0)} | ${p99Ms.toFixed(0)} | ${(p99Ms / p99AloneMs).toFixed(1)}`;
};
say(
  '\n| the other company sends | responses | requests of the shop | errors | p50 ms | p99 ms | x alone | CPU, % of a core | memory, MiB | ended |',
);
say('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
say(`| nothing | | ${met(alone)} | | | |`);
let failed = false;
for (const { name, statuses, neighbour, peakMiB, cpuPercent, ended } of reports) {
  const answers = Object.entries(statuses).map(([status, times]) => `${status === '0' ? 'none' : status} x ${times}`);
  const byProcess = (figures: Record<string, number>) =>
    Object.entries(figures)
      .map(([process, figure]) => `${process} ${figure}`)
      .join(', ');
  say(
    `| ${name} | ${answers.join(', ')} | ${met(neighbour)} | ${byProcess(cpuPercent)} | ${byProcess(peakMiB)} | ${ended.join(', ') || 'none'} |`,
  );
  const tooLarge = Object.entries(MEMORY_MIB).some(([process, mib]) => peakMiB[process as keyof typeof peakMiB] > mib);
  failed ||= neighbour.errors.length > 0 || ended.length > 0 || tooLarge;
  for (const error of new Set(neighbour.errors)) say(`|   ${error} | | | | | | | | |`);
}
process.exit(failed ? 1 : 0);
