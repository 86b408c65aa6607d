import type { Citation } from '@ai-studio/contract/agents/run.ts';
import type { ConversationParameters } from '@ai-studio/contract/console/conversations.ts';
import type { MessageFallback, MessageFile } from '@ai-studio/contract/console/conversation-parts.ts';
import type { AnswerFeedback } from '@ai-studio/contract/console/feedback.ts';
import type { Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type {
  GeneratedJson,
  GeneratedTimestamp,
  Nullable,
  NullableJson,
  NullableTimestamp,
  Timestamp,
} from '../ports/columns.ts';

/** A conversation that a person keeps. Nobody else sees it. */
interface ConversationsTable {
  id: string;
  tenant_id: TenantId;
  user_id: string;
  /** Empty until the first question. */
  title: Generated<string>;
  /** Whether the title was chosen, by the person or by a model: questions do not change it. */
  own_title: Generated<boolean>;
  model: string;
  system_prompt: string | null;
  /** What tokens of its texts stand for, sealed; null where there are none. */
  personal: Generated<string | null>;
  /** Last message of the version that is shown; null: the newest. */
  leaf_id: Nullable<string>;
  /** Stands at the top of the list. */
  pinned: Generated<boolean>;
  /** Stands in no list, and goes a day after it was touched last. */
  temporary: Generated<boolean>;
  /** Ids of collections that answers are looked for in. */
  collections: GeneratedJson<readonly string[]>;
  /** How its answers are made. */
  parameters: GeneratedJson<ConversationParameters>;
  /** Ids of models that answer side by side with `model`. */
  models_beside: GeneratedJson<readonly string[]>;
  folder_id: Nullable<string>;
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
  /** The message that this one follows; null for a first question. Messages that follow the same one are versions. */
  parent_id: Nullable<string>;
  /** What a question brought, as {@link ConversationFilesTable} knows it. */
  files: GeneratedJson<readonly MessageFile[]>;
  /** Sources of an answer, with tokens in place of personal values. */
  citations: GeneratedJson<readonly Citation[]>;
  /** One of several answers that were asked for at a time, of which none has been chosen. */
  compared: Generated<boolean>;
  role: 'user' | 'assistant';
  content: string;
  reasoning: string | null;
  state: 'done' | 'running' | 'stopped' | 'failed';
  error: string | null;
  model: string | null;
  /** Of an answer: that its model is another than the one that was asked for. */
  fallback: NullableJson<MessageFallback>;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  first_token_ms: number | null;
  duration_ms: number | null;
  /** From the first word of reasoning to the first of the answer. */
  reasoning_ms: Nullable<number>;
  /** What the person thinks of it. */
  feedback: NullableJson<AnswerFeedback>;
  /** What a model suggested to ask next; null: it was not asked. */
  follow_ups: NullableJson<readonly string[]>;
  created_at: Timestamp;
  /** Running answers: last renewal of the lease by the process that generates it, by the database's clock. */
  seen_at: NullableTimestamp;
  /** Running answers: whether the person asked to end it. */
  stop_asked: Generated<boolean>;
}

interface ConversationFoldersTable {
  id: string;
  tenant_id: TenantId;
  user_id: string;
  name: string;
  created_at: GeneratedTimestamp;
}

/** A file that a person gave for a message. */
export interface ConversationFilesTable {
  id: string;
  tenant_id: TenantId;
  user_id: string;
  /** Null until a message brings it, and after its conversation was deleted: then it is removed. */
  conversation_id: Nullable<string>;
  /** `document`: it lies in a collection; `picture`: in the blob store. */
  kind: 'document' | 'picture';
  name: string;
  size: number;
  /** Of a picture. */
  media_type: Nullable<string>;
  collection_id: Nullable<string>;
  document_id: Nullable<string>;
  created_at: GeneratedTimestamp;
}

/** That a person shows a conversation to others of the tenant. */
interface ConversationSharesTable {
  /** Names it in its link. */
  id: string;
  tenant_id: TenantId;
  user_id: string;
  /** Null once the conversation was deleted. */
  conversation_id: Nullable<string>;
  /** The last message that is shown, of the version that was shown then. */
  leaf_id: string;
  created_at: GeneratedTimestamp;
  withdrawn_at: NullableTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    conversations: ConversationsTable;
    conversation_messages: ConversationMessagesTable;
    conversation_files: ConversationFilesTable;
    conversation_shares: ConversationSharesTable;
    conversation_folders: ConversationFoldersTable;
  }
}
