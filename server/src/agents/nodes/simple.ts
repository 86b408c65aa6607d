import type { RunInput } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { Spend } from '../../privacy/index.ts';
import type { Graph } from '../definition/graph.ts';
import { InputRequired } from '../runs/input-required.ts';
import type { NodeRunner } from './node.ts';
import { testsHold } from './tests.ts';

/** Refuses a draft with a circle on its way: no node of it would ever begin, and the run would end without an answer. */
function refuseCircle(graph: Graph, input: string): void {
  const reached = new Set([input]);
  // The set grows while it is walked.
  for (const id of reached) {
    if (graph.stuck.has(id)) {
      const name = graph.nodes.get(id)?.name || id;
      throw new StudioError('conflict', `Edges lead round in a circle before ${name}: use a loop node`);
    }
    for (const { to } of graph.out(id)) reached.add(to);
    for (const child of graph.children(id)) reached.add(child.id);
  }
}

/** Gives what the message brought. */
export const runInput: NodeRunner<'input'> = async (_deps, { node, scope, execution }) => {
  const { input, outermost, graph } = scope.flow;
  refuseCircle(graph, node.id);
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
  const reply = (step.kept as { readonly reply?: RunInput } | null)?.reply;
  if (reply === undefined) throw new InputRequired(text(node.question));
  return { ...reply };
};
