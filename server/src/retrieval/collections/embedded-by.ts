import { sql } from 'kysely';
import type { TenantId } from '../../kernel/context.ts';
import type { Queryable } from '../../ports/database.ts';

/** A collection that a model is needed for. */
export interface EmbeddedCollection {
  readonly tenant_id: TenantId;
  readonly name: string;
}

/** The collections of all tenants whose vectors a model makes, or will make once they are re-indexed; by name. */
export const collectionsEmbeddedBy = ({ query }: Queryable, model: string): Promise<readonly EmbeddedCollection[]> =>
  query
    .selectFrom('collections')
    .select(['tenant_id', 'name'])
    .where('deleted_at', 'is', null)
    .where(
      sql<boolean>`${model} IN (ingest_config->>'embedding_model', coalesce(build->'config'->>'embedding_model', ''))`,
    )
    .orderBy('name')
    .orderBy('id')
    .execute();
