import type { ModelServerChange } from '@ai-studio/contract/console/models.ts';
import type { z } from 'zod';
import { StudioError } from '../kernel/errors.ts';
import { checkModels, cleanAddress, cleanKey, sameServer } from './checks.ts';
import {
  type ServerRow,
  type ServerVerbDeps,
  type WithinServerChange,
  findServer,
  probeBeforeSaving,
  openKey,
  sealKey,
  settleModels,
  tell,
  wantedOf,
} from './deps.ts';
import { toModel, toRow } from './record.ts';

type Change = z.output<typeof ModelServerChange>;

/** Writes a row where nobody else has changed it meanwhile. Resolves with its new version, or null. */
export async function writeServer(
  { db }: Pick<ServerVerbDeps, 'db'>,
  { id, version }: ServerRow,
  changed: Partial<Pick<ServerRow, 'base_url' | 'sealed_api_key' | 'dialect'>> & { readonly models: string },
  within?: WithinServerChange,
): Promise<number | null> {
  return db.transaction(async (tx) => {
    const row = await tx
      .updateTable('model_servers')
      .set((eb) => ({ ...changed, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where('version', '=', version)
      .returning(['id', 'name', 'base_url', 'version'])
      .executeTakeFirst();
    if (row) await within?.(tx, row);
    return row?.version ?? null;
  });
}

/**
 * Changes what is given. A stored key stays with its server: another address asks for the key anew. Resolves with the
 * name. Throws StudioError `invalid_request`, `not_found`, `conflict`; `unavailable` where the stored key cannot be opened.
 */
export async function changeServer(
  deps: ServerVerbDeps,
  id: string,
  change: Change,
  signal: AbortSignal,
  within?: WithinServerChange,
): Promise<string> {
  const row = await findServer(deps, id);
  const baseUrl = change.base_url === undefined ? row.base_url : cleanAddress(change.base_url);
  const moved = !sameServer(baseUrl, row.base_url);
  if (moved && row.sealed_api_key !== null && change.api_key === undefined)
    throw new StudioError('invalid_request', 'Another address asks for the API key anew', {
      param: 'api_key',
      reason: 'invalid_field',
    });
  const apiKey = change.api_key === undefined ? openKey(deps, row) : cleanKey(change.api_key);
  const before = row.models.map(toModel);
  const wanted = change.models === undefined ? before : wantedOf(change.models);
  if (change.models !== undefined) checkModels(wanted, deps.configured, deps.catalogue);
  const probed = await probeBeforeSaving(deps, { baseUrl, apiKey }, signal);
  const changed = {
    base_url: baseUrl,
    sealed_api_key: change.api_key === undefined ? row.sealed_api_key : sealKey(deps, id, apiKey),
    dialect: probed.ok ? probed.dialect : moved ? null : row.dialect,
    models: JSON.stringify(settleModels(wanted, before, probed).map(toRow)),
  };
  const version = await writeServer(deps, row, changed, within);
  if (version === null)
    throw new StudioError(
      'conflict',
      'Somebody else has changed this model server at the same moment; look at it anew',
    );
  await tell(deps, id, version);
  return row.name;
}
