import { AgentNotes } from '@ai-studio/contract/console/agent-notes.ts';
import {
  AgentDetails,
  AgentReviewQuery,
  AgentReviews,
  ApproveAgent,
  DeployAgent,
  RejectAgent,
} from '@ai-studio/contract/console/agents.ts';
import { actorOf } from '../../console-kit/allowance.ts';
import { approveAgent, deployAgent, listReviews, readNotes, rejectAgent, undeployAgent } from '../index.ts';
import { changeAndReadAgent, lifecycleOf } from './builder.ts';
import { type ConsoleRoute, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

const ONE = '/agents/:id';

/** What administrators decide: which version callers get. */
export function agentReviewRoutes(deps: AgentRouteDeps): ConsoleRoute[] {
  const lifecycle = lifecycleOf(deps);
  return [
    tenantRoute({
      method: 'GET',
      path: '/agent-notes',
      access: 'agents.build',
      reply: AgentNotes,
      handle: ({ ctx, person }) => readNotes(deps, ctx.actor, { approves: person.actions.has('agents.approve') }),
    }),
    tenantRoute({
      method: 'GET',
      path: '/agent-reviews',
      access: 'agents.approve',
      query: AgentReviewQuery,
      reply: AgentReviews,
      handle: async (call) => listReviews(deps, await actorOf(deps, call), call.query),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/approve`,
      access: 'agents.approve',
      body: ApproveAgent,
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => approveAgent(lifecycle, ctx, id, call.body)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/reject`,
      access: 'agents.approve',
      body: RejectAgent,
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => rejectAgent(lifecycle, ctx, id, call.body)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/deploy`,
      access: 'agents.approve',
      body: DeployAgent,
      reply: AgentDetails,
      handle: (call) =>
        changeAndReadAgent(deps, call, (ctx, id) => deployAgent(lifecycle, ctx, id, call.body.version_id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/undeploy`,
      access: 'agents.approve',
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => undeployAgent(lifecycle, ctx, id)),
    }),
  ];
}
