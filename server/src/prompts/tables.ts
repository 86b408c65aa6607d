import type { PromptVisibility } from '@ai-studio/contract/console/prompts.ts';
import type { Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { GeneratedTimestamp, Nullable } from '../ports/columns.ts';

/** A text that people begin messages with. */
export interface PromptsTable {
  id: string;
  tenant_id: TenantId;
  /** Null where the person is gone; what was private is seen by nobody then. */
  owner_user_id: Nullable<string>;
  name: string;
  description: string;
  visibility: PromptVisibility;
  /** That of the version in use. */
  content: string;
  version: Generated<number>;
  /** The version in which it was shared, null while it is private: what was written before is its owner's alone. */
  shared_version: Nullable<number>;
  created_at: GeneratedTimestamp;
  updated_at: GeneratedTimestamp;
}

interface PromptVersionsTable {
  prompt_id: string;
  version: number;
  content: string;
  /** Who wrote it; null where they are gone. */
  user_id: Nullable<string>;
  created_at: GeneratedTimestamp;
}

declare module '../ports/tables.ts' {
  interface Tables {
    prompts: PromptsTable;
    prompt_versions: PromptVersionsTable;
  }
}
