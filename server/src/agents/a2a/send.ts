import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import { ParseError, sniffFormat } from '@ai-studio/documents';
import { sql } from 'kysely';
import type { Principal } from '../../kernel/actor.ts';
import { typeByName } from '../media-types.ts';
import { storable } from '../runs/json.ts';
import { RunError } from '../runs/run-error.ts';
import type { RunRequest, RunSnapshot, StartedRun } from '../runs/types.ts';
import type { IncomingFile, SendCall } from './calls.ts';
import type { AgentContext } from './context.ts';
import type { A2aDeps } from './deps.ts';
import { hashOf } from './content.ts';
import { A2aError } from './errors.ts';
import { outputModes, readsFiles, takesFiles } from './modes.ts';
import { acceptsOf } from './parts.ts';
import type { A2aWire } from './form.ts';
import { readTask } from './read-task.ts';

// A message becomes a run, joins one, or answers the question of one.

/** The failure of a run's request in the codes of A2A. */
function a2aErrorOf(error: RunError): A2aError {
  switch (error.refusal) {
    case 'not_waiting_for_input':
      return new A2aError('unsupported', 'The task does not wait for an answer; send the message without taskId', {
        cause: error,
      });
    case 'unknown_session':
      return wrongAt('params.metadata.chat_session_id or params.message.contextId', error);
    case 'message_id_used':
      return wrongAt('params.message', error);
  }
}

const wrongAt = (place: string, error: RunError) =>
  new A2aError('params', `${place}: ${error.message}`, { cause: error });

/** Whose contexts a caller can name: those of the service, and of the own key. */
export const ownersOf = ({ keyId }: Principal): string[] => (keyId === null ? [''] : ['', keyId]);

/** Two names of one session must mean the same. */
async function requireOneSession({ db }: A2aDeps, { actor, agent }: AgentContext, id: number, contextId: string) {
  const row = await db.query
    .selectFrom('agent_sessions')
    .select('id')
    .where('tenant_id', '=', actor.tenantId)
    .where('agent_id', '=', agent.agent.id)
    .where('id', '=', id)
    .where('context_id', '=', storable(contextId))
    .where('context_owner', 'in', ownersOf(actor))
    .executeTakeFirst();
  if (row === undefined)
    throw new A2aError(
      'params',
      'params.message.contextId and params.metadata.chat_session_id name no session together',
    );
}

