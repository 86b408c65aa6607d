import { AgentSource } from '@ai-studio/contract/console/agents.ts';
import { ConsolePageText, ConsolePictureQuery } from '@ai-studio/contract/console/retrieval.ts';
import { readCitation } from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { contextOf } from '../../console-kit/allowance.ts';
import { sendUntrusted } from '../../console-kit/untrusted-file.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps, AgentRouteScope } from './deps.ts';

const gone = () => new StudioError('not_found', 'The document has gone, or has no such page');

/**
 * The pages that an answer cites, each just that page: whoever has the answer may see what it stands on, also in collections that
 * are not shared with them.
 */
export function agentSourceRoutes(deps: AgentRouteDeps, { root, access, scopeOf }: AgentRouteScope): ConsoleRoute[] {
  const { originals } = deps.collections;
  const path = `${root}/runs/:run/sources/:number`;

  async function sourceOf(call: AnyCall) {
    const scope = await scopeOf(call);
    const citation = await readCitation(deps, scope, { runId: paramOf(call, 'run'), number: paramOf(call, 'number') });
    const ctx = await contextOf(deps, call);
    const actor = { ...ctx.actor, rights: new Set(['collections.all'] as const) };
    const address = { collectionId: citation.collection_id, documentId: citation.document_id };
    return { citation, ctx: { ...ctx, actor }, address };
  }
  /** The page that is cited; the first where none is named. Null where the document has gone. */
  async function pageOf({ citation, ctx, address }: Awaited<ReturnType<typeof sourceOf>>) {
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
        const source = await sourceOf(call);
        return { citation: source.citation, ...(await pageOf(source)) };
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${path}/text`,
      access,
      reply: ConsolePageText,
      async handle(call) {
        const source = await sourceOf(call);
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
        const source = await sourceOf(call);
        const { page, pictures } = await pageOf(source);
        if (page === null || !pictures) throw gone();
        const at = { page, width: call.query.width };
        return sendUntrusted(call.reply, await originals.picture(source.ctx, source.address, at));
      },
    }),
  ];
}
