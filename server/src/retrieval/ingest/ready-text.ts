import type { Selectable } from 'kysely';
import type { DocumentsTable } from '../tables.ts';
import type { ReadResult } from '../texts/tasks.ts';
import type { Job } from './jobs.ts';
import type { rowOf } from './stages.ts';

/** What is needed of a document that is taken in with others. */
export type ShortDocument = Pick<
  Selectable<DocumentsTable>,
  'id' | 'name' | 'created_at' | 'metadata' | 'indexed_fields' | 'readers' | 'edits' | 'revision' | 'key_id' | 'user_id'
>;

/** A short text that was read and cut. */
export interface ReadyText {
  readonly job: Job;
  readonly document: ShortDocument;
  readonly result: Extract<ReadResult, { failed: null }>;
  /** Of its chunks, as they are stored. */
  readonly rows: readonly ReturnType<typeof rowOf>[];
  /** Of each row; null where the lexical embedder makes them. */
  readonly vectors: readonly Float32Array[] | null;
}
