import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { Message } from '@ai-studio/contract/chat/request.ts';
import { hash } from 'node:crypto';
import { StudioError } from '../../../kernel/errors.ts';
import { type JsonText, toJsonText } from '../../../kernel/json-text.ts';
import type { NodeContext } from '../../runs/scope.ts';
import type { Tool } from '../../tools/index.ts';
import { type NodeRunDeps, type NodeRunner, callContextOf } from '../node.ts';
import { openStreamOut, type StreamOut } from '../stream-out.ts';
import { keepToolFiles, withFileNames } from '../tool-files.ts';
import { callModel, type ModelReply } from './call-model.ts';
import { takenCalls } from './calls.ts';
import { jsonOf } from './json-answer.ts';
import { firstMessages, continuationMessages, settingsOf, turnMessages } from './messages.ts';
import { givenFiles, withPictures } from './given-files.ts';
import { ReplayFilter } from './replay-filter.ts';
import { BETWEEN_TURNS, type SavedCall, type SavedTurn, checkpointOf, textOfTurns } from './turns.ts';

type Context = NodeContext<NodeOf<'model'>>;

/** The same for the same node of the same run, so that a model that is asked again says the same where it can. */
const seedOf = ({ execution, step }: Context): number =>
  Number.parseInt(hash('sha256', `${execution.row.id}/${step.key}`).slice(0, 7), 16);

/** Calls the model once. Text that callers already have from before a crash is not sent again. */
async function callModelOnce(
  { models }: NodeRunDeps,
  { execution, step, scope }: Context,
  body: Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] },
  out: {
    readonly push: (json: JsonText) => void;
    readonly sent: string;
    readonly onFailure: (said: ReplyText) => void;
  },
): Promise<ModelReply> {
  const { signal } = execution;
  const ask = (messages: readonly unknown[], onText: (json: JsonText) => boolean, own: AbortSignal) =>
    callModel(models, execution, {
      body: { ...body, messages },
      step,
      onText,
      onFailure: out.onFailure,
      signal: own,
      guards: scope.flow.guards,
    });
  if (out.sent === '')
    return ask(
      body.messages,
      (json) => {
        out.push(json);
        return true;
      },
      signal,
    );
  const replayed = new ReplayFilter(out.sent, out.push);
  const again = await ask(body.messages, (json) => replayed.text(json), signal);
  if (!replayed.differs) return again;
  const rest = await ask(
    [...body.messages, ...continuationMessages(out.sent)],
    (json) => {
      out.push(json);
      return true;
    },
    signal,
  );
  return { ...rest, content: out.sent + rest.content };
}

async function callTool(
  deps: NodeRunDeps,
  context: Context,
  tools: readonly Tool[],
  call: SavedCall,
  id: string,
): Promise<SavedCall> {
  const { execution } = context;
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return { ...call, text: `There is no tool ${JSON.stringify(call.name.slice(0, 64))}`, failed: true };
  const {
    text,
    result,
    failed,
    passages,
    files = [],
  } = await tool.call(call.arguments, {
    signal: execution.signal,
    idempotencyKey: `${execution.row.id}/${context.step.key}/${id}`,
    onPassages: (found) => execution.passages.number(found).map(({ number }) => number),
  });
  const kept = await keepToolFiles(deps, execution, `${context.step.key}/${id}`, files);
  return {
    ...call,
    text: withFileNames(text, kept),
    result,
    failed,
    ...(passages ? { passages: execution.passages.number(passages) } : {}),
    ...(kept.length > 0 ? { files: kept } : {}),
  };
}

