import type { AgentDefinition, AgentEdge, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';

/** Deepest container: one in one in one. */
export const MAX_CONTAINER_DEPTH = 3;

/** Most steps of a run, loops and parallels multiplied out: loops of loops end somewhere. */
export const MAX_RUN_STEPS = 5_000;

/** The graph of a definition: its edges and containers. Can be built of an invalid definition too, so that checks can report what is wrong. */
export interface Graph {
  /** By id; where an id is there twice, the first. */
  readonly nodes: ReadonlyMap<string, AgentNodeForm>;
  /** Edges that come in: only those between two nodes of one container, none twice. */
  into(id: string): readonly AgentEdge[];
  /** Edges that go out. */
  out(id: string): readonly AgentEdge[];
  /** Nodes that stand directly in a container; null: on the top level. In the order of the definition. */
  children(container: string | null): readonly AgentNodeForm[];
  /** Its children without an edge in: where it begins. */
  first(container: string | null): readonly AgentNodeForm[];
  /** Ids so that each comes after all before it, for all containers together; nodes on a cycle and after one are left out. */
  readonly order: readonly string[];
  /** Ids of nodes that are on a cycle or after one. */
  readonly stuck: ReadonlySet<string>;
  /** The containers that a node stands in, the nearest first. Ends at a container that stands in itself. */
  containers(id: string): readonly string[];
  /** Nodes that run before this one by the edges of its own container. */
  ancestors(id: string): ReadonlySet<string>;
  /** Nodes whose results it may name: its ancestors, and those of the containers that it stands in. */
  before(id: string): ReadonlySet<string>;
  /** The nearest container of a kind that it stands in, for `item` (parallel) and `loop`. */
  nearest(id: string, kind: 'parallel' | 'loop'): string | null;
}

/** Reads the edges and containers of a definition. Takes time in proportion to its size, without recursion. */
export function graphOf({ nodes: list, edges }: Pick<AgentDefinition, 'nodes' | 'edges'>): Graph {
  const nodes = new Map<string, AgentNodeForm>();
  for (const node of list) if (!nodes.has(node.id)) nodes.set(node.id, node);

  const parentOf = (node: AgentNodeForm | undefined): string | null => {
    const parent = node?.parent;
    return parent !== undefined && nodes.has(parent) ? parent : null;
  };
  const children = new Map<string | null, AgentNodeForm[]>();
  for (const node of nodes.values()) push(children, parentOf(node), node);

  const { into, out } = indexEdges(nodes, edges, parentOf);
  const order = topologicalOrder(nodes, into, out);
  const ordered = new Set(order);
  const stuck = new Set([...nodes.keys()].filter((id) => !ordered.has(id)));
  const ancestors = ancestorsOf(order, into);
  const none: ReadonlySet<string> = new Set();

  function containers(id: string): string[] {
    const chain: string[] = [];
    const seen = new Set([id]);
    for (let at = parentOf(nodes.get(id)); at !== null && !seen.has(at); at = parentOf(nodes.get(at))) {
      seen.add(at);
      chain.push(at);
    }
    return chain;
  }

  return {
    nodes,
    into: (id) => into.get(id) ?? [],
    out: (id) => out.get(id) ?? [],
    children: (container) => children.get(container) ?? [],
    first: (container) => (children.get(container) ?? []).filter(({ id }) => !into.has(id)),
    order,
    stuck,
    containers,
    ancestors: (id) => ancestors.get(id) ?? none,
    before: (id) => new Set([id, ...containers(id)].flatMap((one) => [...(ancestors.get(one) ?? none)])),
    nearest: (id, kind) => containers(id).find((one) => nodes.get(one)?.kind === kind) ?? null,
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Edges by their two ends, without those that are wrong. */
function indexEdges(
  nodes: ReadonlyMap<string, AgentNodeForm>,
  edges: readonly AgentEdge[],
  parentOf: (node: AgentNodeForm | undefined) => string | null,
) {
  const into = new Map<string, AgentEdge[]>();
  const out = new Map<string, AgentEdge[]>();
  const seen = new Set<string>();
  for (const edge of edges) {
    const from = nodes.get(edge.from);
    const to = nodes.get(edge.to);
    const key = edgeKey(edge);
    if (from === undefined || to === undefined || parentOf(from) !== parentOf(to) || seen.has(key)) continue;
    seen.add(key);
    push(into, edge.to, edge);
    push(out, edge.from, edge);
  }
  return { into, out };
}

/** What makes two edges the same. */
export const edgeKey = ({ from, to, branch }: AgentEdge): string => `${from} ${to} ${branch ?? ''}`;

/** Each node after all that have an edge to it (Kahn's order, by places in the definition). */
function topologicalOrder(
  nodes: ReadonlyMap<string, AgentNodeForm>,
  into: ReadonlyMap<string, readonly AgentEdge[]>,
  out: ReadonlyMap<string, readonly AgentEdge[]>,
): string[] {
  const waiting = new Map([...nodes.keys()].map((id) => [id, into.get(id)?.length ?? 0]));
  const order = [...nodes.keys()].filter((id) => waiting.get(id) === 0);
  // The list grows while it is walked.
  for (const id of order)
    for (const { to } of out.get(id) ?? []) {
      const left = (waiting.get(to) ?? 0) - 1;
      waiting.set(to, left);
      if (left === 0) order.push(to);
    }
  return order;
}

function ancestorsOf(order: readonly string[], into: ReadonlyMap<string, readonly AgentEdge[]>) {
  const ancestors = new Map<string, Set<string>>();
  for (const id of order) {
    const all = new Set<string>();
    for (const { from } of into.get(id) ?? []) {
      all.add(from);
      for (const one of ancestors.get(from) ?? []) all.add(one);
    }
    ancestors.set(id, all);
  }
  return ancestors;
}
