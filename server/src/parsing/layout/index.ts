import type { DocumentParser, PackedDocument, ParseJob, WorkerRun } from '@ai-studio/documents';
import type { CallContext } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import { createModelReader, type ModelReaderDeps, type VisionModel } from './model-reader.ts';
import { seePages, type SeePagesDeps } from './see-pages.ts';

/** Who reads pages where a call does not say: a server, a model, or nobody else than the service. */
export type ConfiguredReader = PageReader | VisionModel | null;

export interface LayoutDeps extends SeePagesDeps, ModelReaderDeps {
  readonly pool: DocumentParser;
  readonly configured: ConfiguredReader;
}

/** How pages are read as they are seen. */
export interface LayoutWish {
  /** A vision model; null: what the configuration names. */
  readonly model: string | null;
  readonly describeFigures: boolean;
}

/** A document to read. */
export type LayoutJob = ParseJob & { readonly layout?: LayoutWish | undefined };
/** Who it is read for: models are asked for them. */
export type LayoutRun = WorkerRun & { readonly ctx?: Omit<CallContext, 'signal'> | undefined };

/** Reads documents, those whose pages are to be seen by a reader of pages first. */
export interface LayoutParser {
  /** As {@link DocumentParser.parse}. Pages that a reader does not read are read by the service, and a warning tells which and why. */
  parse(tenant: TenantId, job: LayoutJob, run: LayoutRun): Promise<PackedDocument>;
}

/** The part of the time of a document that its pages may take at a reader: what it does not read is read after that. */
const READER_SHARE = 0.75;

const isReader = (configured: PageReader | VisionModel): configured is PageReader => 'read' in configured;

/** Wraps the pool that reads documents with what reads pages from their pictures. */
export function createLayoutParser(deps: LayoutDeps): LayoutParser {
  const { pool, configured } = deps;

  function readerFor({ model }: LayoutWish, { ctx }: LayoutRun): PageReader | null {
    if (model === null && configured !== null && isReader(configured)) return configured;
    const named = model === null ? configured : { name: model };
    if (named === null || isReader(named) || ctx === undefined) return null;
    return createModelReader(deps, ctx, named);
  }

  return {
    async parse(tenantId, { layout, ...job }, run) {
      const reader = layout === undefined ? null : readerFor(layout, run);
      if (layout === undefined || reader === null) return pool.parse(tenantId, job, run);
      const { describeFigures } = layout;
      const { signal, onPage } = run;
      const timeoutMs = run.timeoutMs * READER_SHARE;
      const seen = await seePages(deps, job, { tenantId, reader, describeFigures, timeoutMs, signal, onPage });
      return pool.parse(tenantId, seen === null ? job : { ...job, parser: 'auto', seen }, run);
    },
  };
}

/** What a form says of the reading of pages. */
interface LayoutFields {
  readonly parser_type: 'auto' | 'layout' | 'file';
  readonly layout_model?: string | undefined;
  readonly describe_figures?: boolean | undefined;
}

/** How the pages are to be read; undefined where they are not to be seen. */
export const layoutWish = ({
  parser_type: type,
  layout_model: model,
  describe_figures: describeFigures,
}: LayoutFields): LayoutWish | undefined =>
  type === 'layout' ? { model: model ?? null, describeFigures: describeFigures === true } : undefined;

/** Throws StudioError `invalid_request` for fields that have no meaning with how the document is read. */
export function checkLayout(fields: LayoutFields, configured: boolean): void {
  for (const name of ['layout_model', 'describe_figures'] as const)
    if (fields[name] !== undefined && fields.parser_type !== 'layout')
      throw invalidRequest(`${name} goes with parser_type=layout`, name);
  if (fields.describe_figures === true && fields.layout_model === undefined && !configured)
    throw invalidRequest(
      'describe_figures needs a reader of pages: name a vision model as layout_model, or have one configured (documents.layout)',
      'describe_figures',
    );
}