/** Calls the tools of the last turn that have not ended, at the same time. Each one that ended is kept at once. */
async function callTools(
  deps: NodeRunDeps,
  context: Context,
  tools: readonly Tool[],
  turns: readonly SavedTurn[],
): Promise<SavedTurn> {
  const { execution, step } = context;
  const before = turns.slice(0, -1);
  let turn = turns.at(-1) ?? { content: '', reasoning: '', calls: [] };
  const save = () => context.saveCheckpoint({ ...checkpointOf(step), turns: [...before, turn] });
  save();
  // What is asked of others is known before they are asked: after a crash they are asked the same.
  await execution.log.written();
  // All have ended before the node has, also where one fails.
  const ends = await Promise.allSettled(
    turn.calls.map(async (call, at) => {
      if (call.text !== undefined) return;
      const ended = await callTool(deps, context, tools, call, `${before.length}.${at}`);
      turn = { ...turn, calls: turn.calls.map((one, index) => (index === at ? ended : one)) };
      save();
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return turn;
}

const isOpen = ({ calls }: SavedTurn) => calls.some(({ text }) => text === undefined);

/** What callers have of the turn that a crash cut off. */
function sentOf(out: StreamOut | null, said: string): string {
  if (out === null) return '';
  return out.sent.slice(said === '' ? 0 : said.length + BETWEEN_TURNS.length);
}

/** A piece of the model's text on its way out; a blank line stands between turns. */
function createTextSink(out: StreamOut | null, said: string, sent: string): (json: JsonText) => void {
  if (out === null) return () => undefined;
  let between = said !== '' && sent === '' && out.sent.length <= said.length;
  return (json) => {
    if (between) out.part.push(toJsonText(BETWEEN_TURNS));
    between = false;
    out.part.push(json);
  };
}

const parseArguments = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const toTracedCall = ({ name, arguments: args, result, failed, passages }: SavedCall) => ({
  name,
  arguments: parseArguments(args),
  result: result ?? null,
  failed: failed === true,
  ...(passages ? { passages } : {}),
});

type ReplyText = Pick<ModelReply, 'content' | 'reasoning'>;

interface Dialogue {
  readonly first: readonly Message[];
  readonly turns: SavedTurn[];
  readonly tools: readonly Tool[];
  readonly out: StreamOut | null;
  /** Told what was said of an answer that failed or was ended. */
  readonly onFailure: (said: ReplyText) => void;
}

/** What turns came to: what they said, one below the other, and their calls that ended. */
const outputsOf = (turns: readonly SavedTurn[], last: ReplyText) => ({
  text: textOfTurns([...turns.map(({ content }) => content), last.content]),
  reasoning: textOfTurns([...turns.map(({ reasoning }) => reasoning), last.reasoning]),
  calls: turns.flatMap(({ calls }) => calls.filter(({ text }) => text !== undefined).map(toTracedCall)),
  files: turns.flatMap(({ calls }) => calls.flatMap(({ files }) => files ?? [])),
});

/** Calls the model until it answers, and the tools that it asks for. `turns` holds the earlier turns; new ones are appended. */
async function runDialogue(
  deps: NodeRunDeps,
  context: Context,
  { first, turns, tools, out, onFailure }: Dialogue,
): Promise<ModelReply> {
  const { node } = context;
  const seed = seedOf(context);
  for (;;) {
    const last = turns.at(-1);
    if (last !== undefined && isOpen(last)) turns[turns.length - 1] = await callTools(deps, context, tools, turns);
    // On the last step the model may not call tools: it has to answer.
    const mayCall = tools.length > 0 && turns.length < node.max_steps - 1;
    const said = textOfTurns(turns.map(({ content }) => content));
    const sent = sentOf(out, said);
    const body = {
      ...settingsOf(node, deps.models.catalogue, tools, mayCall, seed),
      messages: [...first, ...turns.flatMap(turnMessages)],
    };
    const reply = await callModelOnce(deps, context, body, { push: createTextSink(out, said, sent), sent, onFailure });
    if (reply.calls.length === 0 || (!mayCall && reply.content.trim() !== '')) return reply;
    if (!mayCall)
      throw new StudioError(
        'unprocessable',
        `The model called tools again and again and gave no answer within ${node.max_steps} steps`,
        { reason: 'step_budget' },
      );
    turns.push({ content: reply.content, reasoning: reply.reasoning, calls: takenCalls(reply.calls, tools) });
  }
}

/** Calls a model, again after each turn with tool calls. */
export const runModel: NodeRunner<'model'> = async (deps, context) => {
  const { node, step } = context;
  const { attached } = checkpointOf(step);
  const given = await givenFiles(deps, context);
  const asked = await firstMessages(deps.models.catalogue, context, given);
  context.trace({
    model: node.model,
    messages: asked,
    ...(given.pictures.length > 0 ? { pictures: given.pictures.map(({ name }) => name) } : {}),
  });
  const first = withPictures(asked, given.pictures);
  const tools =
    node.tools.length === 0
      ? []
      : await deps.openTools(await callContextOf(deps, context), {
          choices: node.tools,
          files: context.scope.flow.input.files,
        });
  const out = await openStreamOut(context, attached?.from);
  if (out !== null && attached === undefined) context.saveCheckpoint({ ...checkpointOf(step), attached: out.attached });
  const turns: SavedTurn[] = [...checkpointOf(step).turns];
  let partialReply: ReplyText = { content: '', reasoning: '' };
  try {
    const reply = await runDialogue(deps, context, {
      first,
      turns,
      tools,
      out,
      onFailure: (said) => (partialReply = said),
    });
    // Whoever asked the agent as a model is told where its answer was cut.
    return { json: jsonOf(reply, node), ...outputsOf(turns, reply), ...(reply.cut ? { cut: true } : {}) };
  } catch (error) {
    // For the trace: how far it came.
    const begun = checkpointOf(step).turns;
    if (begun.length > 0 || partialReply.content !== '' || partialReply.reasoning !== '')
      step.outputs = outputsOf(begun, partialReply);
    throw error;
  }
};
