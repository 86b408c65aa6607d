import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { isOwner, isVisible } from '../visibility.ts';

/** A collection with documents that could not be read. */
export interface FailingCollection {
  readonly id: string;
  readonly name: string;
  readonly failed: number;
}

/** Collections that the caller may change, with documents that failed: those with most of them first. */
export const listFailingCollections = (
  { db }: DatabaseDeps,
  actor: Actor,
  limit: number,
): Promise<FailingCollection[]> =>
  db.query
    .selectFrom('collections')
    .innerJoin('documents', 'documents.collection_id', 'collections.id')
    .select(['collections.id', 'collections.name', sql<number>`count(*)::int`.as('failed')])
    .where('documents.state', '=', 'failed')
    .where(isVisible(actor))
    .where(sql<boolean>`(${actor.rights.has('collections.all')} OR ${isOwner(actor)})`)
    .groupBy(['collections.id', 'collections.name'])
    .orderBy('failed', 'desc')
    .orderBy('collections.name')
    .limit(limit)
    .execute();
