import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type {
  Citation,
  RunEventBody,
  RunFailure,
  RunInput,
  RunPart,
  RunState,
} from '@ai-studio/contract/agents/run.ts';
import type { ToolServer } from '@ai-studio/contract/console/agents.ts';
import type { AnswerRating, FeedbackReason } from '@ai-studio/contract/console/feedback.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { CallPriority } from '../kernel/priority.ts';
import type {
  Json,
  GeneratedJson,
  GeneratedTimestamp,
  Nullable,
  NullableJson,
  NullableTimestamp,
  Timestamp,
} from '../ports/columns.ts';

/** An agent: its draft, and which version callers get. */
interface AgentsTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  /** Its ID for callers; never changes. */
  slug: string;
  name: string;
  description: Generated<string>;
  draft: Json<AgentDefinition>;
  /** Of what the draft says, as versions have it. */
  draft_hash: Generated<string>;
  /** Grows with every save of the draft. */
  revision: Generated<number>;
  /** Id of the person who saved it last. */
  saved_by: Nullable<string>;
  saved_at: GeneratedTimestamp;
  deployed_version_id: Nullable<string>;
  /** Id of the person. */
  created_by: string;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
  archived_at: NullableTimestamp;
}

/** What a draft was at one time. Never changes, but for its approval. */
interface AgentVersionsTable {
  id: string;
  agent_id: string;
  tenant_id: TenantId;
  number: number;
  definition: Json<AgentDefinition>;
  /** SHA-256 of the definition, in hex. */
  hash: string;
  note: Generated<string>;
  approved_at: NullableTimestamp;
  /** Id of the person. */
  created_by: string;
  created_at: GeneratedTimestamp;
}

/** A request to deploy one version, and what became of it. */
interface AgentReviewsTable {
  id: string;
  number: GeneratedAlways<number>;
  agent_id: string;
  tenant_id: TenantId;
  version_id: string;
  hash: string;
  state: Generated<'pending' | 'approved' | 'rejected' | 'withdrawn'>;
  note: Generated<string>;
  reason: Nullable<string>;
  /** Ids of the people. */
  submitted_by: string;
  submitted_at: GeneratedTimestamp;
  decided_by: Nullable<string>;
  decided_at: NullableTimestamp;
  /** The version that callers got when it was decided; null where none was deployed, and while it waits. */
  compared_version_id: Nullable<string>;
}

/** What was done with an agent. */
interface AgentHistoryTable {
  number: GeneratedAlways<number>;
  agent_id: string;
  tenant_id: TenantId;
  action: string;
  version_number: Nullable<number>;
  reason: Nullable<string>;
  /** Id of the person. */
  made_by: string;
  at: GeneratedTimestamp;
}

