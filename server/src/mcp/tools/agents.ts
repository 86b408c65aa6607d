import type { Citation, RunEvent } from '@ai-studio/contract/agents/run.ts';
import { AgentInput, AgentOutput } from '@ai-studio/contract/mcp/tools.ts';
import {
  type AgentRuns,
  type Deployed,
  deployedBySlug,
  followTask,
  listDeployed,
  type RunFileStore,
  type StartedTurn,
  startTurn,
} from '../../agents/index.ts';
import type { z } from 'zod';
import { StudioError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Database } from '../../ports/database.ts';
import { documentUrl, type McpCaller } from '../caller.ts';
import { fileBlocks, fileUri } from '../run-files.ts';
import { defineTool, type Tool, type ToolCall } from '../tool.ts';

export interface AgentToolDeps {
  readonly db: Database;
  readonly runs: AgentRuns;
  readonly files: Pick<RunFileStore, 'read' | 'findOwn'>;
  readonly log: Logger;
}

/** Names of tools that are agents: this, and the slug. */
const PREFIX = 'agent_';
/** What can be a slug at all; no other text reaches the database. */
const SLUG = /^[A-Za-z0-9_-]{1,100}$/;
/** How often a client is told that an agent is still at work: its own time limit may be short. */
const STILL_AT_WORK_MS = 10_000;
/** Characters of an answer between two notes of its progress. */
const TOLD_LENGTH = 400;

const citationOf =
  (caller: McpCaller) =>
  ({ number, collection_id: collectionId, document_id: documentId, document_name, page, content }: Citation) => ({
    number,
    id: documentId,
    title: document_name,
    url: documentUrl(caller, { collectionId, documentId }),
    page,
    text: content,
  });

/** Says what a run does, as it does it. */
function createTeller(progress: ToolCall['progress']) {
  let written = 0;
  let told = 0;
  return (event: RunEvent): void => {
    if (event.type === 'step_begin') progress(`${event.kind}: ${event.step}`);
    if (event.type !== 'text') return;
    written += event.text.length;
    if (told !== 0 && written - told < TOLD_LENGTH) return;
    told = written;
    progress(`Writing the answer, ${written} characters so far`);
  };
}

/** Waits until a run has ended or asks. Throws the reason of the signal. */
async function untilLast({ runs }: AgentToolDeps, { run, after }: StartedTurn, call: ToolCall): Promise<void> {
  const tell = createTeller(call.progress);
  const timer = setInterval(() => call.progress('Still at work'), STILL_AT_WORK_MS);
  try {
    for await (const { event, last } of followTask(runs, run.id, after, call.signal)) {
      if (last) return;
      tell(event);
    }
  } finally {
    clearInterval(timer);
  }
}

/** Ends the run that nobody waits for any more; one that the service lets go is taken up elsewhere. */
async function endRun(
  { runs, log }: AgentToolDeps,
  { ctx: { actor, requestId } }: McpCaller,
  { agent }: Deployed,
  runId: string,
): Promise<void> {
  try {
    await runs.cancel(actor.tenantId, agent.id, runId);
  } catch (error) {
    if (error instanceof StudioError && error.code === 'conflict') return;
    log.warn({ requestId, err: error }, 'MCP: a run was not cancelled');
  }
}

/** Whether the call ended because the service stops. */
const isStopping = ({ reason }: AbortSignal): boolean => reason instanceof StudioError && reason.code === 'unavailable';

