import type { Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { NullableTimestamp, Timestamp } from '../ports/columns.ts';

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
  /** Running answers: last renewal of the lease by the process that generates it, by the database's clock. */
  seen_at: NullableTimestamp;
  /** Running answers: whether the person asked to end it. */
  stop_asked: Generated<boolean>;
}

declare module '../ports/tables.ts' {
  interface Tables {
    conversations: ConversationsTable;
    conversation_messages: ConversationMessagesTable;
  }
}
