import type { Admission } from '../inference/index.ts';
import type { AgentRun, NewRun, RunStreamEvent } from '@ai-studio/contract/console/agents.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AgentFileStore,
  type AgentRuns,
  endOfOwnRun,
  filesOf,
  readAgentRun,
  requireOwnSession,
  type Runnable,
  type SessionScope,
} from '../agents/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { type AllowanceDeps, allowanceOf } from '../identity/index.ts';
import { receive, tooLarge } from './parser.ts';
import { type CollectionsDeps, reserve } from './retrieval-common.ts';
import type { TenantCall } from './route.ts';

/** What runs of agents work with in the console. */
export interface AgentRunsDeps {
  readonly runs: AgentRuns;
  readonly files: AgentFileStore;
  /** Largest file. */
  readonly maxBytes: number;
  /** Where files lie until they are kept. */
  readonly folder: string;
}

export interface AgentRunRouteDeps extends AllowanceDeps {
  readonly agentRuns: AgentRunsDeps;
  readonly collections: CollectionsDeps;
  readonly admission: Admission;
}

type AnyCall = TenantCall<unknown, unknown>;

/** What the person of a call may see of an agent's sessions. */
export const scopeOf = ({ ctx, person }: AnyCall, agentId: string, from: SessionScope['from']): SessionScope => ({
  tenantId: ctx.tenantId,
  userId: person.userId,
  agentId,
  from,
});

/** The events of a run from a place on, and the run before and after them. Ends without a word when nobody reads any more. */
export async function* eventsOf(
  deps: AgentRunRouteDeps,
  scope: SessionScope,
  { id, after, signal }: { readonly id: string; readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<RunStreamEvent, void> {
  const told = async () => ({ type: 'run' as const, run: await readAgentRun(deps, scope, id) });
  try {
    yield await told();
    yield* deps.agentRuns.runs.follow(id, after, signal);
    yield await told();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Begins a run, or goes on with one that asked, and tells what happens. Counts like a request of an API key. */
export async function beginRun(
  deps: AgentRunRouteDeps,
  call: TenantCall<NewRun, unknown>,
  { agent, versionId, definition }: Runnable,
  from: SessionScope['from'],
): Promise<AsyncGenerator<RunStreamEvent, void>> {
  const { text, files, data = null, session_id: session, run_id: asked } = call.body;
  const scope = scopeOf(call, agent.id, from);
  const before = asked === undefined ? null : await endOfOwnRun(deps, scope, asked);
  const sessionId = before?.sessionId ?? session;
  if (sessionId !== undefined) await requireOwnSession(deps, scope, sessionId);
  await reserve(deps, call);
  const { models } = await allowanceOf(deps, scope.tenantId);
  const { run } = await deps.agentRuns.runs.start(
    {
      tenantId: scope.tenantId,
      keyId: null,
      userId: scope.userId,
      allowedModels: models,
      requestId: call.origin.requestId,
    },
    {
      agentId: agent.id,
      versionId,
      definition,
      sessionType: from === 'chat' ? 'chat' : 'test',
      ...(sessionId === undefined ? {} : { session: { id: sessionId } }),
      message: null,
      input: { text, files: await filesOf(deps, scope, files), data },
      ...(asked === undefined ? {} : { continues: asked }),
    },
  );
  return eventsOf(deps, scope, { id: run.id, after: before?.lastSeq ?? 0, signal: call.ctx.signal });
}

/** Ends a run of the person's own. What keys have begun is theirs to end. */
export async function cancelOwnRun(deps: AgentRunRouteDeps, scope: SessionScope, id: string): Promise<AgentRun> {
  await endOfOwnRun(deps, scope, id);
  await deps.agentRuns.runs.cancel(scope.tenantId, scope.agentId, id);
  return readAgentRun(deps, scope, id);
}

/** Takes a file for an agent as it comes. */
export async function takeAgentFile(
  deps: AgentRunRouteDeps,
  call: TenantCall<unknown, { readonly name: string; readonly size: number }>,
  agentId: string,
) {
  const { maxBytes, folder, files } = deps.agentRuns;
  const { request, query, signal, ctx, person } = call;
  const body = request.body as Readable | null | undefined;
  if (typeof body?.pipe !== 'function')
    throw new StudioError('unsupported_media_type', 'The Content-Type must be application/octet-stream');
  try {
    if (query.size > maxBytes) throw tooLarge(maxBytes);
    await reserve(deps, call);
  } catch (error) {
    body.resume();
    throw error;
  }
  const place = await mkdtemp(join(folder, 'upload-'));
  try {
    const path = join(place, 'file');
    const size = await receive(body, path, maxBytes, signal);
    const name = query.name.replaceAll(/[\0-\u001F\u007F]/g, ' ').trim() || 'file';
    const owner = { tenantId: ctx.tenantId, agentId, keyId: null, userId: person.userId };
    return await files.store({ ...owner, path, name, size });
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
