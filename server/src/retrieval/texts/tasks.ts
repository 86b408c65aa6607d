import type { IngestConfig } from '@ai-studio/contract/retrieval/collection.ts';
import type { ParseLimits } from '@ai-studio/documents';
import type { Signature } from '../duplicates/signature.ts';
import type { ParseWarning } from '../tables.ts';

// The tasks of the text workers: everything that would block a request for too long.

/** Cut a document that was read into passages. */
export interface CutTask {
  readonly type: 'cut';
  /** As the parser packs it. */
  readonly packed: Uint8Array;
  readonly how: CutSettings;
  /** What its model reads of a text; null where nothing limits it. */
  readonly cap?: ChunkCap | null;
}

/** Read short texts, and cut them into passages. */
export interface ReadTask {
  readonly type: 'read';
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly how: CutSettings;
  readonly cap: ChunkCap | null;
  readonly limits: ParseLimits;
}

/** Read one short text. */
export interface ShowTask {
  readonly type: 'show';
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
}

/** What a short text holds, or why it cannot be read. */
export type ReadResult =
  | (CutResult & { readonly pages: number; readonly warnings: readonly ParseWarning[]; readonly failed: null })
  | { readonly failed: { readonly code: string; readonly message: string } };

export type CutSettings = Pick<
  IngestConfig,
  'chunking_strategy' | 'chunk_size' | 'chunk_overlap' | 'pii_mask' | 'duplicates' | 'context_model'
>;

/** How long the text of a chunk may be, with the titles before it. */
export interface ChunkCap {
  /** Tokens, by the tokenizer that chunks are counted by. */
  readonly maxTokens: number;
  /** Characters of the titles. */
  readonly pathLength: number;
}

/** Cut passages that proved to be too long to pieces of these lengths. */
export interface SplitTask {
  readonly type: 'split';
  readonly passages: readonly { readonly content: string; readonly maxTokens: number }[];
}

/** A passage of a document. */
export interface CutChunk {
  readonly title: string;
  readonly content: string;
  readonly headings: readonly string[];
  readonly startPage: number | null;
  readonly endPage: number | null;
  readonly tokens: number;
}

export interface CutResult {
  readonly chunks: readonly CutChunk[];
  readonly format: string;
  /** By what it is known to say the same as another; null where nobody asks, or it has no letters. */
  readonly signature: Signature | null;
}

/** Find out by what passages are found. */
export interface AnalyseTask {
  readonly type: 'analyse';
  readonly texts: readonly string[];
  /** Whether vectors of the lexical embedder are wanted. */
  readonly vectors: boolean;
}

export interface Analysed {
  readonly terms: readonly string[];
  readonly stems: readonly string[];
  readonly vector: Float32Array | null;
}

/** Count the tokens of texts, which have personal values masked before where that is asked. */
export interface CountTask {
  readonly type: 'count';
  readonly texts: readonly string[];
  readonly mask: boolean;
}

/** A text as it is kept. */
export interface Counted {
  readonly text: string;
  readonly tokens: number;
}

/** What a file is. Null where nothing can be said against it; else why it is refused. */
export interface SniffTask {
  readonly type: 'sniff';
  readonly path: string;
  readonly name: string;
}

export type SniffResult =
  | { readonly format: string; readonly refused: null }
  | {
      readonly format: null;
      readonly refused: { readonly code: string; readonly message: string };
    };

/** Tasks, and what comes of each. */
export interface Results {
  readonly cut: CutResult;
  readonly read: readonly ReadResult[];
  /** The document as JSON; null where it is no short text. */
  readonly show: string | null;
  readonly split: readonly (readonly Counted[])[];
  readonly analyse: readonly Analysed[];
  readonly count: readonly Counted[];
  readonly sniff: SniffResult;
}
export type Task = CutTask | ReadTask | ShowTask | SplitTask | AnalyseTask | CountTask | SniffTask;

/** A task as a thread gets it: the document is unpacked before, as a thread must not do that. */
export type ThreadTask =
  | (Omit<CutTask, 'packed'> & { readonly json: Uint8Array })
  | ReadTask
  | ShowTask
  | SplitTask
  | AnalyseTask
  | CountTask
  | SniffTask;
