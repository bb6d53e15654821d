import { configDefaults, defineConfig } from 'vitest/config';

const exclude = [...configDefaults.exclude, '.data/**'];

export default defineConfig({
  test: {
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
          globalSetup: ['./deploy/local/vitest-infrastructure.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
