import { defineConfig } from 'vitest/config';

/** Tests on real servers of sources: `npm run test:sources`. */
export default defineConfig({
  test: {
    name: 'sources',
    include: ['server/test/sources/*.sources.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
