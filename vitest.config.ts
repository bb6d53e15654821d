import { readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const exclude = [...configDefaults.exclude, '.data/**'];

/** What takes longest. It comes first, and unit tests last, so that the run does not end with one file alone. */
const LONGEST = /\/tests\/(faults|neighbours|sale)\/|\/first-start/;

/** A failure that is seen once in a hundred runs says what was seen, in full. */
const MESSAGES = { truncateThreshold: 1_000 };

/** How soon something happens is asserted where it is promised; a poll waits for it to happen at all. */
const POLL = { timeout: 10_000 };

/** Files that share a platform come one after the other, so that it need not run for longer than they do. */
const shares = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').includes('sharedTestPlatform()');

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's own method
    const sorted = await super.sort(files);
    const turnOf = (file: TestSpecification): number => {
      if (file.project.name === 'unit') return 3;
      return LONGEST.test(file.moduleId) ? 0 : shares(file) ? 1 : 2;
    };
    const turns = new Map(sorted.map((file) => [file, turnOf(file)]));
    return sorted.toSorted((a, b) => turns.get(a)! - turns.get(b)!);
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Each works with processes of its own, which need the other cores: with three, the run is longer on two cores.
    maxWorkers: 2,
    // A worker loads each module once, and not again for each file: a quarter of the run's CPU time.
    isolate: false,
    // For what hangs: how soon something happens is asserted where it is promised.
    testTimeout: 60_000,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts'],
          expect: { poll: POLL },
          chaiConfig: MESSAGES,
        },
      },
      {
        // Against real servers, started once for all files; each test has a company of its own.
        test: {
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude,
          globalSetup: ['./tests/infrastructure.ts'],
          hookTimeout: 60_000,
          expect: { poll: POLL },
          chaiConfig: MESSAGES,
        },
      },
    ],
  },
});
