import type { Generated, GeneratedAlways } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { GeneratedTimestamp, Nullable, NullableTimestamp, Timestamp } from '../ports/columns.ts';

/** An answer that is kept, so that it can be read and gone on from. */
interface ResponsesTable {
  id: string;
  tenant_id: TenantId;
  /** The response that it goes on from. */
  previous_id: string | null;
  /** Ids of its items, by which others refer to them. */
  item_ids: readonly string[];
  /** The response as it was sent and the items of its request, sealed. */
  sealed: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** The making of a response in the background. */
interface ResponseJobsTable {
  /** Of the response. */
  id: string;
  number: GeneratedAlways<number>;
  tenant_id: TenantId;
  /** Who pays for it. */
  key_id: string;
  state: Generated<'queued' | 'running' | 'ended'>;
  /** What it is made from, sealed; null once it has ended. */
  work: Nullable<string>;
  /** How far it is, sealed; null before its first checkpoint and once it has ended. */
  progress: Nullable<string>;
  /** Of its last event that is written; -1 before the first. */
  last_seq: Generated<number>;
  /** Whether its events are kept. */
  streams: boolean;
  cancel_requested: Generated<boolean>;
  attempts: Generated<number>;
  /** Of the process that makes it. */
  claim: Nullable<string>;
  /** Last heartbeat of that process, by the clock of the database. */
  seen_at: NullableTimestamp;
  /** Not before this. */
  due_at: GeneratedTimestamp;
  /** Since when its next turn is refused again and again; null where the last one was not. */
  waits_since: NullableTimestamp;
}

/** Events of a response that streams, as they are sent; several in a row. */
interface ResponseEventsTable {
  response_id: string;
  first_seq: number;
  last_seq: number;
  sealed: string;
}

/** A conversation that responses go on with. */
interface ResponseConversationsTable {
  id: string;
  tenant_id: TenantId;
  /** Texts of its caller, sealed. */
  sealed: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}

interface ResponseConversationItemsTable {
  conversation_id: string;
  item_id: string;
  /** Grows within the conversation. */
  number: GeneratedAlways<number>;
  sealed: string;
}

declare module '../ports/tables.ts' {
  interface Tables {
    responses: ResponsesTable;
    response_jobs: ResponseJobsTable;
    response_events: ResponseEventsTable;
    response_conversations: ResponseConversationsTable;
    response_conversation_items: ResponseConversationItemsTable;
  }
}
