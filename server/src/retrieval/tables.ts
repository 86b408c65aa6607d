import type { EvaluationAnswer, EvaluationFigures, EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { IngestConfig, SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Prefixes } from '../models/embedders.ts';
import type {
  Json,
  GeneratedJson,
  GeneratedTimestamp,
  Nullable,
  NullableJson,
  NullableTimestamp,
} from '../ports/columns.ts';

/** What stands before texts of a collection for its embedding model. */
export interface CollectionPrefixes extends Prefixes {
  /** Those of the model that the collection is not to be embedded anew with, as somebody gave that up. */
  readonly declined?: Prefixes;
}

/** Settings as they are stored. Of collections that are older than prefixes, which have none, they are left out until they are made anew. */
export interface StoredIngestConfig extends IngestConfig {
  readonly embedding_prefixes?: CollectionPrefixes;
}

/** Documents that people search, with one set of settings. */
export interface CollectionsTable {
  id: string;
  tenant_id: TenantId;
  name: string;
  description: string | null;
  visibility: 'private' | 'tenant';
  /** `chat`: it holds the files of the conversations of its owner, and is no collection for anything else. */
  purpose: Generated<'shared' | 'chat'>;
  /** The person who made it; null where a key that nobody holds did. */
  owner_user_id: string | null;
  owner_key_id: string | null;
  search_config: Json<SearchConfig>;
  /** `embedding_dimension` stands in the column of that name. */
  ingest_config: Json<StoredIngestConfig>;
  /** Metadata fields that filters may name. */
  fields: string[];
  /** Null until the first vector, unless it was chosen. */
  embedding_dimension: number | null;
  /** Table of the index that searches ask. */
  index_table: string;
  /** `none`: there is no such table yet. */
  index_state: Generated<'none' | 'ready' | 'rebuilding'>;
  /** Grows with every change that searches must see. */
  index_version: Generated<number>;
  /** By which the words of the table were made. */
  analyzer_version: number;
  /** A table that is being made with other settings, to take the place of the present one. */
  build: NullableJson<CollectionBuild>;
  /** Of the process that makes the lost table anew. */
  claim: Nullable<string>;
  seen_at: NullableTimestamp;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
  /** Whether documents of it have, or had, readers of their own. */
  has_restricted: Generated<boolean>;
  /** Nobody sees it from then on; its rows and files are being removed. */
  deleted_at: NullableTimestamp;
}

/** Settings that a collection is being changed to. */
export interface CollectionBuild {
  readonly table: string;
  readonly dimension: number | null;
  readonly config: StoredIngestConfig;
  readonly analyzerVersion: number;
  /** The first stage of each document: what was read is cut anew, or its chunks are embedded anew. */
  readonly from: 'chunking' | 'copying';
  /** Why it cannot be ended; null while it goes on. */
  readonly failed: string | null;
  /** Whether searches became hybrid with this change, without anybody saying so: by words again where it is given up. */
  readonly searchFollows?: boolean;
}

/** A document of a collection, and what is being done with it. */
export interface DocumentsTable {
  id: string;
  /** In the order of uploads. */
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  collection_id: string;
  name: string;
  external_id: string | null;
  size: number;
  /** SHA-256 of the file, in hex; null for documents of versions that did not keep it. */
  content_sha256: Nullable<string>;
  format: Nullable<string>;
  metadata: Json<Record<string, unknown>>;
  indexed_fields: string[];
  /** As it was taken in. */
  ingest_config: Json<StoredIngestConfig>;
  key_id: string | null;
  user_id: string | null;
  /** `arriving`: its file is being put away. */
  state: 'arriving' | 'queued' | 'parsing' | 'chunking' | 'embedding' | 'indexing' | 'ready' | 'failed';
  progress: Generated<number>;
  error_code: Nullable<string>;
  error_message: Nullable<string>;
  failures: GeneratedJson<DocumentFailure[]>;
  page_count: Nullable<number>;
  /** What could not be read of it. */
  warnings: GeneratedJson<ParseWarning[]>;
  /** Of the visible revision. */
  chunk_count: Generated<number>;
  /** The one that searches find; null until there is one. */
  revision: Nullable<number>;
  /** Highest number given to a revision. */
  last_revision: Generated<number>;
  /** Changes of the visible revision. */
  edits: Generated<number>;
  /** Whether chunks were changed, added or removed by hand since the document was cut. */
  chunks_edited: Generated<boolean>;
  /** Names of those who may read it; null where that is everybody who sees the collection. */
  readers: Nullable<string[]>;
  /** Id of an earlier document that says the same, of collections that mark those. */
  duplicate_of: Nullable<string>;
  /** What a change of the whole collection has made of it. */
  built: NullableJson<DocumentBuilt>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** A warning of the reader. */
export interface ParseWarning {
  readonly code: string;
  readonly message: string;
  readonly page?: number;
}

/** An attempt that did not succeed. */
export interface DocumentFailure {
  readonly at: string;
  readonly stage: string;
  readonly code: string;
  readonly message: string;
}

export interface DocumentBuilt {
  readonly table: string;
  readonly revision: number;
  /** `edits` of what it was made of. */
  readonly edits: number;
  readonly chunks: number;
}

/** A passage of a document. */
export interface ChunksTable {
  /** Anew with each write: the index names it. */
  row_id: string;
  id: string;
  tenant_id: TenantId;
  collection_id: string;
  document_id: string;
  revision: number;
  ord: number;
  title: string;
  content: string;
  headings: Json<string[]>;
  start_page: number | null;
  end_page: number | null;
  /** What a model says of where it stands; null where none was asked, empty where it said nothing. */
  context: Nullable<string>;
  tokens: number;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** The vector of a passage, so that the index can be made anew without its model. */
interface ChunkVectorsTable {
  row_id: string;
  model: string;
  /** float32, little-endian. */
  vector: Buffer;
}

/** Who is in a group that lists of readers name. */
interface ReaderGroupsTable {
  /** Begins with `group:` and the id of its source, or with `list:` where it is a long list of one document. */
  name: string;
  tenant_id: TenantId;
  collection_id: string;
  /** As its source calls it. */
  title: string;
  /** Names of people (`user:`), domains (`domain:`) and groups; null where nobody tells who is in it. */
  members: string[] | null;
}

/** By what a document is known to say the same as another, of collections that ask for it. */
interface DocumentSignaturesTable {
  document_id: string;
  /** In the order in which they came. */
  number: GeneratedAlways<number>;
  collection_id: string;
  /** SHA-256 of its letters, in hex. */
  exact: string;
  /** 128 numbers of 32 bits, little-endian. */
  bins: Buffer;
  bands: string[];
}

/** A document that is being taken in, or changed with its collection. */
export interface IngestJobsTable {
  document_id: string;
  tenant_id: TenantId;
  collection_id: string;
  /** `build`: for a change of the whole collection; the document stays as it is until that is done. */
  kind: 'document' | 'build';
  stage: 'parsing' | 'chunking' | 'copying' | 'embedding' | 'indexing';
  /** That is being made. */
  revision: number;
  base_edits: Generated<number>;
  /** Of a build: the table that is being filled. */
  build_table: Nullable<string>;
  ingest_config: Json<StoredIngestConfig>;
  /** A short text, which is taken in with others. */
  short: Generated<boolean>;
  state: Generated<'queued' | 'running'>;
  claim: Nullable<string>;
  attempts: Generated<number>;
  not_before: GeneratedTimestamp;
  /** Since when it waits for a dependency that cannot be reached. */
  waiting_since: NullableTimestamp;
  created_at: GeneratedTimestamp;
  started_at: NullableTimestamp;
  seen_at: NullableTimestamp;
}

/** Pending removals outside the database: index entries, tables, files, and stale chunks. */
export interface RetrievalRemovalsTable {
  id: GeneratedAlways<number>;
  /** `stale`: chunks of a collection that no revision shows any more. */
  kind: 'rows' | 'document' | 'table' | 'blob' | 'stale';
  index_table: Nullable<string>;
  row_ids: Nullable<string[]>;
  document_id: Nullable<string>;
  collection_id: Nullable<string>;
  blob_key: Nullable<string>;
  not_before: GeneratedTimestamp;
}

/** A question of a collection, with the documents that should answer it. */
interface EvaluationQuestionsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  collection_id: string;
  question: string;
  /** Documents as they were when they were named: one that takes the place of another is found by its external id or its name. */
  expected: ColumnType<
    readonly { readonly id: string; readonly external_id: string | null; readonly name: string }[],
    string,
    string
  >;
  created_at: GeneratedTimestamp;
}

/** How well settings of searches found what questions expect. */
interface EvaluationRunsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  collection_id: string;
  state: Generated<'running' | 'done' | 'failed' | 'stopped'>;
  settings: Json<EvaluationSetting[]>;
  /** Searches. */
  done: Generated<number>;
  total: number;
  figures: NullableJson<EvaluationFigures[]>;
  answers: NullableJson<EvaluationAnswer[]>;
  failure: string | null;
  /** Name of the person. */
  made_by: string;
  created_at: GeneratedTimestamp;
  /** Last heartbeat of the process that runs it. */
  seen_at: GeneratedTimestamp;
  /** What is asked, as it was when the run began; null for runs of earlier versions. */
  questions: Json<AskedQuestion[] | null>;
  asked_for: Json<EvaluationRequest | null>;
  /** Of the process that makes it. */
  claim: string | null;
  /** Processes that took it up. */
  attempts: Generated<number>;
}

/** A question of an evaluation with the documents that it expects. */
export interface AskedQuestion {
  readonly question: string;
  readonly expected: readonly { readonly id: string; readonly name: string }[];
}

/** The person for whom an evaluation searches. */
export interface EvaluationRequest {
  readonly userId: string | null;
  readonly administers: boolean;
  /** Null is all. */
  readonly models: readonly string[] | null;
}

/** An extraction from the documents of a collection. */
interface ExtractionRunsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  collection_id: string;
  state: Generated<'running' | 'done' | 'cancelled' | 'failed'>;
  /** JSON, as it was given: text, as it may hold what JSON columns refuse. */
  schema: string;
  model: string | null;
  instructions: string;
  /** JSON of the filter that was given. */
  filter: string;
  /** Documents. */
  total: number;
  done: Generated<number>;
  failed: Generated<number>;
  failure: Nullable<string>;
  /** Name of the person or of the key. */
  made_by: string;
  /** Who pays for the model. */
  key_id: string | null;
  user_id: string | null;
  administers: boolean;
  created_at: GeneratedTimestamp;
  ended_at: NullableTimestamp;
  seen_at: GeneratedTimestamp;
  /** Of the process that makes it. */
  claim: Nullable<string>;
  /** Processes that took it up. */
  attempts: Generated<number>;
}

/** A document of an extraction, in their order. */
interface ExtractionDocumentsTable {
  run_id: string;
  ord: number;
  document_id: string;
  name: string;
  state: Generated<'waiting' | 'done' | 'failed'>;
  /** JSON of what was found; text, as documents may hold what JSON columns refuse. */
  found: Nullable<string>;
  error_code: Nullable<string>;
  error_message: Nullable<string>;
}

declare module '../ports/tables.ts' {
  interface Tables {
    collections: CollectionsTable;
    documents: DocumentsTable;
    document_signatures: DocumentSignaturesTable;
    reader_groups: ReaderGroupsTable;
    chunks: ChunksTable;
    chunk_vectors: ChunkVectorsTable;
    ingest_jobs: IngestJobsTable;
    retrieval_removals: RetrievalRemovalsTable;
    evaluation_questions: EvaluationQuestionsTable;
    evaluation_runs: EvaluationRunsTable;
    extraction_runs: ExtractionRunsTable;
    extraction_documents: ExtractionDocumentsTable;
  }
}
