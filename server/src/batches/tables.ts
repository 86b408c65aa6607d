import type { BatchEndpoint, BatchError, BatchStatus } from '@ai-studio/contract/batches.ts';
import type { Generated } from 'kysely';
import type { TenantId } from '../kernel/context.ts';
import type { GeneratedTimestamp, Nullable, NullableJson, NullableTimestamp, Timestamp } from '../ports/columns.ts';

/** As what a batch ends whose lines are run no more. */
export type Ending = 'completed' | 'failed' | 'expired';

/** Many requests in one file, which are answered in the background. */
interface BatchesTable {
  id: string;
  tenant_id: TenantId;
  /** Within whose rights and limits its lines run. */
  key_id: string;
  endpoint: BatchEndpoint;
  input_file_id: string;
  completion_window: string;
  metadata: NullableJson<Record<string, string>>;
  /** How long the files with its results are kept. */
  output_seconds: number;
  state: Generated<BatchStatus>;
  /** Set once it is finalizing. */
  ending: Nullable<Ending>;
  claim: Nullable<string>;
  seen_at: NullableTimestamp;
  /** Claims in a row without a single line that ended. */
  attempts: Generated<number>;
  model: Nullable<string>;
  errors: NullableJson<readonly BatchError[]>;
  total: Generated<number>;
  completed: Generated<number>;
  failed: Generated<number>;
  /** Chosen before the files are written, so that they are written again under the same ids. */
  output_file_id: Nullable<string>;
  error_file_id: Nullable<string>;
  created_at: GeneratedTimestamp;
  expires_at: Timestamp;
  /** Of the last claim. */
  started_at: NullableTimestamp;
  in_progress_at: NullableTimestamp;
  finalizing_at: NullableTimestamp;
  cancelling_at: NullableTimestamp;
  ended_at: NullableTimestamp;
}

/** What became of a line, until it is written to a file. */
interface BatchResultsTable {
  batch_id: string;
  line: number;
  ok: boolean;
  /** Its line of the output or error file. */
  output: string;
}

declare module '../ports/tables.ts' {
  interface Tables {
    batches: BatchesTable;
    batch_results: BatchResultsTable;
  }
}
