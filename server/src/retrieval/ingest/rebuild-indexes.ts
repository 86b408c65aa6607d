import { setTimeout as sleep } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import { markTableLost } from '../writing/table.ts';
import type { IndexingDeps } from '../deps.ts';
import { rebuildLostTables } from './rebuild.ts';

const POLL_MS = 200;

/**
 * Rebuilds the index tables of collections from the database: those with these ids, or all. Others may help. Resolves with how many
 * there were, once they can be searched. Throws StudioError `not_found`.
 */
export async function rebuildIndexes(
  deps: IndexingDeps,
  ids: readonly string[],
  onProgress: (message: string) => void,
): Promise<number> {
  const { db } = deps;
  const all = await db.query
    .selectFrom('collections')
    .select(['id', 'name', 'index_table'])
    .where('deleted_at', 'is', null)
    .where('index_state', '<>', 'none')
    .orderBy('created_at')
    .execute();
  const known = new Set(
    (await db.query.selectFrom('collections').select('id').where('deleted_at', 'is', null).execute()).map(
      ({ id }) => id,
    ),
  );
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw new StudioError('not_found', `There is no collection ${unknown}.`);
  const chosen = ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id));
  for (const { id, index_table: table } of chosen) await markTableLost(deps, id, table);
  const left = new Map(chosen.map(({ id, name }) => [id, name]));
  const never = new AbortController().signal;
  while (left.size > 0) {
    await rebuildLostTables(deps, never);
    const ready = await db.query
      .selectFrom('collections')
      .select('id')
      .where('id', 'in', [...left.keys()])
      .where((eb) => eb.or([eb('index_state', '<>', 'rebuilding'), eb('deleted_at', 'is not', null)]))
      .execute();
    for (const { id } of ready) {
      onProgress(`${left.get(id) ?? id} (${chosen.length - left.size + 1} of ${chosen.length})`);
      left.delete(id);
    }
    if (left.size > 0) await sleep(POLL_MS);
  }
  return chosen.length;
}
