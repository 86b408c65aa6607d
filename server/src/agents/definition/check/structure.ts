import type { AgentDefinition, AgentNodeForm, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { MAX_CONTAINER_DEPTH, MAX_RUN_STEPS, edgeKey, type Graph } from '../graph.ts';
import { problem, warning } from './problem.ts';

/** Names that mean something else inside of containers. */
const RESERVED = new Set(['item', 'loop']);
const isContainer = ({ kind }: AgentNodeForm) => kind === 'parallel' || kind === 'loop';

/** Whether a definition is a graph that can run: its ids, edges, containers and ways. */
export function* structureProblems(definition: AgentDefinition, graph: Graph): Generator<DefinitionProblem> {
  yield* nodeProblems(definition);
  yield* containerProblems(graph);
  yield* edgeProblems(definition, graph);
  yield* pathProblems(graph);
}

function* nodeProblems({ nodes }: AgentDefinition): Generator<DefinitionProblem> {
  const seen = new Set<string>();
  for (const { id, ...node } of nodes) {
    if (seen.has(id)) yield problem('id_taken', `Two nodes have the id ${id}`, { node: id, field: 'id' });
    if (RESERVED.has(id))
      yield problem('id_taken', `${id} is a name of its own inside of containers`, { node: id, field: 'id' });
    seen.add(id);
    if (node.kind === 'loop') yield* variableProblems(id, node.variables);
  }
  const inputs = nodes.filter(({ kind }) => kind === 'input');
  if (inputs.length === 0) yield problem('no_input', 'An agent begins at an input node');
  for (const { id } of inputs.slice(1)) yield problem('many_inputs', 'An agent has one input node', { node: id });
  if (!nodes.some(({ kind }) => kind === 'answer')) yield problem('no_answer', 'An agent needs an answer node');
}

function* variableProblems(
  node: string,
  variables: readonly { readonly name: string }[],
): Generator<DefinitionProblem> {
  const seen = new Set(['index', 'count']);
  for (const [index, { name }] of variables.entries()) {
    const field = `variables.${index}.name`;
    if (seen.has(name)) yield problem('id_taken', `The name ${name} is taken in this loop`, { node, field });
    seen.add(name);
  }
}

function* containerProblems(graph: Graph): Generator<DefinitionProblem> {
  for (const node of graph.nodes.values()) {
    const { id, kind, parent } = node;
    const at = { node: id, field: 'parent' };
    const chain = graph.containers(id);
    if (parent !== undefined) {
      const container = graph.nodes.get(parent);
      const inItself = chain.some((one) => graph.nodes.get(one)?.parent === id) || parent === id;
      if (container === undefined || !isContainer(container))
        yield problem('bad_parent', `${parent} is no loop or parallel node`, at);
      else if (inItself) yield problem('bad_parent', 'A node cannot stand in itself', at);
      else if (kind === 'input') yield problem('bad_parent', 'The input node stands in no other node', at);
      if (kind === 'ask') yield problem('ask_inside', 'A node that asks back cannot stand in another node', at);
    }
    if (!isContainer(node)) continue;
    if (chain.length >= MAX_CONTAINER_DEPTH)
      yield problem('too_deep', `Nodes stand in each other at most ${MAX_CONTAINER_DEPTH} deep`, at);
    if (graph.children(id).length === 0) yield problem('empty_container', 'No node stands in it', { node: id });
  }
}

function* edgeProblems({ edges }: AgentDefinition, graph: Graph): Generator<DefinitionProblem> {
  const seen = new Set<string>();
  for (const [index, edge] of edges.entries()) {
    const at = { node: edge.from, field: `edges.${index}` };
    const from = graph.nodes.get(edge.from);
    const to = graph.nodes.get(edge.to);
    if (from === undefined || to === undefined) {
      const missing = from === undefined ? edge.from : edge.to;
      yield problem('unknown_node', `An edge names a node that is not there: ${missing}`, {
        node: from === undefined ? null : edge.from,
        field: at.field,
      });
      continue;
    }
    const name = `${edge.from} → ${edge.to}`;
    if (seen.has(edgeKey(edge))) yield problem('edge_twice', `The edge ${name} is there twice`, at);
    seen.add(edgeKey(edge));
    if (to.kind === 'input') yield problem('edge_into_input', `Nothing comes before the input node: ${name}`, at);
    if (from.kind === 'answer') yield problem('edge_from_answer', `Nothing comes after an answer: ${name}`, at);
    if (from.parent !== to.parent)
      yield problem('edge_across', `An edge cannot lead into or out of a container: ${name}`, at);
    yield* branchProblems(from, edge.branch, name, at);
  }
}

function* branchProblems(
  from: AgentNodeForm,
  branch: string | undefined,
  name: string,
  at: { node: string; field: string },
): Generator<DefinitionProblem> {
  if (from.kind !== 'condition') {
    if (branch !== undefined) yield problem('unknown_branch', `Only a condition has branches: ${name}`, at);
    return;
  }
  if (branch === undefined)
    yield problem('branch_missing', `Say at which branch of the condition it leaves: ${name}`, at);
  else if (!branchesOf(from).has(branch))
    yield problem('unknown_branch', `The condition has no branch ${branch}: ${name}`, at);
}

const branchesOf = ({ cases }: Extract<AgentNodeForm, { kind: 'condition' }>) =>
  new Set([...cases.map(({ branch }) => branch), 'else']);

/** Reports cycles, unreachable nodes, and paths that end before an answer. */
function* pathProblems(graph: Graph): Generator<DefinitionProblem> {
  const reached = reachedFromInput(graph);
  for (const node of graph.nodes.values()) {
    const { id } = node;
    const onTop = graph.containers(id).length === 0;
    if (graph.stuck.has(id)) {
      yield problem('cycle', 'Edges lead round in a circle before this node: use a loop node', { node: id });
      continue;
    }
    if (onTop && !reached.has(id)) {
      yield problem('unreachable', 'No edge leads from the input to this node', { node: id });
      continue;
    }
    if (!onTop || node.kind === 'answer') continue;
    const out = graph.out(id);
    if (node.kind === 'condition') {
      const taken = new Set(out.map(({ branch }) => branch));
      for (const branch of branchesOf(node))
        if (!taken.has(branch)) yield warning('no_way_out', `The branch ${branch} leads to no answer`, { node: id });
    } else if (out.length === 0) yield warning('no_way_out', 'Nothing comes after this node', { node: id });
  }
}

function reachedFromInput(graph: Graph): ReadonlySet<string> {
  const reached = new Set([...graph.nodes.values()].filter(({ kind }) => kind === 'input').map(({ id }) => id));
  // The set grows while it is walked.
  for (const id of reached) for (const { to } of graph.out(id)) reached.add(to);
  return reached;
}

/** Most branches of parallels at the same time. */
const MAX_CONCURRENCY = 64;

/** Whether loops and parallels, one in the other, stay within what a run may do. */
export function* workProblems(graph: Graph): Generator<DefinitionProblem> {
  let steps = 0;
  for (const { id, kind } of graph.nodes.values()) {
    let times = 1;
    let atOnce = 1;
    for (const one of [id, ...graph.containers(id)]) {
      const container = graph.nodes.get(one);
      if (container?.kind !== 'loop' && container?.kind !== 'parallel') continue;
      if (one !== id) times *= container.most;
      if (container.kind === 'parallel') atOnce *= container.at_once;
    }
    steps += times;
    if (kind === 'parallel' && atOnce > MAX_CONCURRENCY)
      yield problem('too_much_work', `Up to ${atOnce} times at once; at most ${MAX_CONCURRENCY}`, {
        node: id,
        field: 'at_once',
      });
  }
  if (steps > MAX_RUN_STEPS)
    yield problem(
      'too_much_work',
      `A run could have ${steps} steps, with all loops and parallels; at most ${MAX_RUN_STEPS}: let them repeat less`,
    );
}
