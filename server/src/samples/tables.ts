import type { TenantId } from '../kernel/context.ts';
import type { GeneratedTimestamp } from '../ports/columns.ts';

/** A sample that a person tries things with: a collection and an agent over it. */
interface SamplesTable {
  tenant_id: TenantId;
  user_id: string;
  collection_id: string;
  agent_id: string;
  created_at: GeneratedTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    samples: SamplesTable;
  }
}
