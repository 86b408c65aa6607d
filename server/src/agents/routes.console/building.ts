import {
  AgentChange,
  AgentDetails,
  AgentExportQuery,
  AgentHistory,
  AgentOptions,
  AgentPage,
  AgentQuery,
  AgentVersionDetails,
  AgentVersions,
  CheckDefinition,
  DefinitionCheckResult,
  DefinitionDifference,
  DifferenceQuery,
  NewAgent,
  RestoreDraft,
  SubmitAgent,
} from '@ai-studio/contract/console/agents.ts';
import { actorOf, contextOf } from '../../console-kit/allowance.ts';
import {
  archiveAgent,
  changeAgent,
  checkAgent,
  createAgent,
  deleteAgent,
  compareVersions,
  exportAgent,
  readAgentHistory,
  listAgents,
  listVersions,
  agentOptions,
  readVersion,
  restoreDraft,
  submitAgent,
  unarchiveAgent,
  withdrawAgent,
} from '../index.ts';
import { changeAndReadAgent, lifecycleOf, readAgentPage, withNames } from './builder.ts';
import { agentReviewRoutes } from './reviews.ts';
import { attachment } from '../../console-kit/attachment.ts';
import { type ConsoleRoute, paramOf, tenantRoute } from '../../console-kit/route.ts';
import type { AgentRouteDeps } from './deps.ts';

const ALL = '/agents';
const ONE = `${ALL}/:id`;

/** Agents as they are built: for developers and administrators. */
export function agentBuildingRoutes(deps: AgentRouteDeps): ConsoleRoute[] {
  const lifecycle = lifecycleOf(deps);

  return [
    tenantRoute({
      method: 'GET',
      path: '/agent-means',
      access: 'agents.build',
      reply: AgentOptions,
      handle: async (call) => agentOptions(lifecycle, await actorOf(deps, call)),
    }),
    tenantRoute({
      method: 'GET',
      path: ALL,
      access: 'agents.build',
      query: AgentQuery,
      reply: AgentPage,
      handle: ({ ctx, query }) => listAgents(deps, ctx.actor.tenantId, query),
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access: 'agents.build',
      body: NewAgent,
      reply: AgentDetails,
      async handle(call) {
        const ctx = await contextOf(deps, call);
        const id = await createAgent(lifecycle, ctx, call.body);
        void call.reply.status(201);
        return readAgentPage(deps, ctx.actor, call, id);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access: 'agents.build',
      reply: AgentDetails,
      handle: async (call) => readAgentPage(deps, await actorOf(deps, call), call, paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access: 'agents.build',
      body: AgentChange,
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => changeAgent(lifecycle, ctx, id, call.body)),
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access: 'agents.build',
      handle: async (call) => deleteAgent(lifecycle, await contextOf(deps, call), paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/check`,
      access: 'agents.build',
      body: CheckDefinition,
      reply: DefinitionCheckResult,
      async handle(call) {
        const person = await actorOf(deps, call);
        return { problems: [...(await checkAgent(lifecycle, person, paramOf(call, 'id'), call.body.definition))] };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/submit`,
      access: 'agents.build',
      body: SubmitAgent,
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => submitAgent(lifecycle, ctx, id, call.body)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/withdraw`,
      access: 'agents.build',
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => withdrawAgent(lifecycle, ctx, id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/archive`,
      access: 'agents.build',
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => archiveAgent(lifecycle, ctx, id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/unarchive`,
      access: 'agents.build',
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => unarchiveAgent(lifecycle, ctx, id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/restore`,
      access: 'agents.build',
      body: RestoreDraft,
      reply: AgentDetails,
      handle: (call) => changeAndReadAgent(deps, call, (ctx, id) => restoreDraft(lifecycle, ctx, id, call.body)),
    }),
    ...versionRoutes(deps),
    ...agentReviewRoutes(deps),
  ];
}

function versionRoutes(deps: AgentRouteDeps): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: `${ONE}/versions`,
      access: 'agents.build',
      reply: AgentVersions,
      handle: async (call) => ({ items: await listVersions(deps, call.ctx.actor.tenantId, paramOf(call, 'id')) }),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/versions/:version`,
      access: 'agents.build',
      reply: AgentVersionDetails,
      handle: async (call) =>
        withNames(
          deps,
          call,
          await readVersion(deps, call.ctx.actor.tenantId, paramOf(call, 'id'), paramOf(call, 'version')),
        ),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/difference`,
      access: 'agents.build',
      query: DifferenceQuery,
      reply: DefinitionDifference,
      handle: async (call) =>
        withNames(deps, call, await compareVersions(deps, call.ctx.actor.tenantId, paramOf(call, 'id'), call.query)),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/history`,
      access: 'agents.build',
      reply: AgentHistory,
      handle: (call) => readAgentHistory(deps, call.ctx.actor.tenantId, paramOf(call, 'id')),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/export`,
      access: 'agents.build',
      query: AgentExportQuery,
      async handle(call) {
        const { slug, file } = await exportAgent(
          deps,
          call.ctx.actor.tenantId,
          paramOf(call, 'id'),
          call.query.version,
        );
        void call.reply
          .type('application/json; charset=utf-8')
          .header('Content-Disposition', attachment(file.name, 'json', slug));
        return `${JSON.stringify(file, null, 2)}\n`;
      },
    }),
  ];
}
