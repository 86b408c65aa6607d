import { IngestConfigFields } from '@ai-studio/contract/retrieval/collection.ts';
import type { ChunkPreview, ChunkPreviewRequest } from '@ai-studio/contract/retrieval/preview.ts';
import type { DocumentParser } from '@ai-studio/documents';
import { explain } from '@ai-studio/contract/explain.ts';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CallContext } from '../../kernel/actor.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import { parseAs, type ParseDeps } from '../../parsing/index.ts';
import { openModelCall } from '../call.ts';
import { changedIngestConfig } from '../collections/config.ts';
import { embeddingOf, findCollection, publicConfig } from '../collections/rows.ts';
import type { RetrievalDeps } from '../deps.ts';
import { loadRead } from '../documents/load-read.ts';
import { findDocument } from '../documents/rows.ts';
import { createLearnedLengths, cutToFit, type LearnedLengths } from '../ingest/fitting-cut.ts';
import type { ParseWarning } from '../tables.ts';
import { TextsTooLarge } from '../texts/index.ts';

const pack = promisify(gzip);

/** What a preview works with. */
export interface PreviewDeps extends RetrievalDeps, Omit<ParseDeps, 'renderer'> {
  readonly pool: DocumentParser;
  readonly learned: LearnedLengths;
}

/** What is cut: a text, a document of the collection, or a file on the disk. */
export type PreviewSource =
  | { readonly kind: 'text'; readonly text: string; readonly name: string | undefined }
  | { readonly kind: 'document'; readonly id: string }
  | { readonly kind: 'file'; readonly path: string; readonly name: string | null };

/** What the body of a preview names. */
export function previewSourceOf({ text, name, document_id: id }: ChunkPreviewRequest): PreviewSource {
  return id === undefined ? { kind: 'text', text: text ?? '', name } : { kind: 'document', id };
}

/** What is tried, and which part of its chunks is wanted. */
export interface PreviewHow {
  readonly config: IngestConfigFields | undefined;
  readonly size: number;
  readonly from: number;
}

interface ReadSource {
  readonly packed: Uint8Array;
  readonly name: string;
  readonly warnings: readonly ParseWarning[];
}

const TEXT_NAME = 'text.txt';
const FILE_NAME = 'file';

/** Shows chunks as settings would make them; nothing is kept. */
export interface ChunkPreviews {
  /**
   * Cuts a text, a document or a file. Throws StudioError `not_found` (of the collection, or a document that has not been read), `invalid_request`
   * for settings that cannot be, `unprocessable` and `too_large` for what cannot be read, `unavailable`.
   */
  preview(ctx: CallContext, collectionId: string, source: PreviewSource, how: PreviewHow): Promise<ChunkPreview>;
}

/** Settings of a form, which come as text. Throws StudioError `invalid_request`. */
export function trialConfigOf(given: string | undefined): IngestConfigFields | undefined {
  if (given === undefined || given.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    throw invalidRequest('ingest_config must be a JSON object', 'ingest_config');
  }
  const parsed = IngestConfigFields.safeParse(value);
  if (parsed.success) return parsed.data;
  const { message, param } = explain(parsed.error, value);
  throw invalidRequest(message, param === null ? 'ingest_config' : `ingest_config.${param}`);
}

async function readSource(
  deps: PreviewDeps,
  { actor, signal }: CallContext,
  collectionId: string,
  source: PreviewSource,
): Promise<ReadSource> {
  switch (source.kind) {
    case 'text': {
      const { text, name = TEXT_NAME } = source;
      const json = await deps.texts.do(
        {
          type: 'show',
          file: { name: /\.(?:md|markdown)$/i.test(name) ? 'text.md' : TEXT_NAME, bytes: Buffer.from(text) },
        },
        { urgent: true, signal },
      );
      if (json === null) throw new StudioError('unprocessable', 'The text cannot be read', { param: 'text' });
      return { packed: await pack(json, { level: 1 }), name, warnings: [] };
    }
    case 'document': {
      const row = await findDocument(deps.db.query, actor, { documentId: source.id, collectionId });
      const packed = await loadRead(deps, row, { urgent: true });
      if (packed === null)
        throw new StudioError('not_found', 'The document has not been read yet', { param: 'document_id' });
      return { packed, name: row.name, warnings: row.warnings };
    }
    case 'file': {
      const { path, name } = source;
      let warnings: readonly ParseWarning[] = [];
      // What a reader warns of comes with the bytes, which `parseAs` hands on alone.
      const pool: DocumentParser = {
        async parse(tenant, job, run) {
          const read = await deps.pool.parse(tenant, job, run);
          ({ warnings } = read);
          return read;
        },
      };
      const { written } = await parseAs(
        { ...deps, pool },
        { tenantId: actor.tenantId, signal },
        { path, name },
        { parser_type: 'auto' },
        ({ bytes }) => Promise.resolve(bytes),
      );
      return { packed: written, name: name ?? FILE_NAME, warnings };
    }
  }
}

/** Lengths of chunks. */
function lengthsOf(tokens: readonly number[]): ChunkPreview['tokens'] {
  const sum = tokens.reduce((all, one) => all + one, 0);
  return {
    least: tokens.reduce((least, one) => Math.min(least, one), tokens[0] ?? 0),
    mean: tokens.length === 0 ? 0 : Math.round(sum / tokens.length),
    most: tokens.reduce((most, one) => Math.max(most, one), 0),
  };
}

/** Opens previews. */
export function createChunkPreviews(given: Omit<PreviewDeps, 'learned'>): ChunkPreviews {
  const deps: PreviewDeps = { ...given, learned: createLearnedLengths() };
  return {
    async preview(ctx, collectionId, source, { config: trial, size, from }) {
      const { actor, signal } = ctx;
      const collection = await findCollection(deps.db.query, actor, collectionId);
      const config = changedIngestConfig(deps, actor, collection.ingest_config, trial ?? {});
      const { packed, name, warnings } = await readSource(deps, ctx, collectionId, source);
      const embedding = embeddingOf({ ingest_config: config, embedding_dimension: null });
      const call = openModelCall(deps, ctx, 'search');
      const cut = await cutToFit(deps, call, { packed, how: config, embedding, signal }, deps.learned).catch(
        (error: unknown) => {
          if (!(error instanceof TextsTooLarge)) throw error;
          throw new StudioError('too_large', 'The document is too large to be cut for a preview', { cause: error });
        },
      );
      const items = cut.chunks.slice(from, from + size).map((chunk, at) => ({
        order: from + at + 1,
        title: chunk.title,
        content: chunk.content,
        tokens: chunk.tokens,
        start_page: chunk.startPage,
        end_page: chunk.endPage,
        headings: [...chunk.headings],
      }));
      return {
        items,
        total: cut.chunks.length,
        size,
        from,
        document_name: name,
        format: cut.format,
        tokens: lengthsOf(cut.chunks.map(({ tokens }) => tokens)),
        warnings: warnings.map((warning) => ({ ...warning })),
        ingest_config: publicConfig(config, collection.embedding_dimension),
      };
    },
  };
}
