import type { AgentDefinition, AgentEdge, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';

/** What makes two edges the same; also the id of an edge on the canvas. */
export const edgeKey = ({ from, to, branch }: AgentEdge): string => `${from} ${to} ${branch ?? ''}`;

/** Indexes of lists, cached by identity: lists are immutable. */
const byId = new WeakMap<readonly AgentNodeForm[], ReadonlyMap<string, AgentNodeForm>>();
const predecessorIndex = new WeakMap<readonly AgentEdge[], ReadonlyMap<string, readonly string[]>>();

export function nodeOf(
  { nodes }: Pick<AgentDefinition, 'nodes'>,
  id: string | null | undefined,
): AgentNodeForm | undefined {
  let index = byId.get(nodes);
  if (index === undefined) {
    // Where an id is there twice, the first.
    index = new Map(nodes.toReversed().map((node) => [node.id, node]));
    byId.set(nodes, index);
  }
  return id === null || id === undefined ? undefined : index.get(id);
}

/** Ids of nodes with an edge to this one. */
function predecessorsOf({ edges }: Pick<AgentDefinition, 'edges'>, id: string): readonly string[] {
  let index = predecessorIndex.get(edges);
  if (index === undefined) {
    const made = new Map<string, string[]>();
    for (const { from, to } of edges) made.set(to, [...(made.get(to) ?? []), from]);
    index = made;
    predecessorIndex.set(edges, index);
  }
  return index.get(id) ?? [];
}

export const isContainer = ({ kind }: AgentNodeForm): boolean => kind === 'parallel' || kind === 'loop';

/** The container that a node stands in; null on the top level, also where its container is not there. */
export function parentOf(definition: AgentDefinition, { parent }: AgentNodeForm): string | null {
  return parent !== undefined && nodeOf(definition, parent) !== undefined ? parent : null;
}

export const childrenOf = (definition: AgentDefinition, container: string | null): readonly AgentNodeForm[] =>
  definition.nodes.filter((node) => parentOf(definition, node) === container && node.id !== container);

/** The containers that a node stands in, the nearest first. */
export function containersOf(definition: AgentDefinition, id: string): readonly string[] {
  const chain: string[] = [];
  let node = nodeOf(definition, id);
  while (node !== undefined) {
    const parent = parentOf(definition, node);
    if (parent === null || parent === id || chain.includes(parent)) break;
    chain.push(parent);
    node = nodeOf(definition, parent);
  }
  return chain;
}

/** Nodes that stand in these, at any depth; without the containers themselves. */
export function descendantsOf(definition: AgentDefinition, ids: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    definition.nodes
      .filter(({ id }) => !ids.has(id) && containersOf(definition, id).some((one) => ids.has(one)))
      .map(({ id }) => id),
  );
}

/** Nodes that come before this one by edges, the nearest first. */
export function ancestorsOf(definition: AgentDefinition, id: string): readonly string[] {
  const found: string[] = [];
  const seen = new Set([id]);
  const open = [id];
  // The list grows while it is walked.
  for (const at of open)
    for (const from of predecessorsOf(definition, at)) {
      if (seen.has(from)) continue;
      seen.add(from);
      found.push(from);
      open.push(from);
    }
  return found;
}

/** Ways out of a node: names of branches for a condition, else the only one. */
export const outputsOf = (node: AgentNodeForm): readonly (string | undefined)[] => {
  if (node.kind === 'answer') return [];
  return node.kind === 'condition' ? [...node.cases.map(({ branch }) => branch), 'else'] : [undefined];
};

export type Refusal = 'same' | 'into_input' | 'from_answer' | 'across' | 'twice' | 'cycle';

/** Why an edge may not be drawn; null where it may. */
export function edgeRefusal(definition: AgentDefinition, edge: AgentEdge): Refusal | null {
  const from = nodeOf(definition, edge.from);
  const to = nodeOf(definition, edge.to);
  if (from === undefined || to === undefined || from === to) return 'same';
  if (to.kind === 'input') return 'into_input';
  if (from.kind === 'answer') return 'from_answer';
  if (parentOf(definition, from) !== parentOf(definition, to)) return 'across';
  if (definition.edges.some((one) => edgeKey(one) === edgeKey(edge))) return 'twice';
  return ancestorsOf(definition, from.id).includes(to.id) ? 'cycle' : null;
}

/** Nodes that an edge from this one may lead to. */
export const targetsOf = (
  definition: AgentDefinition,
  from: string,
  branch: string | undefined,
): readonly AgentNodeForm[] =>
  definition.nodes.filter(
    ({ id }) => edgeRefusal(definition, { from, to: id, ...(branch === undefined ? {} : { branch }) }) === null,
  );

/** All nodes in reading order: as edges lead, those of containers after their container. With how deep they stand. */
export function outlineOf(
  definition: AgentDefinition,
  container: string | null = null,
  depth = 0,
): readonly { readonly node: AgentNodeForm; readonly depth: number }[] {
  if (depth > 8) return [];
  return topologicalOrder(definition, container).flatMap((node) => [
    { node, depth },
    ...(isContainer(node) ? outlineOf(definition, node.id, depth + 1) : []),
  ]);
}

/** Nodes of a container so that each comes after those before it; nodes on a cycle last. */
export function topologicalOrder(definition: AgentDefinition, container: string | null): readonly AgentNodeForm[] {
  const nodes = new Map(childrenOf(definition, container).map((node) => [node.id, node]));
  const inner = definition.edges.filter(({ from, to }) => nodes.has(from) && nodes.has(to));
  const order: AgentNodeForm[] = [];
  const left = new Map(nodes);
  while (left.size > 0) {
    const ready = [...left.values()].find(
      ({ id }) => !inner.some((edge) => edge.to === id && edge.from !== id && left.has(edge.from)),
    );
    const next = ready ?? [...left.values()][0];
    if (next === undefined) break;
    left.delete(next.id);
    order.push(next);
  }
  return order;
}
