import { AgentRuns, AgentSessionQuery, AgentSessions } from '@ai-studio/contract/console/agent-talks.ts';
import { TalkExportQuery } from '@ai-studio/contract/console/talks.ts';
import { deleteSession, exportSession, listSessions, readAgentSession, sessionNumber } from '../index.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import { sendTalk } from '../../console-kit/talk-file.ts';
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
      query: TalkExportQuery,
      async handle(call) {
        const id = sessionNumber(paramOf(call, 'session'));
        return sendTalk(deps, call, await exportSession(deps, await scopeOf(call), id), call.query);
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
