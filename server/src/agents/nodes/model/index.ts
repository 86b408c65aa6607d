import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { Message } from '@ai-studio/contract/chat/request.ts';
import { hash } from 'node:crypto';
import { StudioError } from '../../../kernel/errors.ts';
import { type JsonText, toJsonText } from '../../../kernel/json-text.ts';
import type { NodeContext } from '../../runs/scope.ts';
import type { Tool } from '../../tools/index.ts';
import { type NodeRunDeps, type NodeRunner, contextOf } from '../node.ts';
import { openStreamOut, type StreamOut } from '../stream-out.ts';
import { askModel, type ModelReply } from './ask.ts';
import { firstMessages, goOnMessages, settingsOf, turnMessages } from './messages.ts';
import { Resumed } from './resumed.ts';
import { BETWEEN_TURNS, type KeptCall, type KeptTurn, keptOf, textOfTurns } from './turns.ts';

type Context = NodeContext<NodeOf<'model'>>;

/** The same for the same node of the same run, so that a model that is asked again says the same where it can. */
const seedOf = ({ execution, step }: Context): number =>
  Number.parseInt(hash('sha256', `${execution.row.id}/${step.key}`).slice(0, 7), 16);

/** Asks once. What callers have of this answer from before a crash is not said again. */
async function askOnce(
  { models }: NodeRunDeps,
  { execution, step, scope }: Context,
  body: Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] },
  out: { readonly push: (json: JsonText) => void; readonly sent: string; readonly onFailure: (said: Said) => void },
): Promise<ModelReply> {
  const { signal } = execution;
  const ask = (messages: readonly unknown[], onText: (json: JsonText) => boolean, own: AbortSignal) =>
    askModel(models, execution, {
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
  const resumed = new Resumed(out.sent, out.push);
  const again = await ask(body.messages, (json) => resumed.text(json), signal);
  if (!resumed.differs) return again;
  const rest = await ask(
    [...body.messages, ...goOnMessages(out.sent)],
    (json) => {
      out.push(json);
      return true;
    },
    signal,
  );
  return { ...rest, content: out.sent + rest.content };
}

async function callTool(context: Context, tools: readonly Tool[], call: KeptCall, id: string): Promise<KeptCall> {
  const { execution } = context;
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) return { ...call, text: `There is no tool ${JSON.stringify(call.name.slice(0, 64))}`, failed: true };
  const { text, result, failed, passages } = await tool.call(call.arguments, {
    signal: execution.signal,
    idempotencyKey: `${execution.row.id}/${context.step.key}/${id}`,
    onPassages: (found) => execution.passages.number(found).map(({ number }) => number),
  });
  return { ...call, text, result, failed, ...(passages ? { passages: execution.passages.number(passages) } : {}) };
}

/** Calls the tools of the last turn that have not ended, at the same time. Each one that ended is kept at once. */
async function callTools(context: Context, tools: readonly Tool[], turns: readonly KeptTurn[]): Promise<KeptTurn> {
  const { execution, step } = context;
  const before = turns.slice(0, -1);
  let turn = turns.at(-1) ?? { content: '', reasoning: '', calls: [] };
  const keep = () => context.keep({ ...keptOf(step), turns: [...before, turn] });
  keep();
  // What is asked of others is known before they are asked: after a crash they are asked the same.
  await execution.log.written();
  // All have ended before the node has, also where one fails.
  const ends = await Promise.allSettled(
    turn.calls.map(async (call, at) => {
      if (call.text !== undefined) return;
      const ended = await callTool(context, tools, call, `${before.length}.${at}`);
      turn = { ...turn, calls: turn.calls.map((one, index) => (index === at ? ended : one)) };
      keep();
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return turn;
}

const isOpen = ({ calls }: KeptTurn) => calls.some(({ text }) => text === undefined);

/** What callers have of the turn that a crash cut off. */
function sentOf(out: StreamOut | null, said: string): string {
  if (out === null) return '';
  return out.sent.slice(said === '' ? 0 : said.length + BETWEEN_TURNS.length);
}

/** A piece of the model's text on its way out; a blank line stands between turns. */
function pusher(out: StreamOut | null, said: string, sent: string): (json: JsonText) => void {
  if (out === null) return () => undefined;
  let between = said !== '' && sent === '' && out.sent.length <= said.length;
  return (json) => {
    if (between) out.part.push(toJsonText(BETWEEN_TURNS));
    between = false;
    out.part.push(json);
  };
}

function jsonOf(text: string, { node }: Context): unknown {
  if (node.schema === undefined) return null;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new StudioError('unprocessable', 'The model did not answer in the form that the node asks for', { cause });
  }
}

const argumentsOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const shown = ({ name, arguments: args, result, failed, passages }: KeptCall) => ({
  name,
  arguments: argumentsOf(args),
  result: result ?? null,
  failed: failed === true,
  ...(passages ? { passages } : {}),
});

type Said = Pick<ModelReply, 'content' | 'reasoning'>;

interface Talk {
  readonly first: readonly Message[];
  readonly turns: KeptTurn[];
  readonly tools: readonly Tool[];
  readonly out: StreamOut | null;
  /** Told what was said of an answer that failed or was ended. */
  readonly onFailure: (said: Said) => void;
}

/** What turns came to: what they said, one below the other, and their calls that ended. */
const gained = (turns: readonly KeptTurn[], last: Said) => ({
  text: textOfTurns([...turns.map(({ content }) => content), last.content]),
  reasoning: textOfTurns([...turns.map(({ reasoning }) => reasoning), last.reasoning]),
  calls: turns.flatMap(({ calls }) => calls.filter(({ text }) => text !== undefined).map(shown)),
});

/** Asks until there is an answer, calling the tools that are asked for. `turns` are those that went before, and grow. */
async function converse(
  means: NodeRunDeps,
  context: Context,
  { first, turns, tools, out, onFailure }: Talk,
): Promise<ModelReply> {
  const { node } = context;
  const seed = seedOf(context);
  for (;;) {
    const last = turns.at(-1);
    if (last !== undefined && isOpen(last)) turns[turns.length - 1] = await callTools(context, tools, turns);
    // Who may ask no more is to answer.
    const mayCall = tools.length > 0 && turns.length < node.max_steps - 1;
    const said = textOfTurns(turns.map(({ content }) => content));
    const sent = sentOf(out, said);
    const body = {
      ...settingsOf(node, means.models.catalogue, tools, mayCall, seed),
      messages: [...first, ...turns.flatMap(turnMessages)],
    };
    const reply = await askOnce(means, context, body, { push: pusher(out, said, sent), sent, onFailure });
    if (reply.calls.length === 0 || (!mayCall && reply.content.trim() !== '')) return reply;
    if (!mayCall)
      throw new StudioError(
        'unprocessable',
        `The model called tools again and again and gave no answer within ${node.max_steps} steps`,
        { reason: 'step_budget' },
      );
    turns.push({ content: reply.content, reasoning: reply.reasoning, calls: reply.calls });
  }
}

/** Asks a model, as often as it asks for tools. */
export const runModel: NodeRunner<'model'> = async (means, context) => {
  const { node, step } = context;
  const { attached } = keptOf(step);
  const first = await firstMessages(means.models.catalogue, context);
  context.trace({ model: node.model, messages: first });
  const tools =
    node.tools.length === 0
      ? []
      : await means.openTools(await contextOf(means, context), {
          choices: node.tools,
          files: context.scope.flow.input.files,
        });
  const out = await openStreamOut(context, attached?.from);
  if (out !== null && attached === undefined) context.keep({ ...keptOf(step), attached: out.attached });
  const turns: KeptTurn[] = [...keptOf(step).turns];
  let half: Said = { content: '', reasoning: '' };
  try {
    const reply = await converse(means, context, { first, turns, tools, out, onFailure: (said) => (half = said) });
    return { json: jsonOf(reply.content, context), ...gained(turns, reply) };
  } catch (error) {
    // For the trace: how far it came.
    const begun = keptOf(step).turns;
    if (begun.length > 0 || half.content !== '' || half.reasoning !== '') step.outputs = gained(begun, half);
    throw error;
  }
};
