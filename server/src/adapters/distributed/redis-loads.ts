import { createHash, randomBytes } from 'node:crypto';
import type { Logger } from '../../kernel/log.ts';
import type { LoadExchange } from '../../ports/load-exchange.ts';
import { LOAD_EXPIRY_MS, addLoads, writeLoads } from '../loads.ts';
import { openRedis } from './redis-connection.ts';

/**
 * Sets what a process has under way, and returns what all have. KEYS: the hash of all processes, one field each. ARGV: the field, its
 * counts (empty: none). Each value begins with its time by the clock of Redis, as those of the machines differ.
 */
const EXCHANGE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == '' then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], string.format('%d ', now) .. ARGV[2]) end
redis.call('PEXPIRE', KEYS[1], ${10 * LOAD_EXPIRY_MS})
local others = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local at, counts = string.match(all[i + 1], '^(%d+) (.*)$')
  if not at or now - tonumber(at) > ${LOAD_EXPIRY_MS} then redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then others[#others + 1] = counts end
end
return others
`;
const SHA1 = createHash('sha1').update(EXCHANGE).digest('hex');

export interface RedisLoadsOptions {
  /** redis:// or rediss:// */
  readonly url: string;
  /** What the name of the key begins with; processes with the same one share. */
  readonly prefix: string;
  /** Asked while Redis cannot be used: the processes of this machine still share. Ends with this. */
  readonly fallback: LoadExchange | null;
  readonly log: Logger;
}

/** Shares over one hash of Redis, a command each time. Resolves also where Redis is away. */
export async function openRedisLoads({ url, prefix, fallback, log }: RedisLoadsOptions): Promise<LoadExchange> {
  const field = randomBytes(8).toString('base64url');
  const redis = await openRedis({
    url,
    log,
    prepare: async (client) => void (await client.scriptLoad(EXCHANGE)),
    logMessages: {
      lost: 'Redis unavailable; calls under way at model servers are counted by each machine for itself',
      restored: 'Redis reachable again; calls under way at model servers are counted together',
    },
  });
  return {
    async exchange(own) {
      const options = { keys: [`${prefix}loads`], arguments: [field, writeLoads(own)] };
      if (redis.unavailableReason() !== null && fallback) return fallback.exchange(own);
      return addLoads((await redis.run((client) => client.evalSha(SHA1, options))) as unknown as readonly string[]);
    },
    async close() {
      await redis.close();
      await fallback?.close();
    },
  };
}
