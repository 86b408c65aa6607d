import { RunFile } from '@ai-studio/contract/agents/run.ts';
import {
  AgentFileQuery,
  AgentRun,
  FollowQuery,
  type NewRun,
  type RunStreamEvent,
} from '@ai-studio/contract/console/agent-talks.ts';
import { GiveFeedback } from '@ai-studio/contract/console/feedback.ts';
import {
  findOwnRun,
  rateRun,
  unrateRun,
  requireFiles,
  readAgentRun,
  requireOwnSession,
  type Runnable,
  type SessionScope,
} from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import { attachment } from '../../console-kit/attachment.ts';
import { sendUntrusted } from '../../console-kit/untrusted-file.ts';
import { admitPerson } from '../../console-kit/allowance.ts';
import { sendEvents } from '../../console-kit/event-stream.ts';
import { type AnyCall, type ConsoleRoute, paramOf, type TenantCall, tenantRoute } from '../../console-kit/route.ts';
import { cleanName, receiveUpload } from '../../console-kit/upload.ts';
import type { AgentRouteDeps, AgentRouteScope } from './deps.ts';

/** What the person of a call may see of an agent's sessions. */
export const scopeOf = (call: AnyCall, agentId: string, from: SessionScope['from']): SessionScope => ({
  ...call.ctx.actor,
  agentId,
  from,
});

/** The events of a run from a place on, and the run before and after them. Ends without a word when nobody reads any more. */
async function* eventsOf(
  deps: AgentRouteDeps,
  scope: SessionScope,
  { id, after, signal }: { readonly id: string; readonly after: number; readonly signal: AbortSignal },
): AsyncGenerator<RunStreamEvent, void> {
  const current = async () => ({ type: 'run' as const, run: await readAgentRun(deps, scope, id) });
  try {
    yield await current();
    yield* deps.agentRuns.runs.follow(id, after, signal);
    yield await current();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Begins a run, or goes on with one that asked, and tells what happens. Counts like a request of an API key. */
export async function startRun(
  deps: AgentRouteDeps,
  call: TenantCall<NewRun, unknown>,
  { agent, versionId, definition }: Runnable,
  from: SessionScope['from'],
): Promise<AsyncGenerator<RunStreamEvent, void>> {
  const { text, files, data = null, session_id: session, run_id: asked } = call.body;
  const scope = scopeOf(call, agent.id, from);
  const before = asked === undefined ? null : await findOwnRun(deps, scope, asked);
  const sessionId = before?.sessionId ?? session;
  if (sessionId !== undefined) await requireOwnSession(deps, scope, sessionId);
  const actor = await admitPerson(deps, call);
  const { run } = await deps.agentRuns.runs.start(actor, {
    agentId: agent.id,
    versionId,
    definition,
    sessionType: from === 'chat' ? 'chat' : 'test',
    ...(sessionId === undefined ? {} : { session: { id: sessionId } }),
    message: null,
    input: { text, files: await requireFiles(deps, scope, files), data },
    ...(asked === undefined ? {} : { continues: asked }),
  });
  return eventsOf(deps, scope, { id: run.id, after: before?.lastSeq ?? 0, signal: call.ctx.signal });
}

/** Ends a run of the person's own. What keys have begun is theirs to end. */
async function cancelOwnRun(deps: AgentRouteDeps, scope: SessionScope, id: string): Promise<AgentRun> {
  await findOwnRun(deps, scope, id);
  await deps.agentRuns.runs.cancel(scope.tenantId, scope.agentId, id);
  return readAgentRun(deps, scope, id);
}

/** Takes a file for an agent as it comes. */
async function takeAgentFile(
  deps: AgentRouteDeps,
  call: TenantCall<unknown, { readonly name: string; readonly size: number }>,
  agentId: string,
) {
  const { files } = deps.agentRuns;
  const { path, bytes: size, remove } = await receiveUpload(call, deps.agentRuns, () => admitPerson(deps, call));
  try {
    const name = cleanName(call.query.name) ?? 'file';
    return await files.store(call.ctx.actor, { agentId, path, name, size });
  } finally {
    await remove();
  }
}

/** A file of a run, to be saved. Errors: `not_found`. */
async function sendRunFile(deps: AgentRouteDeps, call: AnyCall, scope: SessionScope): Promise<Buffer> {
  const { runFiles } = deps.agentRuns;
  const { id } = await readAgentRun(deps, scope, paramOf(call, 'run'));
  const gone = () => new StudioError('not_found', 'There is no such file');
  const [file] = await runFiles.find(scope.tenantId, id, [paramOf(call, 'file')]);
  const bytes = file === undefined ? null : await runFiles.read(scope.tenantId, file, deps.agentRuns.maxBytes);
  if (file === undefined || bytes === null) throw gone();
  const at = file.name.lastIndexOf('.');
  const [title, extension] = at > 0 ? [file.name.slice(0, at), file.name.slice(at + 1)] : [file.name, 'bin'];
  void call.reply.header('Content-Disposition', attachment(title, extension.replaceAll(/[^\w-]/g, '_'), 'file'));
  return sendUntrusted(call.reply, { type: 'application/octet-stream', bytes });
}

/** What is going on in runs, their end, and files for messages. `agentOfFile` rejects where the agent takes none. */
export function ownRunRoutes(
  deps: AgentRouteDeps,
  {
    root,
    access,
    scopeOf: scopeOfCall,
    agentOfFile,
  }: AgentRouteScope & { agentOfFile(call: AnyCall): Promise<string> },
): ConsoleRoute[] {
  return [
    tenantRoute({
      method: 'GET',
      path: `${root}/runs/:run/events`,
      access,
      query: FollowQuery,
      async handle(call) {
        const scope = await scopeOfCall(call);
        const { id } = await readAgentRun(deps, scope, paramOf(call, 'run'));
        return sendEvents(call.reply, eventsOf(deps, scope, { id, after: call.query.after, signal: call.ctx.signal }));
      },
    }),
    tenantRoute({
      method: 'GET',
      path: `${root}/runs/:run/files/:file`,
      access,
      handle: async (call) => sendRunFile(deps, call, await scopeOfCall(call)),
    }),
    tenantRoute({
      method: 'POST',
      path: `${root}/runs/:run/cancel`,
      access,
      reply: AgentRun,
      handle: async (call) => cancelOwnRun(deps, await scopeOfCall(call), paramOf(call, 'run')),
    }),
    tenantRoute({
      method: 'PUT',
      path: `${root}/runs/:run/feedback`,
      access,
      body: GiveFeedback,
      reply: AgentRun,
      handle: async (call) => rateRun(deps, await scopeOfCall(call), paramOf(call, 'run'), call.body),
    }),
    tenantRoute({
      method: 'DELETE',
      path: `${root}/runs/:run/feedback`,
      access,
      handle: async (call) => unrateRun(deps, await scopeOfCall(call), paramOf(call, 'run')),
    }),
    tenantRoute({
      method: 'POST',
      path: `${root}/files`,
      access,
      takesFile: true,
      query: AgentFileQuery,
      reply: RunFile,
      async handle(call) {
        const file = await takeAgentFile(deps, call, await agentOfFile(call));
        void call.reply.status(201);
        return file;
      },
    }),
  ];
}