/** An agent as a tool. A call that is cancelled ends its run. */
const agentTool = (deps: AgentToolDeps, deployed: Deployed): Tool => {
  const { agent, definition } = deployed;
  return defineTool({
    name: PREFIX + agent.slug,
    title: agent.name,
    description: `${agent.description.trim() || agent.name}\n\nAn agent of this organisation. It may ask back: state is then input_required, and the same tool with session_id takes the reply.`,
    scope: 'agents',
    isSlow: true,
    input: AgentInput,
    output: AgentOutput,
    annotations: annotationsOf(definition),
    async run({ message, session_id: sessionId = null }, call) {
      const { caller, signal } = call;
      const { actor } = caller.ctx;
      const turn = await startTurn(deps, actor, deployed, { text: message, sessionId });
      try {
        await untilLast(deps, turn, call);
      } catch (error) {
        if (signal.aborted && !isStopping(signal)) await endRun(deps, caller, deployed, turn.run.id);
        throw error;
      }
      const run = await deps.runs.read(actor.tenantId, agent.id, turn.run.id);
      if (run.state === 'canceled') throw new StudioError('conflict', 'The run was cancelled');
      if (run.state === 'failed')
        throw new StudioError('unprocessable', run.failure?.message ?? 'The agent failed, and does not say why');
      return {
        state: run.state === 'input-required' ? ('input_required' as const) : ('completed' as const),
        answer: run.answer,
        question: run.state === 'input-required' ? run.question : null,
        session_id: run.sessionId,
        citations: run.citations.map(citationOf(caller)),
        data: run.parts.flatMap((part) => (part.kind === 'data' ? [{ name: part.name, data: part.data }] : [])),
        files: run.parts.flatMap((part) => (part.kind === 'file' ? [{ ...part.file, uri: fileUri(part.file) }] : [])),
      };
    },
    tell: textsOf,
    attach: ({ files }, { caller }) => fileBlocks(deps.files, caller, files),
  });
};

/** Kinds by which an agent reaches beyond the service: tools of servers, and other agents that may have such. */
const REACHING = new Set<unknown>(['server', 'tool', 'agent']);

/** Whether a definition holds anything that reaches beyond the service, also within containers. */
function reachesOut(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return ('kind' in part && REACHING.has(part.kind)) || Object.values(part).some(reachesOut);
}

/** Tools of an agent may change things elsewhere; a conversation is kept in any case. */
function annotationsOf({ nodes }: Deployed['definition']) {
  const mayChange = reachesOut(nodes);
  return { readOnlyHint: false, destructiveHint: mayChange, idempotentHint: false, openWorldHint: mayChange };
}

/** Longest data that stand in the text too, which is all that some clients read. */
const MAX_DATA_LENGTH = 100_000;

function dataText({ name, data }: z.infer<typeof AgentOutput>['data'][number]): string {
  const json = JSON.stringify(data) ?? 'null';
  const shown = json.length > MAX_DATA_LENGTH ? `${json.length} characters of JSON, in structuredContent` : json;
  return `${name}:\n${shown}`;
}

function textsOf({
  state,
  answer,
  question,
  session_id: id,
  citations,
  data,
}: z.infer<typeof AgentOutput>): readonly string[] {
  const sources = citations.map(
    ({ number, title, page, url }) => `[${number}] ${title}${page === null ? '' : `, page ${page}`}: ${url}`,
  );
  return [
    ...(answer === '' ? [] : [answer]),
    ...data.map(dataText),
    ...(sources.length === 0 ? [] : [`Sources:\n${sources.join('\n')}`]),
    state === 'input_required'
      ? `The agent asks: ${question ?? ''}\nCall this tool again with session_id ${id} and the reply in message.`
      : `To go on with this conversation, call this tool again with session_id ${id}.`,
  ];
}

/** The agents that are deployed for the caller's tenant, by name. */
export async function listAgentTools(deps: AgentToolDeps, { ctx }: McpCaller): Promise<readonly Tool[]> {
  return (await listDeployed(deps, ctx.actor.tenantId)).map((deployed) => agentTool(deps, deployed));
}

/** The agent that a name of a tool names; null where there is none that is deployed. */
export async function findAgentTool(deps: AgentToolDeps, { ctx }: McpCaller, name: string): Promise<Tool | null> {
  const slug = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  if (!SLUG.test(slug)) return null;
  const found = await deployedBySlug(deps, ctx.actor.tenantId, slug);
  return found?.deployed === true ? agentTool(deps, found) : null;
}
