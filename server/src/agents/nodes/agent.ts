import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { graphOf } from '../definition/graph.ts';
import { deployedBySlug } from '../lifecycle/runnable.ts';
import { type NodeContext, runScope, type Scope } from '../runs/scope.ts';
import type { NodeMeans, NodeRunner } from './node.ts';

/** Agents that call each other, the outermost counted. */
const DEEPEST = 3;

interface Called {
  readonly agentId: string;
  readonly versionId: string;
  readonly definition: AgentDefinition;
}

/** The version that was begun with before a crash; else the one that is deployed now. */
async function called({ db }: NodeMeans, { step, execution }: NodeContext, slug: string): Promise<Called> {
  const { tenantId } = execution.caller;
  const { versionId } = (step.kept ?? {}) as { readonly versionId?: string };
  if (versionId !== undefined) {
    const row = await db.query
      .selectFrom('agent_versions')
      .select(['agent_id', 'definition'])
      .where('id', '=', versionId)
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    if (row) return { agentId: row.agent_id, versionId, definition: AgentDefinition.parse(row.definition) };
  }
  const found = await deployedBySlug({ db }, tenantId, slug);
  if (found?.deployed !== true)
    throw new StudioError('not_found', `The agent ${JSON.stringify(slug)} is not there or not deployed`);
  return { agentId: found.agent.id, versionId: found.versionId, definition: found.definition };
}

/** Runs another agent within this run; what it may spend is of this run. */
export const runAgent: NodeRunner<'agent'> = async (means, context) => {
  const { node, step, scope, execution, text } = context;
  const message = text(node.message);
  context.trace({ agent: node.agent, message });
  const { agentId, versionId, definition } = await called(means, context, node.agent);
  const { agents } = scope.flow;
  if (agents.includes(agentId)) throw new StudioError('unprocessable', 'Agents call each other in a circle');
  if (agents.length >= DEEPEST)
    throw new StudioError('unprocessable', `Agents call each other more than ${DEEPEST} deep`);
  context.keep({ versionId });
  const flow: Scope['flow'] = {
    execution,
    graph: graphOf(definition),
    input: { text: message, files: scope.flow.input.files, data: null },
    agents: [...agents, agentId],
    // It is deployed: it was approved.
    seesAll: true,
    outermost: false,
    templates: new Map(),
    said: [],
  };
  await runScope(means.scopes, {
    flow,
    container: null,
    prefix: `${step.key}/`,
    results: new Map(),
    locals: {},
    outer: null,
    streamed: new Map(),
  });
  const said = flow.said.toSorted((a, b) => a.at - b.at).map((one) => one.text);
  const whole = said.filter((one) => one !== '').join('\n\n');
  const passages: readonly Citation[] = execution.passages.citedIn(whole);
  return { text: whole, passages };
};
