import type { RunFile, RunUsage } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import { invalidRequest } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { CallPriority } from '../../kernel/priority.ts';
import type { Database } from '../../ports/database.ts';
import type { A2aDeps } from '../a2a/deps.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import { RunError } from '../runs/run-error.ts';
import type { AgentRuns, RunRequest, RunSnapshot } from '../runs/types.ts';
import { findConversation } from './conversation.ts';
import { lastingMessage } from './lasting.ts';
import type { AgentChat } from './read-chat.ts';

export interface StartChatDeps {
  readonly db: Database;
  readonly runs: AgentRuns;
  readonly storeFile: A2aDeps['storeFile'];
}

/** How a chat is begun. */
export interface ChatStart {
  /**
   * Names the chat where it is asked again after the process that asked was gone, which finds the run of the first time. The run then goes
   * on when its caller goes away, as others come back for it.
   */
  readonly lasting?: string;
  /** How soon its models are to serve it; `interactive` when left out. */
  readonly priority?: CallPriority | undefined;
}

export interface StartedChat {
  readonly run: RunSnapshot;
  /** The event before the first that belongs to the chat. */
  readonly after: number;
  /** What its models had used by then. */
  readonly usedBefore: RunUsage;
}

const NOTHING: RunUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

/** Whether the messages of an agent may bring files. */
export const agentTakesFiles = ({ definition: { nodes } }: Pick<Deployed, 'definition'>): boolean =>
  nodes.some((node) => node.kind === 'input' && node.files);

/** Throws StudioError `invalid_request` where files come that the agent has no use for. */
function requireFilesTaken(agent: Deployed, { files }: AgentChat): void {
  if (files.length === 0 || agentTakesFiles(agent)) return;
  throw invalidRequest('This agent takes no images or files', 'messages');
}

async function storeFiles({ storeFile }: StartChatDeps, actor: Principal, agentId: string, { files }: AgentChat) {
  const stored: RunFile[] = [];
  // One after the other: they may be large.
  for (const file of files) stored.push(await storeFile(actor, agentId, file));
  return stored;
}

/** The event of the last question of a run that was answered; 0 where none was. */
async function lastAnswered({ query }: Database, { id, state }: RunSnapshot): Promise<number> {
  const questions = await query
    .selectFrom('agent_events')
    .select('seq')
    .where('run_id', '=', id)
    .where(sql<boolean>`body->>'type' = 'state' AND body->>'state' = 'input-required'`)
    .orderBy('seq', 'desc')
    .limit(2)
    .execute();
  return Number(questions[state === 'input-required' ? 1 : 0]?.seq ?? 0);
}

/** Starts a run, or gives it the place of one before; without that place where it is gone meanwhile. */
async function startAt(
  deps: StartChatDeps,
  actor: Principal,
  request: RunRequest,
  before: RunSnapshot | null,
): Promise<StartedChat> {
  const { db, runs } = deps;
  try {
    if (before?.state === 'input-required') {
      const answer = { ...request, session: { id: before.sessionId }, continues: before.id };
      const { run } = await runs.start(actor, answer);
      return { run, after: run.lastSeq, usedBefore: run.usage };
    }
    const place = before === null ? {} : { session: { id: before.sessionId } };
    const { run, joined } = await runs.start(actor, { ...request, ...place });
    // It was asked before by another process, and goes on from the question that it answered then.
    const after = joined && run.id === before?.id ? await lastAnswered(db, run) : 0;
    return { run, after, usedBefore: NOTHING };
  } catch (error) {
    if (before === null || !(error instanceof RunError)) throw error;
    // Somebody else answered the question, or the session is gone.
    return startAt(deps, actor, request, before.state === 'input-required' ? { ...before, state: 'working' } : null);
  }
}

/**
 * Starts what a chat asks of an agent: the answer to a question that its conversation ends with, else a run that is told what was said
 * before. `lasting` names it, so that it is started once. Throws StudioError `invalid_request`, and what runs throw.
 */
export async function startChat(
  deps: StartChatDeps,
  actor: Principal,
  agent: Deployed,
  chat: AgentChat,
  { lasting, priority }: ChatStart,
): Promise<StartedChat> {
  const agentId = agent.agent.id;
  const knownId = await findConversation(deps.db, actor, agentId, chat.history);
  const before = knownId === null ? null : await deps.runs.read(actor.tenantId, agentId, knownId);
  // Files that answer a question go to whoever asked.
  if (before?.state !== 'input-required') requireFilesTaken(agent, chat);
  const files = await storeFiles(deps, actor, agentId, chat);
  const request: RunRequest = {
    agentId,
    versionId: agent.versionId,
    definition: agent.definition,
    sessionType: 'api',
    message: lasting === undefined ? null : lastingMessage(lasting),
    input: { text: chat.text, files, data: null, history: [...chat.history] },
    priority,
  };
  return startAt(deps, actor, request, before);
}
