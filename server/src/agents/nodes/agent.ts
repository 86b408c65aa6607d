import { AgentDefinition, type NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { Citation, RunPart } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { graphOf } from '../definition/graph.ts';
import { namesInputData } from '../definition/message-text.ts';
import { deployedBySlug } from '../lifecycle/runnable.ts';
import { type Answers, openAnswers, type AnswerSink } from '../runs/answers.ts';
import { type Attached, hasUnfinished } from '../runs/execution.ts';
import { guardsOf, type NodeContext, runScope, type Scope } from '../runs/scope.ts';
import { InputRequired } from '../runs/input-required.ts';
import type { NodeRunDeps, NodeRunner } from './node.ts';
import { openStreamOut, type StreamOut } from './stream-out.ts';

/** Agents that call each other, the outermost counted. */
const MAX_DEPTH = 3;

interface ResolvedAgent {
  readonly agentId: string;
  readonly versionId: string;
  readonly definition: AgentDefinition;
}

type Context = NodeContext<NodeOf<'agent'>>;

/** What the node needs to go on after a crash. */
interface AgentCheckpoint {
  readonly versionId?: string;
  readonly attached?: Attached;
}
const checkpointOf = ({ step }: Context): AgentCheckpoint => step.kept ?? {};

/** The version that was begun with before a crash; else the one that is deployed now. */
async function resolveAgent({ db }: NodeRunDeps, context: Context, slug: string): Promise<ResolvedAgent> {
  const { tenantId } = context.execution.actor;
  const { versionId } = checkpointOf(context);
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
 * Streams the answers of the other agent into the part of the answer that this node streams. Null where it streams
 * none, and where what it said before a crash was not streamed.
 */
async function answersOf(
  context: Context,
  kept: AgentCheckpoint,
): Promise<{ out: StreamOut; speech: AnswerSink; answers: Answers } | null> {
  const { step, execution } = context;
  if (kept.versionId !== undefined && kept.attached === undefined) return null;
  const out = await openStreamOut(context, kept.attached?.from);
  if (out === null) return null;
  const { part, before } = out;
  const speech: AnswerSink = { textSoFar: () => part.textSoFar().slice(before), push: part.push, end: part.end };
  return { out, speech, answers: openAnswers(speech, hasUnfinished(execution.steps, `${step.key}/`), null) };
}

/** Runs another agent within this run; what it may spend is of this run. */
export const runAgent: NodeRunner<'agent'> = async (deps, context) => {
  const { node, step, scope, execution, text } = context;
  const kept = checkpointOf(context);
  const message = text(node.message);
  context.trace({ agent: node.agent, message });
  const { agentId, versionId, definition } = await resolveAgent(deps, context, node.agent);
  const { agents } = scope.flow;
  if (agents.includes(agentId)) throw new StudioError('unprocessable', 'Agents call each other in a circle');
  if (agents.length >= MAX_DEPTH)
    throw new StudioError('unprocessable', `Agents call each other more than ${MAX_DEPTH} deep`);
  const streams = await answersOf(context, kept);
  context.saveCheckpoint({ versionId, ...(streams === null ? {} : { attached: streams.out.attached }) });
  const flow: Scope['flow'] = {
    execution,
    graph: graphOf(definition),
    input: { text: message, files: scope.flow.input.files, data: dataFor(scope) },
    agents: [...agents, agentId],
    // It is deployed: it was approved.
    seesAll: true,
    guards: guardsOf(definition, scope.flow.guards),
    outermost: false,
    answers: streams?.answers ?? null,
    templates: new Map(),
    collected: [],
    parts: [],
  };
  try {
    await runScope(deps.scopes, {
      flow,
      container: null,
      prefix: `${step.key}/`,
      results: new Map(),
      locals: {},
      outer: null,
      streamed: new Map(),
    });
  } catch (error) {
    if (error instanceof InputRequired && streams !== null) streams.out.answers.suspend(streams.out.part);
    throw error;
  }
  const whole = streams === null ? joinTexts(flow.collected) : streams.speech.textSoFar();
  const passages: readonly Citation[] = execution.passages.citedIn(whole);
  return { text: whole, passages, ...broughtBy(flow.parts ?? []) };
};

/** Data of the message for the other agent: an agent that names them itself says what of them goes on. */
const dataFor = ({ flow }: Scope): unknown => (namesInputData(flow.graph) ? null : flow.input.data);

/** Data and files of the other agent's answer; of several pieces of data their list. */
function broughtBy(parts: readonly RunPart[]) {
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
  const files = parts.flatMap((part) => (part.kind === 'file' ? [part.file] : []));
  return { data: data.length > 1 ? data : (data[0] ?? null), files };
}

const joinTexts = (collected: Scope['flow']['collected']): string =>
  collected
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n');
