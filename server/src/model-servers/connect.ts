import type { NewModelServer } from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { isUniqueViolation } from '../ports/database.ts';
import { checkModels, normaliseAddress, normaliseKey } from './checks.ts';
import {
  type ServerVerbDeps,
  type WithinServerChange,
  probeBeforeSaving,
  sealKey,
  settleModels,
  announceChange,
  toRequestedModels,
} from './deps.ts';
import { toRow } from './record.ts';

/** Maximum number of servers in the installation; each has connections and a health check. */
const MAX_SERVERS = 200;

const nameTaken = (name: string, cause?: unknown) =>
  new StudioError('conflict', `The name ${name} is that of another engine`, {
    param: 'name',
    reason: 'name_taken',
    values: { name },
    cause,
  });

async function requireCapacity({ db }: ServerVerbDeps): Promise<void> {
  const { count } = await db.query
    .selectFrom('model_servers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= MAX_SERVERS)
    throw new StudioError('conflict', `There are ${MAX_SERVERS} model servers already; remove one first`);
}

/** Connects a server. Resolves with its id. Throws StudioError `invalid_request`, `conflict`. */
export async function connectServer(
  deps: ServerVerbDeps,
  server: z.output<typeof NewModelServer>,
  signal: AbortSignal,
  within?: WithinServerChange,
): Promise<string> {
  const { name } = server;
  const baseUrl = normaliseAddress(server.base_url);
  const apiKey = normaliseKey(server.api_key);
  const requested = toRequestedModels(server.models);
  checkModels(requested, deps.configured, deps.catalogue);
  if (deps.taken.has(name)) throw nameTaken(name);
  await requireCapacity(deps);
  // An unreachable server may still be connected: it may be starting.
  const probed = await probeBeforeSaving(deps, { baseUrl, apiKey }, signal);
  const id = hexId();
  const row = {
    id,
    name,
    base_url: baseUrl,
    sealed_api_key: sealKey(deps, id, apiKey),
    dialect: probed.ok ? probed.dialect : null,
    models: JSON.stringify(settleModels(requested, [], probed).map(toRow)),
  };
  try {
    await deps.db.transaction(async (tx) => {
      await tx.insertInto('model_servers').values(row).execute();
      await within?.(tx, row);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(name, error) : error;
  }
  await announceChange(deps, id, 1);
  return id;
}
