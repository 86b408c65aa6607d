import { createMemoryRateLimiter } from '../../src/adapters/embedded/memory-rate-limiter.ts';
import { rateLimiterConformance } from './rate-limiter.ts';

rateLimiterConformance('in memory', () => {
  let now = 1_000_000;
  return { limiter: createMemoryRateLimiter(() => now), pass: (ms) => (now += ms) };
});
