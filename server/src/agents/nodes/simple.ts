import { StudioError } from '../../kernel/errors.ts';
import type { Spend } from '../../privacy/index.ts';
import { attachedOf } from '../runs/execution.ts';
import type { NodeContext } from '../runs/scope.ts';
import { InputRequired } from '../runs/input-required.ts';
import type { NodeRunner } from './node.ts';
import { testsHold } from './tests.ts';

/** Gives what the message brought. */
export const runInput: NodeRunner<'input'> = async (_deps, { node, scope, execution }) => {
  const { input, outermost } = scope.flow;
  if (input.files.length > 0 && outermost && !node.files)
    throw new StudioError('invalid_request', 'This agent takes no files; send the message without them');
  return { ...input, history: outermost ? await execution.history() : [] };
};

/** Chooses a way out. */
export const runCondition: NodeRunner<'condition'> = (_deps, { node, text }) => ({
  branch: node.cases.find((one) => testsHold(one, text))?.branch ?? 'else',
});

/** Masks personal values. */
export const runMask: NodeRunner<'mask_pii'> = async ({ mask }, { node, text, execution, step, trace }) => {
  const given = text(node.text);
  trace({ text: given });
  const onTokens: Spend = ({ promptTokens, completionTokens }) =>
    execution.spend(step, { prompt_tokens: promptTokens, completion_tokens: completionTokens });
  return { ...(await mask(execution.actor, { text: given, types: node.types ?? null, onTokens })) };
};

/** Asks the person, and gives what the next message brought. */
export const runAsk: NodeRunner<'ask'> = (_deps, { node, step, text }) => {
  const reply = (step.kept as { readonly reply?: Readonly<Record<string, unknown>> } | null)?.reply;
  if (reply === undefined) throw new InputRequired(text(node.question));
  return reply;
};

/** Where another node began to stream this answer, before a crash. */
function begunAt({ scope, execution, step, node }: NodeContext): number | undefined {
  return scope.flow.graph
    .into(node.id)
    .map(({ from }) => attachedOf(execution.steps.get(`${scope.prefix}${from}`)))
    .find((attached) => attached?.answer === step.key)?.from;
}

/** Sends its text to the caller. */
export const runAnswer: NodeRunner<'answer'> = async (_deps, context) => {
  const { node, scope, execution, text } = context;
  const said = text(node.text);
  const { answers } = scope.flow;
  if (answers === null) {
    scope.flow.collected.push({ text: said, at: Date.now() });
    return { text: said };
  }
  const part = scope.streamed.get(node.id) ?? (await answers.begin(execution.signal, begunAt(context)));
  answers.finish(part, said, node.citations);
  return { text: said };
};
