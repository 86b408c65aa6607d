import cluster from 'node:cluster';
import { openRedisRateLimiter } from '../adapters/distributed/redis-rate-limiter.ts';
import { createClusterRateLimiter } from '../adapters/embedded/cluster-rate-limiter.ts';
import { createMemoryRateLimiter } from '../adapters/embedded/memory-rate-limiter.ts';
import type { Logger } from '../kernel/log.ts';
import { limitsOf } from '../kernel/rate-limits.ts';
import type { RateLimiter, RateLimits } from '../ports/rate-limiter.ts';
import type { Base } from './parts.ts';

/** Counts requests: for this machine, or in Redis for all that share it. */
export interface OpenedLimiter {
  readonly limiter: RateLimiter;
  /** Limits of those that have none of their own. */
  readonly defaultLimits: RateLimits;
  /** Whether the limiter has fallen back to counts of this machine, as Redis is unreachable; null without Redis. */
  readonly isLimiterLocal: (() => boolean) | null;
  /** Health check of Redis; none without Redis. */
  readonly checks: readonly { readonly name: string; readonly needed: false; readonly check: () => string | null }[];
}

/** Why the configured Redis cannot be used; null where it can. */
export async function probeRedis(url: string, prefix: string, log: Logger): Promise<string | null> {
  const limiter = await openRedisRateLimiter({ url, prefix, fallback: createMemoryRateLimiter(Date.now), log });
  const unavailableReason = limiter.unavailableReason();
  await limiter.close();
  return unavailableReason;
}

/** Opens the rate limiter. Falls back to counts of this machine while Redis is unreachable. */
export async function openLimiter({ config: { redis, limits }, log, parts }: Base): Promise<OpenedLimiter> {
  const localLimiter = cluster.isWorker ? createClusterRateLimiter() : createMemoryRateLimiter(Date.now);
  const defaultLimits = limitsOf(limits);
  if (redis.url === undefined) {
    const limiter = parts.own('rate limiter', localLimiter);
    return { limiter, defaultLimits, isLimiterLocal: null, checks: [] };
  }
  const { url, prefix } = redis;
  const limiter = parts.own('rate limiter', await openRedisRateLimiter({ url, prefix, fallback: localLimiter, log }));
  const isLimiterLocal = () => limiter.unavailableReason() !== null;
  // Not the reason itself: it may hold addresses, and anybody may ask. The log has it.
  const check = () => (isLimiterLocal() ? 'Redis cannot be used; each machine counts rate limits for itself' : null);
  const checks = [{ name: 'redis', needed: false, check }] as const;
  return { limiter, defaultLimits, isLimiterLocal, checks };
}
