import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { StudioError } from '../../kernel/errors.ts';
import { type NodeContext, renderIn, runScope, type Scope, valueIn } from '../runs/scope.ts';
import { InputRequired } from '../runs/input-required.ts';
import type { NodeRunDeps, NodeRunner } from './node.ts';
import { testsHold } from './tests.ts';

/** The nodes of a container, the time of this number. */
function inner({ scope, step, node }: NodeContext, at: number, locals: Scope['locals']): Scope {
  return {
    flow: scope.flow,
    container: node.id,
    prefix: `${step.key}[${at}]/`,
    results: new Map(),
    locals,
    outer: scope,
    streamed: new Map(),
  };
}

const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === '' ? [] : [value];
};

/** Goes through the nodes once for one item; resolves with what it gives. */
async function forItem(deps: NodeRunDeps, context: NodeContext<NodeOf<'parallel'>>, value: unknown, index: number) {
  const scope = inner(context, index, { item: { value, index } });
  await runScope(deps.scopes, scope);
  return valueIn(scope, context.node.result);
}

/** Runs its nodes for each item, several at a time. */
export const runParallel: NodeRunner<'parallel'> = async (deps, context) => {
  const { node, execution, result } = context;
  const items = listOf(result(node.items));
  context.trace({ items: items.length });
  if (items.length > node.most)
    throw new StudioError(
      'unprocessable',
      `There are ${items.length} items, and at most ${node.most} are taken; send fewer`,
    );
  const results: unknown[] = [];
  let next = 0;
  let waits = false;
  const work = async () => {
    for (let index = next++; index < items.length; index = next++) {
      execution.signal.throwIfAborted();
      try {
        results[index] = await forItem(deps, context, items[index], index);
      } catch (error) {
        if (!(error instanceof InputRequired)) throw error;
        waits = true;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(node.at_once, items.length) }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  if (waits) throw new InputRequired(null);
  return { results, count: items.length };
};

/** Runs its nodes again and again. */
export const runLoop: NodeRunner<'loop'> = async (deps, context) => {
  const { node, execution, value } = context;
  let variables = Object.fromEntries(node.variables.map(({ name, first }) => [name, value(first)]));
  context.trace(variables);
  for (let index = 0; index < node.most; index++) {
    execution.signal.throwIfAborted();
    const scope = inner(context, index, { loop: { ...variables, index } });
    await runScope(deps.scopes, scope);
    variables = Object.fromEntries(node.variables.map(({ name, next }) => [name, valueIn(scope, next)]));
    const after = { ...scope, locals: { loop: { ...variables, index } } };
    if (node.until.tests.length > 0 && testsHold(node.until, (text) => renderIn(after, text)))
      return { ...variables, count: index + 1 };
  }
  return { ...variables, count: node.most };
};
