import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { Citation, RunEventBody, RunFailure, RunInput, RunState } from '@ai-studio/contract/agents/run.ts';
import type { ToolServer } from '@ai-studio/contract/console/agents.ts';
import type { Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { Json, MadeJson, MadeTimestamp, Maybe, MaybeJson, MaybeTimestamp, Timestamp } from '../ports/columns.ts';

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
  saved_by: Maybe<string>;
  saved_at: MadeTimestamp;
  deployed_version_id: Maybe<string>;
  /** Id of the person. */
  created_by: string;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
  archived_at: MaybeTimestamp;
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
  approved_at: MaybeTimestamp;
  /** Id of the person. */
  created_by: string;
  created_at: MadeTimestamp;
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
  reason: Maybe<string>;
  /** Ids of the people. */
  submitted_by: string;
  submitted_at: MadeTimestamp;
  decided_by: Maybe<string>;
  decided_at: MaybeTimestamp;
  /** The version that callers got when it was decided; null where none was deployed, and while it waits. */
  compared_version_id: Maybe<string>;
}

/** What was done with an agent. */
interface AgentHistoryTable {
  number: GeneratedAlways<number>;
  agent_id: string;
  tenant_id: TenantId;
  action: string;
  version_number: Maybe<number>;
  reason: Maybe<string>;
  /** Id of the person. */
  made_by: string;
  at: MadeTimestamp;
}

/** Runs that belong together: one chat_session_id, one contextId. */
interface AgentSessionsTable {
  id: GeneratedAlways<number>;
  tenant_id: TenantId;
  agent_id: string;
  context_id: string;
  type: 'api' | 'chat' | 'test';
  title: Generated<string>;
  key_id: Maybe<string>;
  user_id: Maybe<string>;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
}

/** A run of an agent: a task of A2A. */
interface AgentRunsTable {
  id: string;
  number: GeneratedAlways<number>;
  /** Of the run whose node called this agent. */
  parent_run_id: Maybe<string>;
  tenant_id: TenantId;
  agent_id: string;
  session_id: number;
  /** Null for a draft. */
  version_id: Maybe<string>;
  /** What is run, whatever becomes of the draft. */
  definition: Json<AgentDefinition>;
  key_id: Maybe<string>;
  user_id: Maybe<string>;
  input: Json<RunInput>;
  state: Generated<RunState>;
  answer: Generated<string>;
  citations: MadeJson<Citation[]>;
  /** With input-required. */
  question: Maybe<string>;
  failure: MaybeJson<RunFailure>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
  last_seq: Generated<number>;
  cancel_requested: Generated<boolean>;
  attempts: Generated<number>;
  /** Time that it has worked, of its limit. */
  spent_ms: Generated<number>;
  /** Of the process that runs it. */
  claim: Maybe<string>;
  /** Last sign of life of that process, by the database's clock. */
  seen_at: MaybeTimestamp;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
  /** When its state began. */
  state_at: MadeTimestamp;
  ended_at: MaybeTimestamp;
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
  inputs: MaybeJson<unknown>;
  /** What other nodes use; needed until the run ends. */
  outputs: MaybeJson<unknown>;
  /** What a node needs to go on after a crash: finished calls of tools, text that was sent. */
  kept: MaybeJson<unknown>;
  failure: MaybeJson<RunFailure>;
  prompt_tokens: Generated<number>;
  completion_tokens: Generated<number>;
  attempts: Generated<number>;
  started_at: MadeTimestamp;
  ended_at: MaybeTimestamp;
}

/** The log of a run, which is what its callers are told. */
interface AgentEventsTable {
  run_id: string;
  /** From 1, without a gap. */
  seq: number;
  body: Json<RunEventBody>;
  at: MadeTimestamp;
}

/** Files that came with messages; their bytes lie in the blob store. */
interface AgentFilesTable {
  id: string;
  tenant_id: TenantId;
  agent_id: string;
  run_id: Maybe<string>;
  key_id: Maybe<string>;
  user_id: Maybe<string>;
  name: string;
  media_type: string;
  size: number;
  created_at: MadeTimestamp;
}

/** Where a caller wants to be told of a task. */
interface AgentPushConfigsTable {
  run_id: string;
  /** Unique for the run; the caller may choose it. */
  id: string;
  tenant_id: TenantId;
  agent_id: string;
  /** Form of A2A in which it is told. */
  form: '0.3' | '1.0';
  url: string;
  /** Sealed: token and authentication. */
  secrets: string;
  /** Last event that it knows of. */
  told_seq: Generated<number>;
  /** Since the last success. */
  attempts: Generated<number>;
  due_at: MadeTimestamp;
  /** Why the last attempt failed. */
  failure: Maybe<string>;
  /** It was told the end, or given up. */
  done: Generated<boolean>;
  created_at: MadeTimestamp;
}

/** A tool of a server as it is kept. */
export interface KeptTool {
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
  sealed_headers: Maybe<string>;
  header_names: string[];
  tools: Json<KeptTool[]>;
  /** Operations that cannot be called. */
  left_out: string[];
  /** Why it could not be asked when it was last looked at; null where it could. */
  failure: MaybeJson<NonNullable<ToolServer['failure']>>;
  /** Where the description of an HTTP service was fetched; null where it was given. */
  description_url: Maybe<string>;
  /** Grows with each change. */
  version: Generated<number>;
  created_by: string;
  created_at: MadeTimestamp;
  updated_at: MadeTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
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
