import type { CollectionOrder } from '@ai-studio/contract/console/retrieval.ts';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import type { DatabaseDeps } from '../../ports/database.ts';
import { isVisible, likeText } from '../visibility.ts';
import { collectionRecord, countsOf, visibleCollections } from './rows.ts';

/** What lists of collections are ordered by. */
const orderColumns = {
  name: sql`collections.name`,
  documents: sql`(SELECT count(*) FROM documents AS held WHERE held.collection_id = collections.id AND held.state <> 'arriving')`,
  updated: sql`collections.updated_at`,
  created: sql`collections.created_at`,
} as const;

interface CollectionFilter {
  readonly size: number;
  readonly from: number;
  readonly name?: string | undefined;
  readonly sort?: CollectionOrder | undefined;
}

/** Collections that are there for the caller, the newest first unless `sort` says otherwise; with `name` those whose name holds it. */
export async function listCollections(
  { db: { query } }: DatabaseDeps,
  actor: Actor,
  { size, from, name, sort }: CollectionFilter,
) {
  const named = name === undefined ? sql<boolean>`true` : sql<boolean>`collections.name ILIKE ${likeText(name)}`;
  const column = sort === undefined ? 'created' : (sort.replace('-', '') as keyof typeof orderColumns);
  const rows = await visibleCollections(query, actor)
    .where(named)
    .orderBy(orderColumns[column], sort === undefined || sort.startsWith('-') ? 'desc' : 'asc')
    .orderBy('collections.id')
    .limit(size)
    .offset(from)
    .execute();
  const { total } = await query
    .selectFrom('collections')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(isVisible(actor))
    .where(named)
    .executeTakeFirstOrThrow();
  const counts = await countsOf(
    query,
    actor,
    rows.map(({ id }) => id),
  );
  return { items: rows.map((row) => collectionRecord(row, counts.get(row.id))), total: Number(total), size, from };
}
