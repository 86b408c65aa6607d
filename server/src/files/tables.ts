import type { KeptPurpose } from '@ai-studio/contract/files.ts';
import type { TenantId } from '../kernel/context.ts';
import type { GeneratedTimestamp, Nullable, NullableTimestamp } from '../ports/columns.ts';

/** A file that a tenant keeps; its bytes are in the blob store. */
interface FilesTable {
  id: string;
  tenant_id: TenantId;
  /** Of whoever uploaded it; null for what the service wrote. */
  key_id: Nullable<string>;
  name: string;
  purpose: KeptPurpose;
  size: number;
  /** Whether its bytes are there. */
  ready: boolean;
  created_at: GeneratedTimestamp;
  /** From then on there is none, and it is removed with its bytes. */
  expires_at: NullableTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    files: FilesTable;
  }
}
