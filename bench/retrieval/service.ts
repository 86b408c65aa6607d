import { join } from 'node:path';
import { sql } from 'kysely';
import { createFolderBlobStore } from '../../server/src/adapters/embedded/folder-blob-store.ts';
import { createMemoryRateLimiter } from '../../server/src/adapters/embedded/memory-rate-limiter.ts';
import { startEmbeddedPostgres } from '../../server/src/adapters/embedded/postgres/index.ts';
import { createPostgresBus, openDatabase } from '../../server/src/adapters/postgres/index.ts';
import { createCalls } from '../../server/src/inference/index.ts';
import { unlimitedActor } from '../../server/src/kernel/actor.ts';
import type { TenantId } from '../../server/src/kernel/context.ts';
import { hexId } from '../../server/src/kernel/ids.ts';
import type { Logger } from '../../server/src/kernel/log.ts';
import { migrations } from '../../server/src/migrations/index.ts';
import { createCatalogue } from '../../server/src/models/catalogue.ts';
import type { Database } from '../../server/src/ports/database.ts';
import type { Engine } from '../../server/src/ports/engine.ts';
import type { SearchIndex } from '../../server/src/ports/search-index.ts';
import { createTextWorkers, type RetrievalDeps, search } from '../../server/src/retrieval/index.ts';
import { createMetering } from '../../server/src/usage/index.ts';
import type { Synthetic } from './synthetic.ts';

// The verb that answers POST /v1/rag42/search, on a database of its own that holds the passages of an index that is there.

/** Name of the model whose vectors are ready. */
const MODEL = 'ready';
const BATCH = 2_000;
const TOP_K = 10;

export interface SearchService {
  /** One search, as a client asks for it. */
  search(at: number, how: { readonly search_type: Mode; readonly filters?: Record<string, unknown> }): Promise<number>;
  close(): Promise<void>;
}
type Mode = 'vector' | 'keyword' | 'hybrid';

interface Filling {
  readonly tenantId: TenantId;
  readonly collectionId: string;
  readonly table: string;
  readonly dimension: number;
}

/** Documents and passages of the rows that are in the index. */
async function fill(
  db: Database,
  data: Synthetic,
  rows: number,
  { tenantId, collectionId, table, dimension }: Filling,
) {
  const config = {
    chunking_strategy: 'by_title',
    chunk_size: 768,
    chunk_overlap: 76,
    embedding_model: MODEL,
    embedding_dimension: dimension,
    pii_mask: false,
    parser_model: 'studio-parser',
    indexed_fields: ['picked'],
    external_id_field: null,
  };
  await db.query.insertInto('tenants').values({ id: tenantId, name: 'bench' }).execute();
  await db.query
    .insertInto('collections')
    .values({
      id: collectionId,
      tenant_id: tenantId,
      name: 'bench',
      description: null,
      visibility: 'tenant',
      owner_user_id: null,
      owner_key_id: null,
      search_config: JSON.stringify({ mode: 'hybrid', alpha: null, fusion: 'weighted', rerank: false }),
      ingest_config: JSON.stringify(config),
      fields: ['picked'],
      embedding_dimension: dimension,
      index_table: table,
      index_state: 'ready',
      analyzer_version: 1,
    })
    .execute();
  const common = { tenant_id: tenantId, collection_id: collectionId };
  for (let from = 0; from < rows; from += BATCH) {
    const part = Array.from({ length: Math.min(BATCH, rows - from) }, (_, offset) => data.row(from + offset));
    const ids = [...new Set(part.map(({ documentId }) => documentId))];
    await db.query
      .insertInto('documents')
      .values(
        ids.map((id) => ({
          ...common,
          id,
          name: `${id}.md`,
          external_id: null,
          size: 1,
          metadata: JSON.stringify({ department: 'HR', year: 2026 }),
          indexed_fields: [],
          ingest_config: JSON.stringify(config),
          key_id: null,
          user_id: null,
          state: 'ready' as const,
          revision: 1,
          chunk_count: 20,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db.query
      .insertInto('chunks')
      .values(
        part.map(({ rowId, chunkId, documentId, text }, offset) => ({
          ...common,
          row_id: rowId,
          id: chunkId,
          document_id: documentId,
          revision: 1,
          ord: from + offset,
          title: text.slice(0, 20),
          content: text,
          headings: '[]',
          start_page: 1,
          end_page: 1,
          tokens: 60,
        })),
      )
      .execute();
  }
}

/** Opens the verb over an index that is filled. `folder` is for the database; nobody waits for its disk while it is filled. */
export async function openSearchService(
  folder: string,
  index: SearchIndex,
  data: Synthetic,
  { rows, table, dimension, log }: { rows: number; table: string; dimension: number; log: Logger },
): Promise<SearchService> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'database'),
    log,
    settings: { synchronous_commit: 'off' },
  });
  const db = await openDatabase({ connection: postgres.connection, log, poolSize: 10 });
  await db.migrate({ migrations });
  const [tenantId, collectionId] = [hexId() as TenantId, hexId()];
  await fill(db, data, rows, { tenantId, collectionId, table, dimension });
  await sql`VACUUM ANALYZE`.execute(db.query);
  const vectors = new Map<string, Float32Array>();
  const engine: Pick<Engine, 'id' | 'embed'> = {
    id: MODEL,
    embed: async ({ input }) => ({
      vectors: input.map((text) => vectors.get(text) ?? new Float32Array(dimension)),
      promptTokens: 0,
    }),
  };
  const deps: RetrievalDeps = {
    db,
    bus: createPostgresBus(db),
    blobs: createFolderBlobStore(join(folder, 'blobs')),
    index,
    catalogue: createCatalogue({
      models: { [MODEL]: { kind: 'embedding', engines: [{ engine: MODEL, model: MODEL }] } },
    }),
    calls: createCalls({
      router: { call: (_call, work) => work(engine as Engine, MODEL, new AbortController().signal) },
      limiter: createMemoryRateLimiter(Date.now),
      metering: createMetering({ record: () => undefined }),
    }),
    texts: createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' }),
    log,
    queryTimeoutMs: 10_000,
    rerankTimeoutMs: 30_000,
    now: Date.now,
  };
  return {
    async search(at, { search_type, filters }) {
      const { text, vector } = data.question(at);
      vectors.set(text, vector);
      const { result } = await search(
        deps,
        {
          actor: unlimitedActor({ tenantId, keyId: null, userId: null }),
          requestId: 'bench',
          signal: new AbortController().signal,
        },
        {
          collection_id: collectionId,
          query: text,
          search_type,
          top_k: TOP_K,
          highlight: false,
          ...(filters === undefined ? {} : { filters }),
        },
      );
      return result.hits.length;
    },
    async close() {
      await deps.texts.close();
      await db.close();
      await postgres.close();
    },
  };
}