/** Runs that belong together: one chat_session_id, one contextId. */
interface AgentSessionsTable {
  id: GeneratedAlways<number>;
  tenant_id: TenantId;
  agent_id: string;
  context_id: string;
  /** Key whose holder named the context; empty: the service did. */
  context_owner: Generated<string>;
  type: 'api' | 'chat' | 'test';
  title: Generated<string>;
  key_id: Nullable<string>;
  user_id: Nullable<string>;
  /** Stands at the top of its person's list. */
  pinned: Generated<boolean>;
  /** Of the person, as of their conversations. */
  folder_id: Nullable<string>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

/** What a person thinks of the answer of a run. */
interface RunFeedbackTable {
  run_id: string;
  tenant_id: TenantId;
  agent_id: string;
  session_id: number;
  user_id: string;
  rating: AnswerRating;
  reasons: GeneratedJson<FeedbackReason[]>;
  comment: Generated<string>;
  /** Of the evaluation question that was made of it. */
  collection_id: Nullable<string>;
  question_id: Nullable<string>;
  updated_at: GeneratedTimestamp;
}

/** A run of an agent: a task of A2A. */
interface AgentRunsTable {
  id: string;
  number: GeneratedAlways<number>;
  /** Of the run whose node called this agent. */
  parent_run_id: Nullable<string>;
  tenant_id: TenantId;
  agent_id: string;
  session_id: number;
  /** Null for a draft. */
  version_id: Nullable<string>;
  /** What is run, whatever becomes of the draft. */
  definition: Json<AgentDefinition>;
  key_id: Nullable<string>;
  user_id: Nullable<string>;
  input: Json<RunInput>;
  /** How soon models serve its calls. */
  priority: Generated<CallPriority>;
  state: Generated<RunState>;
  answer: Generated<string>;
  citations: GeneratedJson<Citation[]>;
  /** What the answer brings beside its text, in order. */
  parts: GeneratedJson<RunPart[]>;
  /** With input-required. */
  question: Nullable<string>;
  failure: NullableJson<RunFailure>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
  last_seq: Generated<number>;
  cancel_requested: Generated<boolean>;
  attempts: Generated<number>;
  /** Time that it has worked, of its limit. */
  spent_ms: Generated<number>;
  /** Of the process that runs it. */
  claim: Nullable<string>;
  /** Last heartbeat of that process, by the clock of the database. */
  seen_at: NullableTimestamp;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
  /** When its state began. */
  state_at: GeneratedTimestamp;
  ended_at: NullableTimestamp;
}

/** Ids of messages of callers, so that none is run twice. */
interface AgentMessagesTable {
  agent_id: string;
  message_id: string;
  /** SHA-256 of what it says. */
  hash: string;
  run_id: string;
  expires_at: Timestamp;
}

/** A node of a run. */
interface AgentStepsTable {
  run_id: string;
  /** The node's id, inside of containers `each[2]/search`. */
  key: string;
  number: GeneratedAlways<number>;
  node: string;
  kind: string;
  state: 'running' | 'waiting' | 'done' | 'failed' | 'skipped' | 'canceled';
  /** For the trace; null where the tenant keeps none. */
  inputs: NullableJson<unknown>;
  /** What other nodes use; needed until the run ends. */
  outputs: NullableJson<unknown>;
  /** Checkpoint for resuming after a crash: finished calls of tools, text that was sent. */
  kept: NullableJson<unknown>;
  failure: NullableJson<RunFailure>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
  attempts: Generated<number>;
  started_at: GeneratedTimestamp;
  ended_at: NullableTimestamp;
}

/** The event log of a run, which its callers follow. */
interface AgentEventsTable {
  run_id: string;
  /** From 1, without a gap. */
  seq: number;
  body: Json<RunEventBody>;
  at: GeneratedTimestamp;
}

/** Files that came with messages, or were made by nodes; their bytes lie in the blob store. */
interface AgentFilesTable {
  id: string;
  tenant_id: TenantId;
  agent_id: string;
  run_id: Nullable<string>;
  key_id: Nullable<string>;
  user_id: Nullable<string>;
  name: string;
  media_type: string;
  size: number;
  created_at: GeneratedTimestamp;
}

/** Push notification configs: where a caller wants notifications of a task sent. */
interface AgentPushConfigsTable {
  run_id: string;
  /** Unique for the run; the caller may choose it. */
  id: string;
  tenant_id: TenantId;
  agent_id: string;
  /** A2A version of its notifications. */
  form: '0.3' | '1.0';
  /** Door by which it was set. */
  door: Generated<'interface' | 'json_rpc' | 'http_json'>;
  url: string;
  /** Sealed: token and authentication. */
  secrets: string;
  /** Sequence number of the last event that it was notified of. */
  told_seq: Generated<number>;
  /** Since the last success. */
  attempts: Generated<number>;
  due_at: GeneratedTimestamp;
  /** Why the last attempt failed. */
  failure: Nullable<string>;
  /** The end was delivered, or delivery was given up. */
  done: Generated<boolean>;
  created_at: GeneratedTimestamp;
}

/** A tool of a server as stored. */
export interface StoredTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Of HTTP services: how a call becomes a request. */
  operation?: unknown;
}

/** Servers of tools that agents of a tenant may call. */
interface ToolServersTable {
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  name: string;
  kind: 'mcp' | 'http';
  /** Of the MCP server, or the base of the HTTP service. */
  url: string;
  /** JSON of names and values, sealed; see kernel/secret-box.ts. Null where there are none. */
  sealed_headers: Nullable<string>;
  header_names: string[];
  tools: Json<StoredTool[]>;
  /** Operations that cannot be called. */
  left_out: string[];
  /** Why its last probe failed; null where it succeeded. */
  failure: NullableJson<NonNullable<ToolServer['failure']>>;
  /** Where the description of an HTTP service was fetched; null where it was given. */
  description_url: Nullable<string>;
  /** Grows with each change. */
  version: Generated<number>;
  created_by: string;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    run_feedback: RunFeedbackTable;
    agents: AgentsTable;
    agent_versions: AgentVersionsTable;
    agent_reviews: AgentReviewsTable;
    agent_history: AgentHistoryTable;
    agent_sessions: AgentSessionsTable;
    agent_runs: AgentRunsTable;
    agent_messages: AgentMessagesTable;
    agent_steps: AgentStepsTable;
    agent_events: AgentEventsTable;
    agent_files: AgentFilesTable;
    agent_push_configs: AgentPushConfigsTable;
    tool_servers: ToolServersTable;
  }
}
