import { AgentDefinition, type NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { graphOf } from '../definition/graph.ts';
import { deployedBySlug } from '../lifecycle/runnable.ts';
import { type Answers, openAnswers, type Speech } from '../runs/answers.ts';
import { type Attached, hasUnfinished } from '../runs/execution.ts';
import { guardsOf, type NodeContext, runScope, type Scope } from '../runs/scope.ts';
import { Waiting } from '../runs/waiting.ts';
import type { NodeRunDeps, NodeRunner } from './node.ts';
import { openStreamOut, type StreamOut } from './stream-out.ts';

/** Agents that call each other, the outermost counted. */
const MAX_DEPTH = 3;

interface Called {
  readonly agentId: string;
  readonly versionId: string;
  readonly definition: AgentDefinition;
}

type Context = NodeContext<NodeOf<'agent'>>;

/** What the node needs to go on after a crash. */
interface Kept {
  readonly versionId?: string;
  readonly attached?: Attached;
}
const keptOf = ({ step }: Context): Kept => step.kept ?? {};

/** The version that was begun with before a crash; else the one that is deployed now. */
async function called({ db }: NodeRunDeps, context: Context, slug: string): Promise<Called> {
  const { tenantId } = context.execution.actor;
  const { versionId } = keptOf(context);
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

/**
 * Where the answers of a called agent go as they are made: into the part of the answer that this node streams. Null where it streams
 * none, and where what it said before a crash was not streamed.
 */
async function answersOf(
  context: Context,
  kept: Kept,
): Promise<{ out: StreamOut; speech: Speech; answers: Answers } | null> {
  const { step, execution } = context;
  if (kept.versionId !== undefined && kept.attached === undefined) return null;
  const out = await openStreamOut(context, kept.attached?.from);
  if (out === null) return null;
  const { part, before } = out;
  const speech: Speech = { said: () => part.said().slice(before), push: part.push, end: part.end };
  return { out, speech, answers: openAnswers(speech, hasUnfinished(execution.steps, `${step.key}/`), null) };
}

/** Runs another agent within this run; what it may spend is of this run. */
export const runAgent: NodeRunner<'agent'> = async (means, context) => {
  const { node, step, scope, execution, text } = context;
  const kept = keptOf(context);
  const message = text(node.message);
  context.trace({ agent: node.agent, message });
  const { agentId, versionId, definition } = await called(means, context, node.agent);
  const { agents } = scope.flow;
  if (agents.includes(agentId)) throw new StudioError('unprocessable', 'Agents call each other in a circle');
  if (agents.length >= MAX_DEPTH)
    throw new StudioError('unprocessable', `Agents call each other more than ${MAX_DEPTH} deep`);
  const streams = await answersOf(context, kept);
  context.keep({ versionId, ...(streams === null ? {} : { attached: streams.out.attached }) });
  const flow: Scope['flow'] = {
    execution,
    graph: graphOf(definition),
    input: { text: message, files: scope.flow.input.files, data: null },
    agents: [...agents, agentId],
    // It is deployed: it was approved.
    seesAll: true,
    guards: guardsOf(definition, scope.flow.guards),
    outermost: false,
    answers: streams?.answers ?? null,
    templates: new Map(),
    said: [],
  };
  try {
    await runScope(means.scopes, {
      flow,
      container: null,
      prefix: `${step.key}/`,
      results: new Map(),
      locals: {},
      outer: null,
      streamed: new Map(),
    });
  } catch (error) {
    if (error instanceof Waiting && streams !== null) streams.out.answers.suspend(streams.out.part);
    throw error;
  }
  const whole = streams === null ? gathered(flow.said) : streams.speech.said();
  const passages: readonly Citation[] = execution.passages.citedIn(whole);
  return { text: whole, passages };
};

const gathered = (said: Scope['flow']['said']): string =>
  said
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
