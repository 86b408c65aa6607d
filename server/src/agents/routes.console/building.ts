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
  DefinitionChecked,
  DefinitionDifference,
  DifferenceQuery,
  NewAgent,
  RestoreDraft,
  SubmitAgent,
} from '@ai-studio/contract/console/agents.ts';
import {
  archiveAgent,
  changeAgent,
  checkAgent,
  createAgent,
  deleteAgent,
  differenceOf,
  exportAgent,
  historyOf,
  listAgents,
  listVersions,
  agentOptions,
  readVersion,
  restoreDraft,
  submitAgent,
  unarchiveAgent,
  withdrawAgent,
} from '../index.ts';
import { builderOf, changedAgent, lifecycleOf, shownAgent, withNames } from './builder.ts';
import { agentReviewRoutes } from './reviews.ts';
import { attachment } from '../../console-kit/attachment.ts';
import { type ConsoleRoute, partOf, tenantRoute } from '../../console-kit/route.ts';
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
      handle: async (call) => agentOptions(lifecycle, await builderOf(deps, call)),
    }),
    tenantRoute({
      method: 'GET',
      path: ALL,
      access: 'agents.build',
      query: AgentQuery,
      reply: AgentPage,
      handle: ({ ctx, query }) => listAgents(deps, ctx.tenantId, query),
    }),
    tenantRoute({
      method: 'POST',
      path: ALL,
      access: 'agents.build',
      body: NewAgent,
      reply: AgentDetails,
      async handle(call) {
        const person = await builderOf(deps, call);
        const id = await createAgent(lifecycle, person, call.body);
        void call.reply.status(201);
        return shownAgent(deps, person, call, id);
      },
    }),
    tenantRoute({
      method: 'GET',
      path: ONE,
      access: 'agents.build',
      reply: AgentDetails,
      handle: async (call) => shownAgent(deps, await builderOf(deps, call), call, partOf(call, 'id')),
    }),
    tenantRoute({
      method: 'PATCH',
      path: ONE,
      access: 'agents.build',
      body: AgentChange,
      reply: AgentDetails,
      handle: (call) => changedAgent(deps, call, (person, id) => changeAgent(lifecycle, person, id, call.body)),
    }),
    tenantRoute({
      method: 'DELETE',
      path: ONE,
      access: 'agents.build',
      handle: async (call) => deleteAgent(lifecycle, await builderOf(deps, call), partOf(call, 'id')),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/check`,
      access: 'agents.build',
      body: CheckDefinition,
      reply: DefinitionChecked,
      async handle(call) {
        const person = await builderOf(deps, call);
        return { problems: [...(await checkAgent(lifecycle, person, partOf(call, 'id'), call.body.definition))] };
      },
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/submit`,
      access: 'agents.build',
      body: SubmitAgent,
      reply: AgentDetails,
      handle: (call) => changedAgent(deps, call, (person, id) => submitAgent(lifecycle, person, id, call.body)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/withdraw`,
      access: 'agents.build',
      reply: AgentDetails,
      handle: (call) => changedAgent(deps, call, (person, id) => withdrawAgent(lifecycle, person, id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/archive`,
      access: 'agents.build',
      reply: AgentDetails,
      handle: (call) => changedAgent(deps, call, (person, id) => archiveAgent(lifecycle, person, id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/unarchive`,
      access: 'agents.build',
      reply: AgentDetails,
      handle: (call) => changedAgent(deps, call, (person, id) => unarchiveAgent(lifecycle, person, id)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${ONE}/restore`,
      access: 'agents.build',
      body: RestoreDraft,
      reply: AgentDetails,
      handle: (call) => changedAgent(deps, call, (person, id) => restoreDraft(lifecycle, person, id, call.body)),
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
      handle: async (call) => ({ items: await listVersions(deps, call.ctx.tenantId, partOf(call, 'id')) }),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/versions/:version`,
      access: 'agents.build',
      reply: AgentVersionDetails,
      handle: async (call) =>
        withNames(deps, call, await readVersion(deps, call.ctx.tenantId, partOf(call, 'id'), partOf(call, 'version'))),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/difference`,
      access: 'agents.build',
      query: DifferenceQuery,
      reply: DefinitionDifference,
      handle: async (call) =>
        withNames(deps, call, await differenceOf(deps, call.ctx.tenantId, partOf(call, 'id'), call.query)),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/history`,
      access: 'agents.build',
      reply: AgentHistory,
      handle: (call) => historyOf(deps, call.ctx.tenantId, partOf(call, 'id')),
    }),
    tenantRoute({
      method: 'GET',
      path: `${ONE}/export`,
      access: 'agents.build',
      query: AgentExportQuery,
      async handle(call) {
        const { slug, file } = await exportAgent(deps, call.ctx.tenantId, partOf(call, 'id'), call.query.version);
        void call.reply
          .type('application/json; charset=utf-8')
          .header('Content-Disposition', attachment(file.name, 'json', slug));
        return `${JSON.stringify(file, null, 2)}\n`;
      },
    }),
  ];
}
