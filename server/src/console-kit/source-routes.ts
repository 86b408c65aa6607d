import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { AgentSource } from '@ai-studio/contract/console/agent-talks.ts';
import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';
import { ConsolePageText, ConsolePictureQuery } from '@ai-studio/contract/console/retrieval.ts';
import type { AuditedContext } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import type { Originals } from '../retrieval/index.ts';
import { type AnyCall, type ConsoleRoute, tenantRoute } from './route.ts';
import { sendUntrusted } from './untrusted-file.ts';

const gone = () => new StudioError('not_found', 'The document has gone, or has no such page');

/** A passage that was cited, and who may look at its page. */
export interface CitedSource {
  readonly citation: Citation;
  readonly ctx: AuditedContext;
  /** Whether its document stands in the list of a collection. */
  readonly listed: boolean;
}

interface SourceRoutes {
  readonly originals: Originals;
  /** Of the passage; its page follows below it. */
  readonly path: string;
  readonly access: ConsoleAction;
  /** Throws StudioError `not_found`. */
  readonly sourceOf: (call: AnyCall) => Promise<CitedSource>;
}

/** The pages that an answer cites, each just that page: as a picture or as text. */
export function citedSourceRoutes({ originals, path, access, sourceOf }: SourceRoutes): ConsoleRoute[] {
  async function openSource(call: AnyCall) {
    const { citation, ctx, listed } = await sourceOf(call);
    return {
      citation,
      ctx,
      listed,
      address: { collectionId: citation.collection_id, documentId: citation.document_id },
    };
  }
  /** The page that is cited; the first where none is named. Null where the document has gone. */
  async function pageOf({ citation, ctx, address }: Awaited<ReturnType<typeof openSource>>) {
    try {
      const { pages, pictures } = await originals.outline(ctx.actor, address);
      const page = pages.find(({ number }) => number === citation.page) ?? pages[0];
      return { page: page?.number ?? null, pictures: pictures && page !== undefined };
    } catch (error) {
      if (error instanceof StudioError && error.code === 'not_found') return { page: null, pictures: false };
      throw error;
    }
  }

  return [
    tenantRoute({
      method: 'GET',
      path,
      access,
      reply: AgentSource,
      async handle(call) {
        const source = await openSource(call);
        return { citation: source.citation, listed: source.listed, ...(await pageOf(source)) };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${path}/text`,
      access,
      reply: ConsolePageText,
      async handle(call) {
        const source = await openSource(call);
        const { page } = await pageOf(source);
        if (page === null) throw gone();
        return originals.text(source.ctx.actor, source.address, page);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${path}/picture`,
      access,
      query: ConsolePictureQuery,
      async handle(call) {
        const source = await openSource(call);
        const { page, pictures } = await pageOf(source);
        if (page === null || !pictures) throw gone();
        const at = { page, width: call.query.width };
        return sendUntrusted(call.reply, await originals.picture(source.ctx, source.address, at));
      },
    }),
  ];
}
