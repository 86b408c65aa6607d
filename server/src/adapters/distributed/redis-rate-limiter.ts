import { createHash } from 'node:crypto';
import type { Logger } from '../../kernel/log.ts';
import type { RateLimiter, RateLimits, RateState } from '../../ports/rate-limiter.ts';
import { rateState, WINDOW_MS } from '../rate-window.ts';
import { openRedis } from './redis-connection.ts';

interface Script {
  readonly text: string;
  readonly sha1: string;
}
const script = (text: string): Script => ({ text, sha1: createHash('sha1').update(text).digest('hex') });

/**
 * Takes one request and its tokens, or neither. KEYS: the window of the subject. ARGV: the time (empty: that of Redis, as the
 * clocks of the machines differ), requests a minute, tokens a minute (empty: no limit), tokens.
 */
const RESERVE = script(`
local at = tonumber(ARGV[1])
if not at then
  local time = redis.call('TIME')
  at = time[1] * 1000 + math.floor(time[2] / 1000)
end
local rpm, tpm, more = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local held = redis.call('HMGET', KEYS[1], 's', 'r', 't')
local start, requests, tokens = tonumber(held[1]), tonumber(held[2]) or 0, tonumber(held[3]) or 0
local fresh = not start or at - start >= ${WINDOW_MS}
if fresh then start, requests, tokens = at, 0, 0 end
local full = (rpm and requests >= rpm) or (tpm and (tokens >= tpm or (tokens > 0 and tokens + more > tpm)))
if not full then
  requests, tokens = requests + 1, tokens + more
  redis.call('HSET', KEYS[1], 's', start, 'r', requests, 't', tokens)
  if fresh then redis.call('PEXPIRE', KEYS[1], ${WINDOW_MS}) end
end
return {full and 0 or 1, start, requests, tostring(tokens), at}
`);

/** Corrects the tokens of the window that began at ARGV[1] by ARGV[2]; of no other. */
const SETTLE = script(`
local held = redis.call('HMGET', KEYS[1], 's', 't')
if held[1] and tonumber(held[1]) == tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 't', math.max(0, tonumber(held[2]) + tonumber(ARGV[2])))
end
return 0
`);

type Reserved = readonly [allowed: number, startedMs: number, requests: number, tokens: string, now: number];

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
  /** Why the fallback counts now; null while Redis does. */
  trouble(): string | null;
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
  const reserving = (subject: string, { requestsPerMinute, tokensPerMinute }: RateLimits, tokens: number) => ({
    keys: [keyOf(subject)],
    arguments: [
      now === undefined ? '' : String(now()),
      optional(requestsPerMinute),
      optional(tokensPerMinute),
      String(tokens),
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
        client.evalSha(RESERVE.sha1, reserving('trial', { requestsPerMinute: null, tokensPerMinute: null }, 0)),
      ]);
    },
    words: {
      lost: 'Redis cannot be used; this machine counts rate limits for itself until it is back',
      back: 'Redis is back; rate limits are counted there',
    },
  });

  const reserveHere = (subject: string, limits: RateLimits, tokens: number) => {
    const state = fallback.reserve(subject, limits, tokens);
    return state instanceof Promise ? state.then(ofFallback) : ofFallback(state);
  };
  return {
    trouble: () => redis.trouble(),
    reserve(subject, limits, tokens) {
      if (redis.trouble() !== null) return reserveHere(subject, limits, tokens);
      return redis
        .ask((client) => client.evalSha(RESERVE.sha1, reserving(subject, limits, tokens)))
        .then(
          (reply) => {
            const [allowed, startedMs, requests, used, at] = reply as unknown as Reserved;
            return rateState({ startedMs, requests, tokens: Number(used) }, limits, allowed === 1, at);
          },
          () => reserveHere(subject, limits, tokens),
        );
    },
    settle(subject, limits, tokens, window) {
      if (window < 0) return fallback.settle(subject, limits, tokens, -window);
      const question = { keys: [keyOf(subject)], arguments: [String(window), String(tokens)] };
      // One that is lost leaves the estimate standing until the window is over.
      redis.ask((client) => client.evalSha(SETTLE.sha1, question)).catch(() => undefined);
    },
    async close() {
      await redis.close();
      await fallback.close();
    },
  };
}
