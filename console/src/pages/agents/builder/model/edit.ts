import {
  type AgentDefinition,
  type AgentEdge,
  type AgentNodeForm,
  type NodeOf,
  maxEdges,
  maxNodes,
} from '@ai-studio/contract/agents/definition.ts';
import { NODE_WIDTH, type Point, absolutePosition, sizeOf, clampToContainer } from './geometry.ts';
import { childrenOf, edgeKey, isContainer, nodeOf, parentOf, edgeRefusal, outputsOf, descendantsOf } from './graph.ts';
import { withRenamedReferences } from './references.ts';

// Pure edits of a definition: each returns a new one, or the same object when nothing changes.

/** Room between a node and one that is put after it. */
const GAP = 60;
/** How far apart nodes stand that come after the same one. */
const ROW = 104;

const withBranch = (from: string, to: string, branch: string | undefined): AgentEdge => ({
  from,
  to,
  ...(branch === undefined ? {} : { branch }),
});

/** Adds an edge, if it is allowed. */
export function addEdge(definition: AgentDefinition, edge: AgentEdge): AgentDefinition {
  if (edgeRefusal(definition, edge) !== null || definition.edges.length >= maxEdges) return definition;
  return { ...definition, edges: [...definition.edges, edge] };
}

export const removeEdges = (definition: AgentDefinition, keys: ReadonlySet<string>): AgentDefinition =>
  definition.edges.some((edge) => keys.has(edgeKey(edge)))
    ? { ...definition, edges: definition.edges.filter((edge) => !keys.has(edgeKey(edge))) }
    : definition;

/** Adds a node at a point of the canvas, in a container. */
export function addNode(
  definition: AgentDefinition,
  node: AgentNodeForm,
  container: string | null,
  place: Point,
): AgentDefinition {
  if (definition.nodes.length >= maxNodes) return definition;
  const from = container === null ? { x: 0, y: 0 } : absolutePosition(definition, container);
  const position = clampToContainer(container, { x: place.x - from.x, y: place.y - from.y });
  return { ...definition, nodes: [...definition.nodes, placedIn(node, container, position)] };
}

/** A node in a container (null: none), at a place of it. */
export function placedIn(node: AgentNodeForm, container: string | null, position: Point): AgentNodeForm {
  const { parent: _parent, ...rest } = node;
  return { ...rest, ...(container === null ? {} : { parent: container }), position };
}

/** Nodes that stand right of a place make room. */
function makeRoom(definition: AgentDefinition, container: string | null, from: number, by: number): AgentDefinition {
  return {
    ...definition,
    nodes: definition.nodes.map((node) =>
      parentOf(definition, node) === container && node.position.x >= from
        ? { ...node, position: { ...node.position, x: node.position.x + by } }
        : node,
    ),
  };
}

/** The output for a node that is inserted after this one: the first without an edge, else the first. */
const freeOutput = (definition: AgentDefinition, node: AgentNodeForm) => {
  const ways = outputsOf(node);
  const leads = (branch: string | undefined) =>
    definition.edges.some((edge) => edge.from === node.id && edge.branch === branch);
  return ways.find((way) => !leads(way)) ?? ways[0];
};

/** A node in the place of an edge, with an edge from the one end and one to the other. */
function splitEdge(definition: AgentDefinition, node: AgentNodeForm, edge: AgentEdge, y: number): AgentDefinition {
  const from = nodeOf(definition, edge.from);
  if (from === undefined) return definition;
  const container = parentOf(definition, from);
  const x = from.position.x + sizeOf(definition, from).width + GAP;
  const roomy = makeRoom(definition, container, x - GAP, NODE_WIDTH + GAP);
  const grown = { ...roomy, nodes: [...roomy.nodes, placedIn(node, container, clampToContainer(container, { x, y }))] };
  const open = removeEdges(grown, new Set([edgeKey(edge)]));
  const first = addEdge(open, withBranch(edge.from, node.id, edge.branch));
  return addEdge(first, withBranch(node.id, edge.to, outputsOf(node)[0]));
}

/**
 * Adds a node after another, with an edge from that one. If that node has one outgoing edge only, the new node splits it and the
 * nodes to its right make room. An empty container takes the node in.
 */
export function insertAfter(definition: AgentDefinition, node: AgentNodeForm, afterId: string): AgentDefinition {
  const after = nodeOf(definition, afterId);
  if (after === undefined || definition.nodes.length >= maxNodes) return definition;
  if (isContainer(after) && childrenOf(definition, afterId).length === 0 && node.kind !== 'input')
    return {
      ...definition,
      nodes: [...definition.nodes, placedIn(node, afterId, clampToContainer(afterId, { x: 0, y: 0 }))],
    };
  const container = parentOf(definition, after);
  const size = sizeOf(definition, after);
  const x = after.position.x + size.width + GAP;
  if (after.kind === 'answer' || node.kind === 'input') {
    const below = clampToContainer(container, { x: after.position.x, y: after.position.y + size.height + GAP });
    return { ...definition, nodes: [...definition.nodes, placedIn(node, container, below)] };
  }
  const way = freeOutput(definition, after);
  const out = definition.edges.filter(({ from, branch }) => from === afterId && branch === way);
  const [only] = out;
  const beside = definition.edges.filter(({ from }) => from === afterId).length;
  if (out.length === 1 && only !== undefined && node.kind !== 'answer')
    return splitEdge(definition, node, only, after.position.y + (beside - 1) * ROW);
  const position = clampToContainer(container, { x, y: after.position.y + beside * ROW });
  const grown = { ...definition, nodes: [...definition.nodes, placedIn(node, container, position)] };
  return addEdge(grown, withBranch(afterId, node.id, way));
}

