import { createHash } from 'node:crypto';
import type { Logger } from '../../kernel/log.ts';
import { type RateAmounts, type RateLimit, rateLimits, unlimited } from '../../kernel/rate-limits.ts';
import type { RateLimiter, RateLimits, RateState } from '../../ports/rate-limiter.ts';
import { zeroUsage, rateState, WINDOW_MS } from '../rate-window.ts';
import { openRedis } from './redis-connection.ts';

interface Script {
  readonly text: string;
  readonly sha1: string;
}
const script = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/** Fields of a window in Redis, where `s` is its start. Released versions count in them: none is renamed. */
const fieldOf: Readonly<Record<RateLimit, string>> = { requestsPerMinute: 'r', tokensPerMinute: 't' };

/**
 * Takes all amounts, or none. KEYS: the window of the subject. ARGV: the time (empty: that of Redis, as the clocks of the
 * machines differ), then for each limit its field, the limit (empty: none) and the amount.
 */
const RESERVE = script(`
local at = tonumber(ARGV[1])
if not at then
  local time = redis.call('TIME')
  at = time[1] * 1000 + math.floor(time[2] / 1000)
end
local start = tonumber(redis.call('HMGET', KEYS[1], 's')[1])
local fresh = not start or at - start >= ${WINDOW_MS}
if fresh then start = at end
local used, taken, full = {}, {'s', start}, false
for i = 2, #ARGV, 3 do
  local now = not fresh and tonumber(redis.call('HMGET', KEYS[1], ARGV[i])[1]) or 0
  local limit, more = tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  if limit and (now >= limit or (now > 0 and now + more > limit)) then full = true end
  used[#used + 1] = now
  taken[#taken + 1] = ARGV[i]
  taken[#taken + 1] = now + more
end
if not full then
  for i = 1, #used do used[i] = taken[2 * i + 2] end
  redis.call('HSET', KEYS[1], unpack(taken))
  if fresh then redis.call('PEXPIRE', KEYS[1], ${WINDOW_MS}) end
end
for i = 1, #used do used[i] = tostring(used[i]) end
return {full and 0 or 1, start, at, used}
`);

/** Corrects the window that began at ARGV[1], and no other, by the pairs of field and change that follow. */
const SETTLE = script(`
if tonumber(redis.call('HMGET', KEYS[1], 's')[1]) == tonumber(ARGV[1]) then
  for i = 2, #ARGV, 2 do
    local used = tonumber(redis.call('HMGET', KEYS[1], ARGV[i])[1]) or 0
    redis.call('HSET', KEYS[1], ARGV[i], math.max(0, used + tonumber(ARGV[i + 1])))
  end
end
return 0
`);

type Reserved = readonly [allowed: number, startedMs: number, now: number, used: readonly string[]];

const usedOf = (used: readonly string[]) =>
  Object.fromEntries(rateLimits.map((name, at) => [name, Number(used[at])])) as Record<RateLimit, number>;

export interface RedisRateLimiterOptions {
  /** redis:// or rediss:// */
  readonly url: string;
  /** What the names of the keys begin with; services with the same one count together. */
  readonly prefix: string;
  /** Counts while Redis cannot be used. Ends with this limiter. */
  readonly fallback: RateLimiter;
  readonly log: Logger;
  /** Milliseconds since 1970; without it the clock of Redis. */
  readonly now?: () => number;
}

export interface RedisRateLimiter extends RateLimiter {
  /** Why the fallback is in use; null while Redis is available. */
  unavailableReason(): string | null;
}

const optional = (limit: number | null) => (limit === null ? '' : String(limit));

/** The mark of a window of the fallback is negative, so that `settle` knows where the tokens were counted. */
const ofFallback = (state: RateState): RateState => ({ ...state, window: -state.window });

/**
 * Counts in Redis for all processes that share it, in the windows of the memory's limiter. While Redis cannot be used the
 * fallback counts and nobody is refused or waits for it. Resolves also where Redis is away.
 */
export async function openRedisRateLimiter(options: RedisRateLimiterOptions): Promise<RedisRateLimiter> {
  const { url, prefix, fallback, log, now } = options;
  const keyOf = (subject: string) => `${prefix}rate:${subject}`;
  const reserving = (subject: string, limits: RateLimits, amounts: RateAmounts) => ({
    keys: [keyOf(subject)],
    arguments: [
      now === undefined ? '' : String(now()),
      ...rateLimits.flatMap((name) => [fieldOf[name], optional(limits[name]), String(amounts[name])]),
    ],
  });
  const redis = await openRedis({
    url,
    log,
    async prepare(client) {
      // Together with a trial, as a Redis that only reads, or has no memory left, answers other questions well.
      await Promise.all([
        client.scriptLoad(RESERVE.text),
        client.scriptLoad(SETTLE.text),
        client.evalSha(RESERVE.sha1, reserving('trial', unlimited, zeroUsage())),
      ]);
    },
    logMessages: {
      lost: 'Redis cannot be used; this machine counts rate limits for itself until it is back',
      restored: 'Redis is back; rate limits are counted there',
    },
  });

  const reserveLocally = (subject: string, limits: RateLimits, amounts: RateAmounts) => {
    const state = fallback.reserve(subject, limits, amounts);
    return state instanceof Promise ? state.then(ofFallback) : ofFallback(state);
  };
  return {
    unavailableReason: () => redis.unavailableReason(),
    reserve(subject, limits, amounts) {
      if (redis.unavailableReason() !== null) return reserveLocally(subject, limits, amounts);
      return redis
        .run((client) => client.evalSha(RESERVE.sha1, reserving(subject, limits, amounts)))
        .then(
          (reply) => {
            const [allowed, startedMs, at, used] = reply as unknown as Reserved;
            return rateState({ startedMs, used: usedOf(used) }, limits, allowed === 1, at);
          },
          () => reserveLocally(subject, limits, amounts),
        );
    },
    settle(subject, limits, changes, window) {
      if (window < 0) return fallback.settle(subject, limits, changes, -window);
      const changed = rateLimits.filter((name) => changes[name] !== 0);
      if (changed.length === 0) return;
      const pairs = changed.flatMap((name) => [fieldOf[name], String(changes[name])]);
      const settleArguments = { keys: [keyOf(subject)], arguments: [String(window), ...pairs] };
      // One that is lost leaves the estimate standing until the window is over.
      redis.run((client) => client.evalSha(SETTLE.sha1, settleArguments)).catch(() => undefined);
    },
    async close() {
      await redis.close();
      await fallback.close();
    },
  };
}
