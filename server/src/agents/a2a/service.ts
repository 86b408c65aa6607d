import { readAiPresence } from '../../identity/index.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aCall, SendCall } from './calls.ts';
import { renderCard } from './cards.ts';
import type { AgentContext } from './context.ts';
import type { A2aDeps } from './deps.ts';
import { openStream, type StreamOutcome } from './open-stream.ts';
import { A2aError } from './errors.ts';
import { isLast } from './events.ts';
import { followTask } from './follow.ts';
import type { A2aWire } from './form.ts';
import { listTasks } from './list-tasks.ts';
import type { PushConfig } from './push/configs.ts';
import { renderPush } from './push/render.ts';
import { acceptsOf, createLoadPart, type LoadPart, loadParts } from './parts.ts';
import { readTask } from './read-task.ts';
import { startMessage } from './send.ts';
import { renderTask, type TaskShape } from './tasks.ts';
import { readExchanges } from './replies.ts';

/** What a request is answered with. */
export type A2aOutcome = { readonly kind: 'reply'; readonly result: unknown } | StreamOutcome;

/** What HTTP knows of a call beside its body. */
export interface A2aRequestInfo {
  /** Last-Event-ID: the half before a number is after a question. */
  readonly lastEventId: number | null;
  /** Ends the waiting for a run; the task is answered as it stands. */
  readonly stopWaiting: AbortSignal;
}

const whole = { historyLength: null, artifacts: true };

/** What loads parts of answers for a caller who takes these media types; null: all. */
const loaderFor = ({ readFile }: A2aDeps, { actor }: AgentContext, modes: readonly string[] | null = null): LoadPart =>
  createLoadPart(readFile, actor.tenantId, acceptsOf(modes));

/** A task with what was asked and answered in it, and what its answer brings. */
async function taskOf(
  deps: A2aDeps,
  ctx: AgentContext,
  wire: A2aWire,
  run: RunSnapshot,
  shape: TaskShape,
  modes: readonly string[] | null = null,
): Promise<object> {
  const asks = shape.historyLength !== 0 && ctx.agent.definition.nodes.some(({ kind }) => kind === 'ask');
  return renderTask(wire, run, {
    ...shape,
    ...(asks ? { exchanges: await readExchanges(deps.db, run.id) } : {}),
    ...(shape.artifacts ? { parts: await loadParts(loaderFor(deps, ctx, modes), run.parts) } : {}),
  });
}
const reply = (result: unknown): A2aOutcome => ({ kind: 'reply', result });

/** A run that failed before anything of it was sent. Source: decisions section 4, "failure while running". */
const failed = ({ id, contextId, failure }: RunSnapshot) =>
  new A2aError('internal', failure?.message ?? 'The agent failed', { facts: { taskId: id, contextId } });

/** Waits until a run has ended or asks; resolves early with `stopWaiting`. Throws once the caller has gone. */
async function untilLast(
  { runs }: A2aDeps,
  runId: string,
  after: number,
  gone: AbortSignal,
  stopWaiting: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([gone, stopWaiting]);
  try {
    // Only its end matters here.
    for await (const { last } of followTask(runs, runId, after, signal)) if (last) return;
  } catch (error) {
    gone.throwIfAborted();
    // Runs are let go when the service stops; another process takes them up.
    const stopping = error instanceof StudioError && error.code === 'unavailable';
    if (!stopWaiting.aborted && !stopping) throw error;
  }
}

async function send(
  deps: A2aDeps,
  ctx: AgentContext,
  call: SendCall,
  wire: A2aWire,
  { stopWaiting }: A2aRequestInfo,
): Promise<A2aOutcome> {
  const { run: started, after } = await startMessage(deps, ctx, call, wire);
  let run = started;
  if (!call.atOnce && !isLast(run.state)) {
    await untilLast(deps, run.id, after, ctx.signal, stopWaiting);
    run = await readTask(deps, ctx, run.id);
  }
  // Plain A2A tells of it by the task.
  if (run.state === 'failed' && !call.atOnce && wire.door === 'interface') throw failed(run);
  const task = await taskOf(
    deps,
    ctx,
    wire,
    run,
    { historyLength: call.historyLength, artifacts: true },
    call.outputModes,
  );
  return reply(wire.form === '0.3' ? task : { task });
}

async function cancel(deps: A2aDeps, ctx: AgentContext, taskId: string, wire: A2aWire): Promise<A2aOutcome> {
  await readTask(deps, ctx, taskId);
  try {
    const run = await deps.runs.cancel(ctx.actor.tenantId, ctx.agent.agent.id, taskId);
    return reply(await taskOf(deps, ctx, wire, run, whole));
  } catch (error) {
    if (error instanceof StudioError && error.code === 'conflict')
      throw new A2aError('taskNotCancelable', 'The task has ended', { facts: { taskId }, cause: error });
    throw error;
  }
}

