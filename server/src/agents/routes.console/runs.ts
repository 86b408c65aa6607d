import {
  AgentFileQuery,
  AgentRun,
  AgentRunTrace,
  AgentUsage,
  AgentUsageQuery,
  FollowQuery,
  NewRun,
} from '@ai-studio/contract/console/agents.ts';
import { RunFile } from '@ai-studio/contract/agents/run.ts';
import { agentUsage, readAgentRun, readTrace, runnableOf } from '../index.ts';
import { withNames } from './builder.ts';
import { beginRun, cancelOwnRun, eventsOf, scopeOf, takeAgentFile } from './own-runs.ts';
import { agentSessionRoutes } from './sessions.ts';
import { agentSourceRoutes } from './sources.ts';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { type AnyCall, type ConsoleRoute, partOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

const ROOT = '/agents/:id';
const access = 'agents.build';

/** Trials of agents, and what their callers did with them, for those who build. */
export function agentRunRoutes(deps: AgentRouteDeps): ConsoleRoute[] {
  /** Throws StudioError `not_found` where the tenant has no such agent. */
  const scopeOfCall = async (call: AnyCall) => {
    const { agent } = await runnableOf(deps, call.ctx.actor.tenantId, partOf(call, 'id'), 'draft');
    return scopeOf(call, agent.id, 'build');
  };
  return [
    tenantRoute({
      method: 'POST',
      path: `${ROOT}/runs`,
      access,
      body: NewRun,
      async handle(call) {
        const runnable = await runnableOf(deps, call.ctx.actor.tenantId, partOf(call, 'id'), call.body.what);
        return sendEvents(call.reply, await beginRun(deps, call, runnable, 'build'));
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ROOT}/runs/:run`,
      access,
      reply: AgentRunTrace,
      handle: async (call) =>
        withNames(deps, call, await readTrace(deps, await scopeOfCall(call), partOf(call, 'run'))),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ROOT}/runs/:run/events`,
      access,
      query: FollowQuery,
      async handle(call) {
        const scope = await scopeOfCall(call);
        const { id } = await readAgentRun(deps, scope, partOf(call, 'run'));
        return sendEvents(call.reply, eventsOf(deps, scope, { id, after: call.query.after, signal: call.ctx.signal }));
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ROOT}/runs/:run/cancel`,
      access,
      reply: AgentRun,
      handle: async (call) => cancelOwnRun(deps, await scopeOfCall(call), partOf(call, 'run')),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ROOT}/files`,
      access,
      takesFile: true,
      query: AgentFileQuery,
      reply: RunFile,
      async handle(call) {
        const file = await takeAgentFile(deps, call, (await scopeOfCall(call)).agentId);
        void call.reply.status(201);
        return file;
      },
    }),
    ...agentSessionRoutes(deps, { root: ROOT, access, scopeOf: scopeOfCall }),
    tenantRoute({
      method: 'GET',
      path: `${ROOT}/usage`,
      access,
      query: AgentUsageQuery,
      reply: AgentUsage,
      handle: async (call) => agentUsage(deps, await scopeOfCall(call), call.query.days),
    }),
    ...agentSourceRoutes(deps, { root: ROOT, access, scopeOf: scopeOfCall }),
  ];
}
