import type { TenantId } from '../kernel/context.ts';
import type { Timestamp } from '../ports/columns.ts';

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

declare module '../ports/tables.ts' {
  interface Tables {
    responses: ResponsesTable;
  }
}