async function subscribe(
  deps: A2aDeps,
  ctx: AgentContext,
  taskId: string,
  after: number | null,
  wire: A2aWire,
): Promise<A2aOutcome> {
  const run = await readTask(deps, ctx, taskId);
  // One that was cut gets what it has missed, also of a task that has ended meanwhile. Source: A2A 1.0, section 3.1.6.
  if (wire.form === '1.0' && after === null && isLast(run.state) && run.state !== 'input-required')
    throw new A2aError(
      'unsupported',
      'The task has ended; read it with GetTask, or name the last event in Last-Event-ID',
      {
        facts: { taskId },
      },
    );
  return openStream(deps, wire, run, after, loaderFor(deps, ctx));
}

/** Tasks one after the other: with their answers they may be large. */
async function listed(deps: A2aDeps, ctx: AgentContext, wire: A2aWire, runs: readonly RunSnapshot[], shape: TaskShape) {
  const tasks: object[] = [];
  for (const run of runs) tasks.push(await taskOf(deps, ctx, wire, run, shape));
  return tasks;
}

async function list(
  deps: A2aDeps,
  ctx: AgentContext,
  call: Extract<A2aCall, { verb: 'list' }>,
  wire: A2aWire,
): Promise<A2aOutcome> {
  const { tasks, nextPageToken, total } = await listTasks(deps, ctx, call);
  return reply({
    tasks: await listed(deps, ctx, wire, tasks, call),
    nextPageToken,
    pageSize: call.size,
    totalSize: total,
  });
}

/** An address; at the doors of the card one that is not there is as a task that is not. Source: A2A 1.0, section 3.1.8. */
async function getPush(
  { push }: A2aDeps,
  ctx: AgentContext,
  { taskId, configId }: Extract<A2aCall, { verb: 'push-get' }>,
  { door }: A2aWire,
): Promise<PushConfig> {
  try {
    return await push.get(ctx, taskId, configId);
  } catch (error) {
    if (door === 'interface' || !(error instanceof A2aError)) throw error;
    throw new A2aError('taskNotFound', error.message, { facts: { taskId }, cause: error });
  }
}

/** Takes an address away; at the doors of the card also one that is gone already. Source: A2A 1.0, section 3.1.10. */
async function deletePush(
  { push }: A2aDeps,
  ctx: AgentContext,
  { taskId, configId }: Extract<A2aCall, { verb: 'push-delete' }>,
  { door }: A2aWire,
): Promise<void> {
  try {
    await push.delete(ctx, taskId, configId);
  } catch (error) {
    if (door === 'interface' || !(error instanceof A2aError)) throw error;
  }
}

/** Answers calls of A2A to a deployed agent. */
export function createA2a(deps: A2aDeps) {
  const { push } = deps;
  return {
    /** Throws A2aError, and StudioError of what lies below. */
    async answer(ctx: AgentContext, call: A2aCall, wire: A2aWire, asked: A2aRequestInfo): Promise<A2aOutcome> {
      const { form } = wire;
      const ownTask = (id: string) => readTask(deps, ctx, id);
      switch (call.verb) {
        case 'send':
          return send(deps, ctx, call, wire, asked);
        case 'stream': {
          const { run, joined, after } = await startMessage(deps, ctx, call, wire);
          const load = loaderFor(deps, ctx, call.outputModes);
          return openStream(deps, wire, run, joined ? (asked.lastEventId ?? after) : after, load);
        }
        case 'get': {
          const shape = { historyLength: call.historyLength, artifacts: true };
          return reply(await taskOf(deps, ctx, wire, await ownTask(call.taskId), shape));
        }
        case 'list':
          return list(deps, ctx, call, wire);
        case 'cancel':
          return cancel(deps, ctx, call.taskId, wire);
        case 'subscribe':
          return subscribe(deps, ctx, call.taskId, asked.lastEventId ?? call.after, wire);
        case 'push-set': {
          await ownTask(call.taskId);
          await push.check(call.push);
          return reply(renderPush(form, call.taskId, await push.set(ctx, call.taskId, call.push, wire)));
        }
        case 'push-get': {
          await ownTask(call.taskId);
          return reply(renderPush(form, call.taskId, await getPush(deps, ctx, call, wire)));
        }
        case 'push-list': {
          await ownTask(call.taskId);
          const configs = (await push.list(ctx, call.taskId)).map((one) => renderPush(form, call.taskId, one));
          return reply(form === '0.3' ? configs : { configs, nextPageToken: '' });
        }
        case 'push-delete': {
          await ownTask(call.taskId);
          await deletePush(deps, ctx, call, wire);
          return reply(form === '0.3' ? null : {});
        }
        case 'card':
          return reply(
            renderCard(form, ctx.agent, {
              url: ctx.url,
              extended: true,
              ai: await readAiPresence(deps, ctx.actor.tenantId),
            }),
          );
      }
    },
  };
}
export type A2a = ReturnType<typeof createA2a>;