async function isKnownContext({ db }: A2aDeps, { actor, agent }: AgentContext, contextId: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('agent_sessions')
    .select('id')
    .where('tenant_id', '=', actor.tenantId)
    .where('agent_id', '=', agent.agent.id)
    .where('type', '=', 'api')
    .where('context_id', '=', storable(contextId))
    .where('context_owner', 'in', ownersOf(actor))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function sessionOf(
  deps: A2aDeps,
  ctx: AgentContext,
  { sessionId, message: { contextId } }: SendCall,
  { door }: A2aWire,
): Promise<NonNullable<RunRequest['session']> | null> {
  if (sessionId === null) {
    if (contextId === null) return null;
    const { keyId } = ctx.actor;
    if (door === 'interface' || keyId === null || (await isKnownContext(deps, ctx, contextId))) return { contextId };
    return { ownContextId: contextId, owner: keyId };
  }
  if (contextId !== null) await requireOneSession(deps, ctx, sessionId, contextId);
  return { id: sessionId };
}

/** Files that answer a question go to whoever asked. */
function requireFilesTaken({ agent }: AgentContext, { message }: SendCall, answers: boolean): void {
  if (message.files.length === 0 || answers) return;
  if (takesFiles(agent.definition)) return;
  throw new A2aError('contentType', 'This agent takes no files');
}

/** Media types of texts; facts may stand beside them as JSON. */
const isText = (mode: string) => /^(?:text\b|markdown$|\*|application\/(?:json|\*))/i.test(mode.trim());

/** Throws A2aError `contentType` where the caller takes nothing of what the agent says. */
function requireOutputTaken({ agent }: AgentContext, { outputModes: modes }: SendCall): void {
  if (modes === null || modes.length === 0 || modes.some(isText)) return;
  const given = outputModes(agent.definition);
  if (given.some(acceptsOf(modes))) return;
  throw new A2aError(
    'contentType',
    `The answers of this agent are ${given.join(', ')}: name one of these among the output modes that you accept`,
  );
}

/** Throws A2aError `contentType` for a file that no reader reads, `params` for one that is locked, damaged or empty. */
function requireReadable({ agent }: AgentContext, name: string, bytes: Buffer): void {
  if (!readsFiles(agent.definition)) return;
  try {
    sniffFormat(bytes, name);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const message = `The file ${JSON.stringify(name)} cannot be read: ${error.message}`;
    throw new A2aError(error.code === 'UNSUPPORTED' ? 'contentType' : 'params', message, { cause: error });
  }
}

const ANY_TYPE = 'application/octet-stream';

/** Media type of a file that was fetched: as the message, its server or the end of its name says. */
export function fetchedType({ name, mediaType }: Pick<IncomingFile, 'name' | 'mediaType'>, served: string): string {
  const said = mediaType === ANY_TYPE ? served : mediaType;
  return said === '' || said === ANY_TYPE ? typeByName(name) : said;
}

async function storeIncomingFile(deps: A2aDeps, ctx: AgentContext, file: IncomingFile): Promise<RunFile> {
  const { actor, agent, signal } = ctx;
  const { name, content } = file;
  const isHere = 'bytes' in content;
  const { bytes, type } = isHere ? { ...content, type: file.mediaType } : await deps.fetchFile(content.url, signal);
  const mediaType = isHere ? type : fetchedType(file, type);
  requireReadable(ctx, name, bytes);
  return deps.storeFile(actor, agent.agent.id, { name, mediaType, bytes });
}

/** Whether the message has been sent before: its files need not be kept again. */
async function isDuplicate(
  { db }: A2aDeps,
  { agent }: AgentContext,
  { message }: SendCall,
  hash: string,
): Promise<boolean> {
  if (message.files.length === 0) return false;
  const row = await db.query
    .selectFrom('agent_messages')
    .select('run_id')
    .where('agent_id', '=', agent.agent.id)
    .where('message_id', '=', message.id)
    .where('hash', '=', hash)
    .where('expires_at', '>=', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row !== undefined;
}

async function filesOf(deps: A2aDeps, ctx: AgentContext, call: SendCall, hash: string): Promise<RunFile[]> {
  if (await isDuplicate(deps, ctx, call, hash)) return [];
  const files: RunFile[] = [];
  // One after the other: they may be large.
  for (const file of call.message.files) files.push(await storeIncomingFile(deps, ctx, file));
  return files;
}

/** The task of a session that waits for an answer: clients that know sessions alone answer it by naming its session. */
async function waitingTask(
  deps: A2aDeps,
  ctx: AgentContext,
  { sessionId, message: { contextId } }: SendCall,
): Promise<RunSnapshot | null> {
  if (sessionId === null && contextId === null) return null;
  const row = await deps.db.query
    .selectFrom('agent_runs')
    .innerJoin('agent_sessions', 'agent_sessions.id', 'agent_runs.session_id')
    .select('agent_runs.id')
    .where('agent_runs.tenant_id', '=', ctx.actor.tenantId)
    .where('agent_runs.agent_id', '=', ctx.agent.agent.id)
    .where('agent_runs.state', '=', 'input-required')
    .where('agent_sessions.type', '=', 'api')
    .$if(sessionId !== null, (query) => query.where('agent_sessions.id', '=', sessionId ?? 0))
    .$if(contextId !== null, (query) =>
      query
        .where('agent_sessions.context_id', '=', storable(contextId ?? ''))
        .where('agent_sessions.context_owner', 'in', ownersOf(ctx.actor)),
    )
    .orderBy('agent_runs.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : readTask(deps, ctx, row.id);
}

/** The task that a message goes on with. Throws A2aError `taskNotFound`, `params`. */
async function continuedTask(deps: A2aDeps, ctx: AgentContext, call: SendCall): Promise<RunSnapshot | null> {
  const { taskId, contextId } = call.message;
  if (taskId === null) return waitingTask(deps, ctx, call);
  const task = await readTask(deps, ctx, taskId);
  if (contextId !== null && contextId !== task.contextId)
    throw new A2aError('params', 'params.message.contextId is not that of the task');
  if (call.sessionId !== null && call.sessionId !== task.sessionId)
    throw new A2aError('params', 'params.metadata.chat_session_id is not that of the task');
  return task;
}

/**
 * `named`: the message names the task that it answers. One that names the session alone, and whose question somebody else has answered at
 * the same moment, is a task of its own.
 */
async function startRequest(
  { runs }: Pick<A2aDeps, 'runs'>,
  actor: Principal,
  { continues, ...request }: RunRequest,
  named: boolean,
): Promise<StartedRun> {
  try {
    return await runs.start(actor, continues === undefined ? request : { ...request, continues });
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    if (named || error.refusal !== 'not_waiting_for_input') throw a2aErrorOf(error);
    return startRequest({ runs }, actor, request, true);
  }
}

/** Plain A2A knows no duplicates: an id that said something else before is a new message. */
async function startOrRepeat(
  deps: A2aDeps,
  { actor }: AgentContext,
  request: RunRequest,
  named: boolean,
  { door }: A2aWire,
): Promise<StartedRun> {
  try {
    return await startRequest(deps, actor, request, named);
  } catch (error) {
    const isUsed =
      error instanceof A2aError && error.cause instanceof RunError && error.cause.refusal === 'message_id_used';
    if (door === 'interface' || !isUsed) throw error;
    return startRequest(deps, actor, { ...request, message: null }, named);
  }
}

/**
 * Starts what a message asks for. `after`: where the events that belong to it begin. Throws A2aError `params`, `contentType`,
 * `taskNotFound`, `unsupported`, and what runs throw.
 */
export async function startMessage(
  deps: A2aDeps,
  ctx: AgentContext,
  call: SendCall,
  wire: A2aWire,
): Promise<StartedRun & { readonly after: number }> {
  const { agent } = ctx;
  const { message } = call;
  const task = await continuedTask(deps, ctx, call);
  const session = task === null ? await sessionOf(deps, ctx, call, wire) : { id: task.sessionId };
  requireFilesTaken(ctx, call, task !== null);
  requireOutputTaken(ctx, call);
  if (call.push !== null) await deps.push.check(call.push);
  const hash = await hashOf(message);
  const files = await filesOf(deps, ctx, call, hash);
  const request: RunRequest = {
    agentId: agent.agent.id,
    versionId: agent.versionId,
    definition: agent.definition,
    sessionType: 'api',
    ...(session === null ? {} : { session }),
    message: { id: message.id, hash },
    input: { text: message.text, files, data: message.data, message_id: message.id },
    ...(task === null ? {} : { continues: task.id }),
  };
  const started = await startOrRepeat(deps, ctx, request, message.taskId !== null, wire);
  const { run, joined } = started;
  if (call.push !== null) await deps.push.set(ctx, run.id, call.push, wire);
  // What a run said before it asked was told to the one who began it.
  return { run, joined, after: run.id === task?.id && !joined ? run.lastSeq : 0 };
}
