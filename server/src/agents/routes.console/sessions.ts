import { AgentRuns, AgentSessionExport, AgentSessionQuery, AgentSessions } from '@ai-studio/contract/console/agents.ts';
import { deleteSession, exportSession, listSessions, readAgentSession, sessionNumber } from '../index.ts';
import { attachment } from '../../console-kit/attachment.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps, AgentRouteScope } from './deps.ts';

/** Sessions of an agent, as far as whoever asks may see them: the list, one with its runs, also as a file, and its removal. */
export function agentSessionRoutes(deps: AgentRouteDeps, { root, access, scopeOf }: AgentRouteScope): ConsoleRoute[] {
  const session = `${root}/sessions/:session`;
  return [
    tenantRoute({
      method: 'GET',
      path: `${root}/sessions`,
      access,
      query: AgentSessionQuery,
      reply: AgentSessions,
      handle: async (call) => listSessions(deps, await scopeOf(call), call.query),
    }),
    tenantRoute({
      method: 'GET',
      path: session,
      access,
      reply: AgentRuns,
      handle: async (call) => readAgentSession(deps, await scopeOf(call), sessionNumber(paramOf(call, 'session'))),
    }),
    tenantRoute({
      method: 'GET',
      path: `${session}/export`,
      access,
      query: AgentSessionExport,
      async handle(call) {
        const { language, time_zone: timeZone } = call.query;
        const id = sessionNumber(paramOf(call, 'session'));
        const { title, markdown } = await exportSession(deps, await scopeOf(call), id, { language, timeZone });
        void call.reply
          .type('text/markdown; charset=utf-8')
          .header('Content-Disposition', attachment(title, 'md', 'conversation'));
        return markdown;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: session,
      access,
      handle: async (call) =>
        deleteSession({ db: deps.db, ...deps.agentRuns }, await scopeOf(call), sessionNumber(paramOf(call, 'session'))),
    }),
  ];
}
