import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { Database } from '../../ports/database.ts';
import type { A2aDeps } from '../a2a/deps.ts';
import type { Deployed } from '../lifecycle/runnable.ts';
import { RunError } from '../runs/run-error.ts';
import type { AgentRuns, RunRequest, RunSnapshot } from '../runs/types.ts';
import { findConversation } from './conversation.ts';
import type { AgentChat } from './read-chat.ts';

export interface StartChatDeps {
  readonly db: Database;
  readonly runs: AgentRuns;
  readonly storeFile: A2aDeps['storeFile'];
}

export interface StartedChat {
  readonly run: RunSnapshot;
  /** The event before the first that belongs to the chat. */
  readonly after: number;
}

/** Throws StudioError `invalid_request` where files come that the agent has no use for. */
function requireFilesTaken({ definition: { nodes } }: Deployed, { files }: AgentChat): void {
  if (files.length === 0 || nodes.some((node) => node.kind === 'input' && node.files)) return;
  throw invalidRequest('This agent takes no images or files', 'messages');
}

async function storeFiles({ storeFile }: StartChatDeps, actor: Principal, agentId: string, { files }: AgentChat) {
  const stored: RunFile[] = [];
  // One after the other: they may be large.
  for (const file of files) stored.push(await storeFile(actor, agentId, file));
  return stored;
}

/** Starts a run, or gives it the place of one before; without that place where it is gone meanwhile. */
async function startAt(
  runs: AgentRuns,
  actor: Principal,
  request: RunRequest,
  before: RunSnapshot | null,
): Promise<StartedChat> {
  try {
    if (before?.state === 'input-required') {
      const answer = { ...request, session: { id: before.sessionId }, continues: before.id };
      const { run } = await runs.start(actor, answer);
      return { run, after: run.lastSeq };
    }
    const place = before === null ? {} : { session: { id: before.sessionId } };
    return { run: (await runs.start(actor, { ...request, ...place })).run, after: 0 };
  } catch (error) {
    if (before === null || !(error instanceof RunError)) throw error;
    // Somebody else answered the question, or the session is gone.
    return startAt(runs, actor, request, before.state === 'input-required' ? { ...before, state: 'working' } : null);
  }
}

/**
 * Starts what a chat asks of an agent: the answer to a question that its conversation ends with, else a run that is told what was said
 * before. Throws StudioError `invalid_request`, and what runs throw.
 */
export async function startChat(
  deps: StartChatDeps,
  actor: Principal,
  agent: Deployed,
  chat: AgentChat,
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
    message: null,
    input: { text: chat.text, files, data: null, history: [...chat.history] },
  };
  return startAt(deps.runs, actor, request, before);
}
