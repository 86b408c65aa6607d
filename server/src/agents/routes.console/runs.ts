import { NewRun } from '@ai-studio/contract/console/agent-talks.ts';
import { AgentRunTrace } from '@ai-studio/contract/console/agent-traces.ts';
import { AgentUsage, AgentUsageQuery } from '@ai-studio/contract/console/agents.ts';
import { AgentFeedback, NewRunQuestion, RunQuestion } from '@ai-studio/contract/console/feedback.ts';
import { addRunQuestion, agentUsage, findRunnable, readFeedback, readTrace, removeRunQuestion } from '../index.ts';
import { actorOf } from '../../console-kit/allowance.ts';
import { withNames } from './builder.ts';
import { startRun, ownRunRoutes, scopeOf } from './own-runs.ts';
import { agentSessionRoutes } from './sessions.ts';
import { agentSourceRoutes } from './sources.ts';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

const ROOT = '/agents/:id';
const access = 'agents.build';

/** Trials of agents, and what their callers did with them, for those who build. */
export function agentRunRoutes(deps: AgentRouteDeps): ConsoleRoute[] {
  /** Throws StudioError `not_found` where the tenant has no such agent. */
  const scopeOfCall = async (call: AnyCall) => {
    const { agent } = await findRunnable(deps, call.ctx.actor.tenantId, paramOf(call, 'id'), 'draft');
    return scopeOf(call, agent.id, 'build');
  };
  const reached = { root: ROOT, access, scopeOf: scopeOfCall } as const;
  return [
    tenantRoute({
      method: 'POST',
      path: `${ROOT}/runs`,
      access,
      body: NewRun,
      async handle(call) {
        const runnable = await findRunnable(deps, call.ctx.actor.tenantId, paramOf(call, 'id'), call.body.what);
        return sendEvents(call.reply, await startRun(deps, call, runnable, 'build'));
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${ROOT}/runs/:run`,
      access,
      reply: AgentRunTrace,
      handle: async (call) =>
        withNames(deps, call, await readTrace(deps, await scopeOfCall(call), paramOf(call, 'run'))),
    }),
    ...ownRunRoutes(deps, { ...reached, agentOfFile: async (call) => (await scopeOfCall(call)).agentId }),
    ...agentSessionRoutes(deps, reached),
    tenantRoute({
      method: 'GET',
      path: `${ROOT}/usage`,
      access,
      query: AgentUsageQuery,
      reply: AgentUsage,
      handle: async (call) => agentUsage(deps, await scopeOfCall(call), call.query.days),
    }),
    ...agentSourceRoutes(deps, reached),
    tenantRoute({
      method: 'GET',
      path: `${ROOT}/feedback`,
      access,
      reply: AgentFeedback,
      handle: async (call) => readFeedback(deps, await scopeOfCall(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ROOT}/runs/:run/question`,
      access,
      body: NewRunQuestion,
      reply: RunQuestion,
      async handle(call) {
        const scope = await scopeOfCall(call);
        const made = { runId: paramOf(call, 'run'), body: call.body };
        const added = await addRunQuestion(deps, await actorOf(deps, call), scope, made);
        void call.reply.status(201);
        return added;
      },
    }),
    tenantRoute({
      method: 'DELETE',
      path: `${ROOT}/runs/:run/question`,
      access,
      handle: async (call) =>
        removeRunQuestion(deps, await actorOf(deps, call), await scopeOfCall(call), paramOf(call, 'run')),
    }),
  ];
}
