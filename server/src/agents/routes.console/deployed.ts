import {
  AgentChat,
  AgentChatChange,
  AgentChatQuery,
  AgentChats,
  DeployedAgent,
  DeployedAgents,
  NewRun,
} from '@ai-studio/contract/console/agent-talks.ts';
import { changeChat, type Deployed, deployedBySlug, listChats, listDeployed, sessionNumber } from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { startRun, ownRunRoutes, scopeOf } from './own-runs.ts';
import { agentSessionRoutes } from './sessions.ts';
import { agentSourceRoutes } from './sources.ts';
import { createKeyedQueue } from '../../console-kit/keyed-queue.ts';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { type AnyCall, type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

const ROOT = '/deployed-agents/:slug';
const access = 'agents.use';

const agentNotFound = () => new StudioError('not_found', 'There is no such agent');

function toDeployed({ agent, definition }: Deployed): DeployedAgent {
  const input = definition.nodes.find((node) => node.kind === 'input');
  return {
    slug: agent.slug,
    name: agent.name,
    description: agent.description,
    greeting: input?.greeting ?? '',
    examples: [...(input?.examples ?? [])],
    files: input?.files ?? false,
  };
}

/** Deployed agents as everybody talks with them, and what the person has said to them. Nobody else's sessions are ever found. */
export function deployedAgentRoutes(deps: AgentRouteDeps): ConsoleRoute[] {
  const searching = createKeyedQueue();
  const findAgent = async (call: AnyCall) => {
    const found = await deployedBySlug(deps, call.ctx.actor.tenantId, paramOf(call, 'slug'));
    if (found === null) throw agentNotFound();
    return found;
  };
  const deployed = async (call: AnyCall) => {
    const found = await findAgent(call);
    if (found.deployed) return found;
    throw new StudioError('conflict', 'No version of this agent is deployed', { reason: 'agent_not_deployed' });
  };
  // What was said stays with the person also when the agent takes no messages any more.
  const scopeOfCall = async (call: AnyCall) => scopeOf(call, (await findAgent(call)).agent.id, 'chat');
  const reached = { root: ROOT, access, scopeOf: scopeOfCall } as const;

  return [
    tenantRoute({
      method: 'GET',
      path: '/agent-chats',
      access,
      query: AgentChatQuery,
      reply: AgentChats,
      handle(call) {
        const list = () => listChats(deps, call.ctx.actor, call.query);
        // Words are looked for in everything that the person has.
        return call.query.text ? searching(call.person.userId, call.signal, list) : list();
      },
    }),
    tenantRoute({
      method: 'PATCH',
      path: `${ROOT}/sessions/:session`,
      access,
      body: AgentChatChange,
      reply: AgentChat,
      handle: async (call) =>
        changeChat(deps, await scopeOfCall(call), sessionNumber(paramOf(call, 'session')), call.body),
    }),
    tenantRoute({
      method: 'GET',
      path: '/deployed-agents',
      access,
      reply: DeployedAgents,
      handle: async (call) => ({ items: (await listDeployed(deps, call.ctx.actor.tenantId)).map(toDeployed) }),
    }),
    tenantRoute({
      method: 'GET',
      path: ROOT,
      access,
      reply: DeployedAgent,
      async handle(call) {
        const found = await findAgent(call);
        if (!found.deployed) throw agentNotFound();
        return toDeployed(found);
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ROOT}/runs`,
      access,
      body: NewRun,
      handle: async (call) => sendEvents(call.reply, await startRun(deps, call, await deployed(call), 'chat')),
    }),
    ...ownRunRoutes(deps, { ...reached, agentOfFile: async (call) => (await deployed(call)).agent.id }),
    ...agentSessionRoutes(deps, reached),
    ...agentSourceRoutes(deps, reached),
  ];
}
