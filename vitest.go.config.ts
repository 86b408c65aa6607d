import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { bundleFolder } from './server/src/bundle.mjs';

const bundle = bundleFolder(import.meta.dirname);

/** Tests by a client of Go: `npm run test:go`. */
export default defineConfig({
  test: {
    name: 'go',
    include: ['server/test/go/*.go.ts'],
    globalSetup: ['server/test/setup/database.ts'],
    pool: 'forks',
    env: existsSync(bundle) ? { STUDIO_TEST_BUNDLE: bundle } : {},
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
