import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { isOwner, isReadable, isVisible } from '../visibility.ts';
import { findCollection } from './rows.ts';

/** What people ask of a collection beside its record. */
export interface CollectionDetails {
  /** Null when the person or the key is gone. */
  readonly owner: { readonly kind: 'user' | 'key'; readonly name: string } | null;
  /** Names that filters may use. */
  readonly fields: readonly string[];
  readonly mayChange: boolean;
}

/** Details of collections by id; those that are not there for the caller are left out. */
export async function collectionDetails(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CollectionDetails>> {
  if (ids.length === 0) return new Map();
  const rows = await query
    .selectFrom('collections')
    .leftJoin('users', 'users.id', 'collections.owner_user_id')
    .leftJoin('api_keys', 'api_keys.id', 'collections.owner_key_id')
    .select(['collections.id', 'collections.fields', 'users.name as user_name', 'api_keys.name as key_name'])
    .select(isOwner(actor).as('is_owner'))
    .where('collections.id', 'in', [...ids])
    .where(isVisible(actor))
    .execute();
  return new Map(
    rows.map(({ id, fields, user_name: user, key_name: key, is_owner: own }) => [
      id,
      {
        owner: user === null ? (key === null ? null : { kind: 'key', name: key }) : { kind: 'user', name: user },
        fields,
        mayChange: own || actor.rights.has('collections.all'),
      },
    ]),
  );
}

/** How many documents of a collection are at work, can be found, and failed. Throws StudioError `not_found`. */
export async function countDocuments(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  id: string,
): Promise<{ readonly open: number; readonly ready: number; readonly failed: number }> {
  await findCollection(query, actor, id);
  const row = await query
    .selectFrom('documents')
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .select([
      sql<number>`count(*) FILTER (WHERE state NOT IN ('ready', 'failed'))`.as('open'),
      sql<number>`count(*) FILTER (WHERE state = 'ready')`.as('ready'),
      sql<number>`count(*) FILTER (WHERE state = 'failed')`.as('failed'),
    ])
    .where('collection_id', '=', id)
    .where(isReadable(actor))
    .where('state', '<>', 'arriving')
    .executeTakeFirstOrThrow();
  return { open: Number(row.open), ready: Number(row.ready), failed: Number(row.failed) };
}
