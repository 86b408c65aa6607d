import { defineConfig } from 'vitest/config';

/** Tests on a real OpenSearch: `npm run test:opensearch`. */
export default defineConfig({
  test: {
    name: 'opensearch',
    include: ['server/test/opensearch/*.{opensearch,drill}.ts'],
    globalSetup: ['server/test/setup/database.ts'],
    pool: 'forks',
    // They share one server.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 90_000 } },
  },
});
