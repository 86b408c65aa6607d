import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { bundleFolder } from './server/src/bundle.mjs';

const bundle = bundleFolder(import.meta.dirname);

/** Tests by clients of Python: `npm run test:python`. */
export default defineConfig({
  test: {
    name: 'python',
    include: ['server/test/python/*.python.ts'],
    globalSetup: ['server/test/setup/database.ts'],
    pool: 'forks',
    // Programs at one time in each file: they take a core while they load.
    maxConcurrency: 3,
    maxWorkers: 2,
    env: existsSync(bundle) ? { STUDIO_TEST_BUNDLE: bundle } : {},
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
