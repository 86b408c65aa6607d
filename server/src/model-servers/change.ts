import type { ModelServerChange } from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { StudioError } from '../kernel/errors.ts';
import type { DatabaseDeps } from '../ports/database.ts';
import { checkModels, normaliseAddress, normaliseKey, isSameServer } from './checks.ts';
import {
  type ServerRow,
  type ServerVerbDeps,
  type WithinServerChange,
  findServer,
  probeBeforeSaving,
  openKey,
  sealKey,
  settleModels,
  announceChange,
  toRequestedModels,
} from './deps.ts';
import { toModel, toRow } from './record.ts';

type Change = z.output<typeof ModelServerChange>;

/** Updates a row if its version is unchanged. Resolves with the new version; null after a concurrent change. */
export async function writeServer(
  { db }: DatabaseDeps,
  { id, version }: ServerRow,
  changes: Partial<Pick<ServerRow, 'base_url' | 'sealed_api_key' | 'dialect'>> & { readonly models: string },
  within?: WithinServerChange,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    const row = await tx
      .updateTable('model_servers')
      .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('version', '=', version)
      .returning(['id', 'name', 'base_url', 'version'])
      .executeTakeFirst();
    if (row) await within?.(tx, row);
    return row?.version ?? null;
  });
}

/**
 * Changes the given fields. A stored key stays with its server: another address requires the key again. Resolves with the name.
 * Throws StudioError `invalid_request`, `not_found`, `conflict`; `unavailable` where the stored key cannot be opened.
 */
export async function changeServer(
  deps: ServerVerbDeps,
  id: string,
  change: Change,
  signal: AbortSignal,
  within?: WithinServerChange,
): Promise<string> {
  const row = await findServer(deps, id);
  const baseUrl = change.base_url === undefined ? row.base_url : normaliseAddress(change.base_url);
  const isMoved = !isSameServer(baseUrl, row.base_url);
  if (isMoved && row.sealed_api_key !== null && change.api_key === undefined)
    throw new StudioError('invalid_request', 'Another address asks for the API key anew', {
      param: 'api_key',
      reason: 'invalid_field',
    });
  const apiKey = change.api_key === undefined ? openKey(deps, row) : normaliseKey(change.api_key);
  const previous = row.models.map(toModel);
  const requested = change.models === undefined ? previous : toRequestedModels(change.models);
  if (change.models !== undefined) checkModels(requested, deps.configured, deps.catalogue);
  const probed = await probeBeforeSaving(deps, { baseUrl, apiKey }, signal);
  const changes = {
    base_url: baseUrl,
    sealed_api_key: change.api_key === undefined ? row.sealed_api_key : sealKey(deps, id, apiKey),
    dialect: probed.ok ? probed.dialect : isMoved ? null : row.dialect,
    models: JSON.stringify(settleModels(requested, previous, probed).map(toRow)),
  };
  const version = await writeServer(deps, row, changes, within);
  if (version === null)
    throw new StudioError(
      'conflict',
      'Somebody else has changed this model server at the same moment; look at it anew',
    );
  await announceChange(deps, id, version);
  return row.name;
}