/** A node more, in the middle of an edge; what stands right of it makes room. An input and an answer cannot stand there. */
export function insertOnEdge(definition: AgentDefinition, node: AgentNodeForm, key: string): AgentDefinition {
  const edge = definition.edges.find((one) => edgeKey(one) === key);
  const from = nodeOf(definition, edge?.from);
  const to = nodeOf(definition, edge?.to);
  if (edge === undefined || from === undefined || to === undefined) return definition;
  if (definition.nodes.length >= maxNodes || node.kind === 'input' || node.kind === 'answer') return definition;
  return splitEdge(definition, node, edge, (from.position.y + to.position.y) / 2);
}

/** Removes nodes, their descendants and their edges. The last input node stays. */
export function removeNodes(definition: AgentDefinition, ids: ReadonlySet<string>): AgentDefinition {
  const inputs = definition.nodes.filter(({ kind }) => kind === 'input');
  const kept = inputs.every(({ id }) => ids.has(id)) ? inputs[0]?.id : undefined;
  const asked = new Set([...ids].filter((id) => id !== kept));
  const gone = new Set([...asked, ...descendantsOf(definition, asked)]);
  const nodes = definition.nodes.filter(({ id }) => !gone.has(id));
  if (nodes.length === definition.nodes.length || nodes.length === 0) return definition;
  return {
    ...definition,
    nodes,
    edges: definition.edges.filter(({ from, to }) => !gone.has(from) && !gone.has(to)),
  };
}

/** With another node in the place of the one of its id. */
export const replaceNode = (definition: AgentDefinition, node: AgentNodeForm): AgentDefinition => ({
  ...definition,
  nodes: definition.nodes.map((one) => (one.id === node.id ? node : one)),
});

/** A node with another id; texts, edges and nodes that name it name it so. */
export function renameNode(definition: AgentDefinition, id: string, next: string): AgentDefinition {
  if (id === next || nodeOf(definition, id) === undefined || nodeOf(definition, next) !== undefined) return definition;
  const ids = new Map([[id, next]]);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      const changed = withRenamedReferences(node, ids);
      return {
        ...changed,
        id: changed.id === id ? next : changed.id,
        ...(changed.parent === id ? { parent: next } : {}),
      };
    }),
    edges: definition.edges.map((edge) => ({
      ...edge,
      from: edge.from === id ? next : edge.from,
      to: edge.to === id ? next : edge.to,
    })),
  };
}

/** A condition with other cases; edges follow a branch that got another name and go with one that is gone. */
export function replaceCases(
  definition: AgentDefinition,
  node: NodeOf<'condition'>,
  cases: NodeOf<'condition'>['cases'],
): AgentDefinition {
  const before = node.cases.map(({ branch }) => branch);
  const now = new Set(cases.map(({ branch }) => branch));
  const renames = new Map<string, string>();
  if (before.length === cases.length)
    for (const [place, branch] of before.entries()) {
      const next = cases[place]?.branch;
      if (next !== undefined && next !== branch && !now.has(branch)) renames.set(branch, next);
    }
  const changed = replaceNode(definition, { ...node, cases });
  return {
    ...changed,
    edges: changed.edges
      .map((edge) =>
        edge.from === node.id && edge.branch !== undefined
          ? { ...edge, branch: renames.get(edge.branch) ?? edge.branch }
          : edge,
      )
      .filter(({ from, branch }) => from !== node.id || branch === undefined || branch === 'else' || now.has(branch)),
  };
}

/** Nodes at other places of their containers. */
export const moveNodes = (definition: AgentDefinition, positions: ReadonlyMap<string, Point>): AgentDefinition => ({
  ...definition,
  nodes: definition.nodes.map((node) => {
    const position = positions.get(node.id);
    return position === undefined
      ? node
      : { ...node, position: clampToContainer(parentOf(definition, node), position) };
  }),
});

/** A node in another container (null: none), at a place of the canvas; edges that would cross a border go. */
export function moveIntoContainer(
  definition: AgentDefinition,
  id: string,
  container: string | null,
  place: Point,
): AgentDefinition {
  const node = nodeOf(definition, id);
  const inner = descendantsOf(definition, new Set([id]));
  if (node === undefined || container === id || (container !== null && inner.has(container))) return definition;
  if (node.kind === 'input' && container !== null) return definition;
  if (parentOf(definition, node) === container) return definition;
  const from = container === null ? { x: 0, y: 0 } : absolutePosition(definition, container);
  const position = clampToContainer(container, { x: place.x - from.x, y: place.y - from.y });
  return {
    ...definition,
    nodes: definition.nodes.map((one) => (one.id === id ? placedIn(one, container, position) : one)),
    edges: definition.edges.filter((edge) => edge.from !== id && edge.to !== id),
  };
}
