import type { EvaluationAnswer, EvaluationFigures, EvaluationSetting } from '@ai-studio/contract/console/evaluation.ts';
import type { IngestConfig, SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import type { DocumentParseFields } from '@ai-studio/contract/utilities/document.ts';
import type { ModelKind } from '@ai-studio/contract/models.ts';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { AgentTables } from './agent-tables.ts';

/** A `timestamptz`: read as Date, written as Date or ISO 8601 text. */
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A `timestamptz` that the database sets when it is left out. */
type MadeTimestamp = ColumnType<Date, Date | string | undefined, Date | string>;

/** A `timestamptz` that may be missing. */
type MaybeTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** An organisation. Every other row belongs to one. */
interface TenantsTable {
  id: TenantId;
  name: string;
  created_at: MadeTimestamp;
}

/** API keys: what they may do, and the SHA-256 of the value; never the value. Rows of deleted keys stay, for usage reports. */
export interface ApiKeysTable {
  id: string;
  tenant_id: TenantId;
  name: string;
  sha256: Buffer;
  /** First characters of the value, for people to tell keys apart. */
  key_start: string;
  key_last4: string;
  scopes: string[];
  allowed_models: string[] | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  tool_stream: 'openai' | 'arguments' | null;
  /** What becomes of personal values in its calls; null: what the tenant has set. */
  privacy_mode: ColumnType<GuardMode | null, GuardMode | null | undefined, GuardMode | null>;
  /** Id of the user who made it; null for keys made by the service or its command line. */
  created_by: string | null;
  created_at: MadeTimestamp;
  expires_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  last_used_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  deleted_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  /** Number of the change that touched the row last; see {@link KeyClockTable}. */
  version: number;
}

/** One row. Counts the changes of `api_keys`; its row lock makes the numbers commit in order. */
interface KeyClockTable {
  id: Generated<boolean>;
  version: number;
}

/** Processes that hold API keys in memory. */
interface NodesTable {
  id: string;
  started_at: MadeTimestamp;
  /** Last sign of life, by the database's clock. */
  seen_at: MadeTimestamp;
  /** The newest change of `api_keys` that this process has taken in. */
  key_version: number;
}

/** Calls of a moment that differ in nothing but their counts. */
interface UsageSlicesTable {
  /** The process life that wrote the row, and its number there. */
  writer: string;
  number: number;
  first_at: Timestamp;
  last_at: Timestamp;
  tenant_id: TenantId;
  key_id: string | null;
  endpoint: string;
  model: string;
  engine: string | null;
  status: number;
  outcome: 'ok' | 'error' | 'canceled';
  stream: boolean;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  reasoning_tokens: number;
  /** Sums, in milliseconds. */
  first_token_ms: number;
  latency_ms: number;
  /** Entry i counts durations above 2^(i-1) and up to 2^i milliseconds. */
  first_token_counts: number[];
  latency_counts: number[];
  /** Who called from the console; null for calls with an API key. */
  user_id: string | null;
  /** Of documents that were read; null in rows of versions that did not count them. */
  pages: number | null;
  /** Of sound that was heard and made, in milliseconds, and characters of texts that were said; null in older rows. */
  audio_in_ms: number | null;
  audio_out_ms: number | null;
  characters: number | null;
}

/** A conversation that a person keeps. Nobody else sees it. */
interface ConversationsTable {
  id: string;
  tenant_id: TenantId;
  user_id: string;
  /** Empty until the first question. */
  title: Generated<string>;
  /** Whether the person chose the title. */
  own_title: Generated<boolean>;
  model: string;
  system_prompt: string | null;
  /** What tokens of its texts stand for, sealed; null where there are none. */
  personal: Generated<string | null>;
  /** To the millisecond. */
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** One question or answer of a conversation. */
export interface ConversationMessagesTable {
  id: string;
  conversation_id: string;
  /** Grows within the conversation. */
  position: number;
  role: 'user' | 'assistant';
  content: string;
  reasoning: string | null;
  state: 'done' | 'running' | 'stopped' | 'failed';
  error: string | null;
  model: string | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  first_token_ms: number | null;
  duration_ms: number | null;
  created_at: Timestamp;
  /** Running answers: last sign of life of the process that makes it, by the database's clock. */
  seen_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
  /** Running answers: whether the person asked to end it. */
  stop_asked: Generated<boolean>;
}

/** Which local model serves an id of the catalogue. */
interface ModelBindingsTable {
  catalogue_id: string;
  local_id: string;
  created_at: MadeTimestamp;
}

/** A person, and what proves who they are. Belongs to tenants by {@link MembershipsTable}. */
export interface UsersTable {
  id: string;
  /** In lower case. */
  email: string;
  name: string;
  language: ColumnType<'ko' | 'en' | null, 'ko' | 'en' | null | undefined, 'ko' | 'en' | null>;
  theme: Generated<'system' | 'light' | 'dark'>;
  password_hash: ColumnType<string | null, string | null | undefined, string | null>;
  /** Sealed; see kernel/secret-box.ts. In force once `totp_confirmed_at` is set. */
  totp_secret: ColumnType<string | null, string | null | undefined, string | null>;
  totp_confirmed_at: MaybeTimestamp;
  /** Time step of the last code that was taken: none is taken twice. */
  totp_last_step: Generated<number>;
  /** SHA-256 in hex of the codes that were not used. */
  recovery_code_hashes: Generated<string[]>;
  operator: Generated<boolean>;
  created_at: MadeTimestamp;
}

/** A person's place in a tenant. */
export interface MembershipsTable {
  tenant_id: TenantId;
  user_id: string;
  role: 'user' | 'developer' | 'administrator';
  state: 'active' | 'invited' | 'disabled';
  /** As the inviting tenant calls the person, until they have joined. */
  name: string;
  created_at: MadeTimestamp;
  /** Last call of a session in this tenant, to the minute. */
  seen_at: MaybeTimestamp;
}

/** Sign-ins to the console: the SHA-256 of the cookie's value, never the value. */
interface SessionsTable {
  id: string;
  sha256: Buffer;
  user_id: string;
  tenant_id: TenantId | null;
  /** What proved who it is; `code` is a password and a second factor. */
  method: 'password' | 'code' | 'passkey' | 'sso' | 'link';
  created_at: MadeTimestamp;
  seen_at: MadeTimestamp;
  expires_at: Timestamp;
  authenticated_at: MadeTimestamp;
  address: string;
  user_agent: string;
}

/** Steps of a sign-in that wait for the next one. */
interface LoginChallengesTable {
  sha256: Buffer;
  kind: 'second_factor' | 'passkey_login' | 'passkey_add' | 'sso';
  user_id: string | null;
  data: ColumnType<Record<string, string>, string | undefined, string>;
  expires_at: Timestamp;
}

/** Attempts to sign in that did not succeed, by what they are counted for. */
interface LoginFailuresTable {
  id: string;
  kind: 'account' | 'address' | 'pair' | 'code' | 'known';
  /** SHA-256 in hex of the address or the e-mail. */
  subject: string;
  at: MadeTimestamp;
}

interface PasskeysTable {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  name: string;
  created_at: MadeTimestamp;
  last_used_at: MaybeTimestamp;
}

/** Accounts of the single sign-on that people came with. */
interface SsoAccountsTable {
  issuer: string;
  subject: string;
  user_id: string;
  created_at: MadeTimestamp;
}

/** Links that work once: the SHA-256 of their token, never the token. */
export interface OneTimeLinksTable {
  sha256: Buffer;
  kind: 'setup' | 'invite' | 'reset';
  user_id: string | null;
  /** The tenant in whose name it was made; null for the operator's and the command line's. */
  tenant_id: TenantId | null;
  created_by: string | null;
  created_at: MadeTimestamp;
  expires_at: Timestamp;
  used_at: MaybeTimestamp;
}

/** What was done. Only ever added to. */
export interface AuditEventsTable {
  seq: GeneratedAlways<number>;
  /** Null where it concerns no tenant. */
  tenant_id: TenantId | null;
  at: MadeTimestamp;
  action: string;
  actor_user_id: string | null;
  actor_name: string;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
  address: string | null;
  user_agent: string | null;
  request_id: string | null;
  detail: ColumnType<Record<string, string | number | boolean | null>, string | undefined, string>;
}

/** What a tenant has set otherwise than the installation. */
interface TenantSettingsTable {
  tenant_id: TenantId;
  settings: ColumnType<Record<string, unknown>, string | undefined, string>;
}

/** Model servers of the OpenAI format that were connected in the console. They serve all tenants. */
interface ModelServersTable {
  id: string;
  /** Name of its engine. */
  name: string;
  base_url: string;
  /** Sealed; see kernel/secret-box.ts. */
  sealed_api_key: string | null;
  /** The kind of server, where it was recognised. */
  dialect: string | null;
  models: ColumnType<ModelServerModel[], string, string>;
  /** Grows with each change. */
  version: Generated<number>;
  created_at: MadeTimestamp;
}

/** What a connected server offers, and under which id of the catalogue. */
export interface ModelServerModel {
  remote_id: string;
  id: string;
  kind: ModelKind;
  /** As the server said. */
  context_length: number | null;
  /** Since when it serves this id, ISO 8601: of a server and a local model the later one counts. */
  bound_at: string;
}

/** A document that is read in the background. */
interface DocumentParsesTable {
  id: string;
  tenant_id: TenantId;
  /** Null for documents from the console. */
  key_id: string | null;
  /** Who gave it in the console; null for documents that came with an API key. */
  user_id: ColumnType<string | null, string | null | undefined, never>;
  /** Of its content; null until it was read. */
  format: ColumnType<string | null, string | null | undefined, string | null>;
  name: string | null;
  size: number;
  fields: ColumnType<DocumentParseFields, string, string>;
  /** `arriving`: its file is being put away. */
  state: 'arriving' | 'queued' | 'running' | 'done' | 'failed';
  /** How often it was begun. */
  attempts: Generated<number>;
  /** Of the process that reads it, anew with every attempt. */
  claim: ColumnType<string | null, string | null | undefined, string | null>;
  /** While it runs: last sign of life of that process, by the database's clock. */
  seen_at: MaybeTimestamp;
  pages_done: Generated<number>;
  pages_total: ColumnType<number | null, number | null | undefined, number | null>;
  error_code: ColumnType<string | null, string | null | undefined, string | null>;
  error_message: ColumnType<string | null, string | null | undefined, string | null>;
  /** The document as JSON, packed with gzip. */
  result: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  created_at: MadeTimestamp;
  /** Of the last attempt. */
  started_at: MaybeTimestamp;
  finished_at: MaybeTimestamp;
  /** From then on there is none, and it is removed with its file. */
  expires_at: MaybeTimestamp;
}

/** Documents that people search, with one set of settings. */
export interface CollectionsTable {
  id: string;
  tenant_id: TenantId;
  name: string;
  description: string | null;
  visibility: 'private' | 'tenant';
  /** The person who made it; null where a key that nobody holds did. */
  owner_user_id: string | null;
  owner_key_id: string | null;
  search_config: ColumnType<SearchConfig, string, string>;
  /** `embedding_dimension` stands in the column of that name. */
  ingest_config: ColumnType<IngestConfig, string, string>;
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
  build: ColumnType<CollectionBuild | null, string | null | undefined, string | null>;
  /** Of the process that makes the lost table anew. */
  claim: ColumnType<string | null, string | null | undefined, string | null>;
  seen_at: MaybeTimestamp;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
  /** Nobody sees it from then on; its rows and files are being removed. */
  deleted_at: MaybeTimestamp;
}

/** Settings that a collection is being changed to. */
export interface CollectionBuild {
  readonly table: string;
  readonly dimension: number | null;
  readonly config: IngestConfig;
  readonly analyzerVersion: number;
  /** The first stage of each document: what was read is cut anew, or its chunks are embedded anew. */
  readonly from: 'chunking' | 'copying';
  /** Why it cannot be ended; null while it goes on. */
  readonly failed: string | null;
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
  format: ColumnType<string | null, string | null | undefined, string | null>;
  metadata: ColumnType<Record<string, unknown>, string, string>;
  indexed_fields: string[];
  /** As it was taken in. */
  ingest_config: ColumnType<IngestConfig, string, string>;
  key_id: string | null;
  user_id: string | null;
  /** `arriving`: its file is being put away. */
  state: 'arriving' | 'queued' | 'parsing' | 'chunking' | 'embedding' | 'indexing' | 'ready' | 'failed';
  progress: Generated<number>;
  error_code: ColumnType<string | null, string | null | undefined, string | null>;
  error_message: ColumnType<string | null, string | null | undefined, string | null>;
  failures: ColumnType<DocumentFailure[], string | undefined, string>;
  page_count: ColumnType<number | null, number | null | undefined, number | null>;
  /** Of the visible revision. */
  chunk_count: Generated<number>;
  /** The one that searches find; null until there is one. */
  revision: ColumnType<number | null, number | null | undefined, number | null>;
  /** Highest number given to a revision. */
  last_revision: Generated<number>;
  /** Changes of the visible revision. */
  edits: Generated<number>;
  /** What a change of the whole collection has made of it. */
  built: ColumnType<DocumentBuilt | null, string | null | undefined, string | null>;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
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
  headings: ColumnType<string[], string, string>;
  start_page: number | null;
  end_page: number | null;
  tokens: number;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
}

/** The vector of a passage, so that the index can be made anew without its model. */
interface ChunkVectorsTable {
  row_id: string;
  model: string;
  /** float32, little-endian. */
  vector: Buffer;
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
  build_table: ColumnType<string | null, string | null | undefined, string | null>;
  ingest_config: ColumnType<IngestConfig, string, string>;
  state: Generated<'queued' | 'running'>;
  claim: ColumnType<string | null, string | null | undefined, string | null>;
  attempts: Generated<number>;
  not_before: MadeTimestamp;
  /** Since when it waits for something else than its turn. */
  waiting_since: MaybeTimestamp;
  created_at: MadeTimestamp;
  started_at: MaybeTimestamp;
  seen_at: MaybeTimestamp;
}

/** What is no row and must go. */
export interface RetrievalRemovalsTable {
  id: GeneratedAlways<number>;
  /** `stale`: chunks of a collection that no revision shows any more. */
  kind: 'rows' | 'document' | 'table' | 'blob' | 'stale';
  index_table: ColumnType<string | null, string | null | undefined, string | null>;
  row_ids: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  document_id: ColumnType<string | null, string | null | undefined, string | null>;
  collection_id: ColumnType<string | null, string | null | undefined, string | null>;
  blob_key: ColumnType<string | null, string | null | undefined, string | null>;
  not_before: MadeTimestamp;
}

/** Texts that were masked with tokens, and can be unmasked until the session ends. */
interface PrivacySessionsTable {
  id: string;
  tenant_id: TenantId;
  created_at: MadeTimestamp;
  expires_at: Timestamp;
}

/** What a token stands for. */
interface PrivacyValuesTable {
  session_id: string;
  token: string;
  /** See kernel/secret-box.ts. */
  sealed: string;
}

/** How many personal values were found, by day (UTC), place and type. */
interface PrivacyCountsTable {
  tenant_id: TenantId;
  day: ColumnType<Date, string, never>;
  source: string;
  type: string;
  count: number;
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
  created_at: MadeTimestamp;
}

/** How well settings of searches found what questions expect. */
interface EvaluationRunsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  collection_id: string;
  state: Generated<'running' | 'done' | 'failed' | 'stopped'>;
  settings: ColumnType<EvaluationSetting[], string, string>;
  /** Searches. */
  done: Generated<number>;
  total: number;
  figures: ColumnType<EvaluationFigures[] | null, string | null | undefined, string | null>;
  answers: ColumnType<EvaluationAnswer[] | null, string | null | undefined, string | null>;
  failure: string | null;
  /** Name of the person. */
  made_by: string;
  created_at: MadeTimestamp;
  /** When the process that makes it last said so. */
  seen_at: MadeTimestamp;
  /** What is asked, as it was when the run began; null for runs of earlier versions. */
  questions: ColumnType<AskedQuestion[] | null, string, string>;
  asked_for: ColumnType<EvaluationRequest | null, string, string>;
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

/** Migrations that were applied, in order. */
interface MigrationsTable {
  name: string;
  applied_at: MadeTimestamp;
}

/** Every table of the service. A feature that adds one adds its shape here and its statement in `migrations/`. */
export interface Tables extends AgentTables {
  tenants: TenantsTable;
  api_keys: ApiKeysTable;
  key_clock: KeyClockTable;
  nodes: NodesTable;
  usage_slices: UsageSlicesTable;
  conversations: ConversationsTable;
  conversation_messages: ConversationMessagesTable;
  model_bindings: ModelBindingsTable;
  model_servers: ModelServersTable;
  document_parses: DocumentParsesTable;
  collections: CollectionsTable;
  documents: DocumentsTable;
  chunks: ChunksTable;
  chunk_vectors: ChunkVectorsTable;
  ingest_jobs: IngestJobsTable;
  retrieval_removals: RetrievalRemovalsTable;
  evaluation_questions: EvaluationQuestionsTable;
  evaluation_runs: EvaluationRunsTable;
  privacy_sessions: PrivacySessionsTable;
  privacy_values: PrivacyValuesTable;
  privacy_counts: PrivacyCountsTable;
  users: UsersTable;
  memberships: MembershipsTable;
  sessions: SessionsTable;
  login_challenges: LoginChallengesTable;
  login_failures: LoginFailuresTable;
  passkeys: PasskeysTable;
  sso_accounts: SsoAccountsTable;
  one_time_links: OneTimeLinksTable;
  audit_events: AuditEventsTable;
  tenant_settings: TenantSettingsTable;
  studio_migrations: MigrationsTable;
}
