import { readCitation } from '../index.ts';
import { contextOf } from '../../console-kit/allowance.ts';
import { type ConsoleRoute, paramOf } from '../../console-kit/route.ts';
import { citedSourceRoutes } from '../../console-kit/source-routes.ts';
import type { AgentRouteDeps, AgentRouteScope } from './deps.ts';

/**
 * The pages that an answer cites, each just that page: whoever has the answer may see what it stands on, also in collections that
 * are not shared with them.
 */
export const agentSourceRoutes = (deps: AgentRouteDeps, { root, access, scopeOf }: AgentRouteScope): ConsoleRoute[] =>
  citedSourceRoutes({
    originals: deps.collections.originals,
    path: `${root}/runs/:run/sources/:number`,
    access,
    async sourceOf(call) {
      const scope = await scopeOf(call);
      const cited = { runId: paramOf(call, 'run'), number: paramOf(call, 'number') };
      const citation = await readCitation(deps, scope, cited);
      const ctx = await contextOf(deps, call);
      return {
        citation,
        listed: true,
        ctx: { ...ctx, actor: { ...ctx.actor, rights: new Set(['collections.all'] as const) } },
      };
    },
  });
