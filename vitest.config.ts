import { configDefaults, defineConfig } from 'vitest/config';

const exclude = [...configDefaults.exclude, '.data/**'];
const INTEGRATION = '**/*.int.test.ts';
const PROOFS = '**/*.proof.test.ts';
/** Each file starts a platform, on servers of its own. */
const PLATFORM_PROOFS = 'tests/{faults,neighbours,sale}/**/*.proof.test.ts';

const everyProject = {
  // How soon something happens is asserted where it is promised; a poll waits for it to happen at all.
  expect: { poll: { timeout: 10_000 } },
  // A failure that is seen once in a hundred runs says what was seen, in full.
  chaiConfig: { truncateThreshold: 1_000 },
};
// MongoDB, NATS and Redis, started once for all files; each test has a company of its own.
const onServers = { globalSetup: ['./tests/harness/infrastructure.ts'], hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // The servers need the other cores: with three workers, a run is longer on two cores.
    maxWorkers: 2,
    // A worker loads each module once, and starts the shared services once, instead of for each file.
    isolate: false,
    // For what hangs: how soon something happens is asserted where it is promised.
    testTimeout: 60_000,
    projects: [
      {
        test: {
          ...everyProject,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...exclude, INTEGRATION, PROOFS],
        },
      },
      { test: { ...everyProject, ...onServers, name: 'integration', include: [INTEGRATION], exclude } },
      // `npm run proofs`: what is promised under races, kills, outages and load.
      {
        test: {
          ...everyProject,
          ...onServers,
          name: 'proofs',
          include: [PROOFS],
          exclude: [...exclude, PLATFORM_PROOFS],
          // Proofs wait more than they work.
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...everyProject,
          name: 'platform-proofs',
          include: [PLATFORM_PROOFS],
          exclude,
          globalSetup: ['./tests/harness/build.ts'],
          // With more of them at once, or beside others, requests would miss deadlines because the machine is busy.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
