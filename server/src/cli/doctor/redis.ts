import { probeRedis } from '../../compose/limiter.ts';
import type { Config } from '../../config/index.ts';
import { commandLog } from '../with-database.ts';
import { ok, warn, type Finding } from './finding.ts';

const SUBJECT = 'Redis';

/** Whether rate limits can be counted in Redis, where it is configured. */
export async function checkRedis({ redis: { url, prefix } }: Config): Promise<Finding[]> {
  if (url === undefined) return [];
  const { host } = new URL(url);
  const trouble = await probeRedis(url, prefix, commandLog());
  if (trouble === null) return [ok(SUBJECT, `${host} counts rate limits for all machines`)];
  return [
    warn(
      SUBJECT,
      `${host} cannot be used: ${trouble}`,
      'Is it running, and are user and password in redis.url right? Until then each machine counts rate limits for itself.',
    ),
  ];
}
