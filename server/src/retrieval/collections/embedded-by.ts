import { sql } from 'kysely';
import type { Prefixes } from '../../models/embedders.ts';
import { LEXICAL_MODEL } from '../lexical-embedder/index.ts';
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

/** Vectors of one length that an embedding model made for collections. */
export interface EmbeddedLength {
  readonly model: string;
  /** Length that the model was asked for; null where it was left to the model. */
  readonly requested: number | null;
  readonly length: number;
  /** The collections, of all tenants. */
  readonly names: readonly string[];
}

/** Collections that were embedded with one set of words before their texts. */
export interface EmbeddedPrefixes {
  readonly model: string;
  readonly prefixes: Prefixes;
  /** The collections, of all tenants. */
  readonly names: readonly string[];
}

/** What stands before the texts of collections of all tenants; nothing before those that are older than prefixes. */
export async function embeddedPrefixes({ query }: Queryable): Promise<readonly EmbeddedPrefixes[]> {
  const { rows } = await sql<EmbeddedPrefixes>`
    SELECT ingest_config->>'embedding_model' AS model, array_agg(name ORDER BY name, id) AS names,
      jsonb_build_object('query', coalesce(ingest_config->'embedding_prefixes'->>'query', ''),
        'passage', coalesce(ingest_config->'embedding_prefixes'->>'passage', '')) AS prefixes
    FROM collections
    WHERE deleted_at IS NULL AND build IS NULL AND index_state <> 'none' AND ingest_config->>'embedding_model' <> ${LEXICAL_MODEL}
    GROUP BY 1, 3 ORDER BY 1, 3`.execute(query);
  return rows;
}

/** What the collections of all tenants hold of the vectors of models. */
export async function embeddedLengths({ query }: Queryable): Promise<readonly EmbeddedLength[]> {
  const { rows } = await sql<EmbeddedLength>`
    SELECT ingest_config->>'embedding_model' AS model, (ingest_config->>'embedding_dimension')::integer AS requested,
      embedding_dimension AS length, array_agg(name ORDER BY name, id) AS names
    FROM collections
    WHERE deleted_at IS NULL AND index_state <> 'none' AND embedding_dimension IS NOT NULL
      AND ingest_config->>'embedding_model' <> ${LEXICAL_MODEL}
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(query);
  return rows;
}
