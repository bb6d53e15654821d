import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const exclude = [...configDefaults.exclude, '.data/**'];

/** Begins with what takes longest, so that the run does not end with one file alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- a sequencer's own method
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/tests/faults/');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: { name: 'unit', include: ['**/*.test.ts'], exclude: [...exclude, '**/*.int.test.ts'] },
      },
      {
        // Against real servers, started once for all files; each test has a company of its own.
        test: {
          name: 'integration',
          include: ['**/*.int.test.ts'],
          exclude,
          globalSetup: ['./tests/infrastructure.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // How soon something happens is asserted where it is promised; a poll waits for it to happen at all.
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 2,
        },
      },
    ],
  },
});
