import {
  type AgentDefinition,
  type AgentEdge,
  type AgentNodeForm,
  type NodeOf,
  mostEdges,
  mostNodes,
} from '@ai-studio/contract/agents/definition.ts';
import { NODE_WIDTH, type Point, placeOf, sizeOf, within } from './geometry.ts';
import { childrenOf, edgeKey, isContainer, nodeOf, parentOf, refusalOf, waysOut, withinOf } from './graph.ts';
import { freeId } from './kinds.ts';
import { renamedIn } from './references.ts';

// What can be done with a definition. Each gives another one and leaves the first as it was; the same one where there is nothing
// to be done.

/** Room between a node and one that is put after it. */
const GAP = 60;

const withBranch = (from: string, to: string, branch: string | undefined): AgentEdge => ({
  from,
  to,
  ...(branch === undefined ? {} : { branch }),
});

/** An edge more, where it may be. */
export function connected(definition: AgentDefinition, edge: AgentEdge): AgentDefinition {
  if (refusalOf(definition, edge) !== null || definition.edges.length >= mostEdges) return definition;
  return { ...definition, edges: [...definition.edges, edge] };
}

export const withoutEdges = (definition: AgentDefinition, keys: ReadonlySet<string>): AgentDefinition =>
  definition.edges.some((edge) => keys.has(edgeKey(edge)))
    ? { ...definition, edges: definition.edges.filter((edge) => !keys.has(edgeKey(edge))) }
    : definition;

/** A node more, at a place of the canvas, in the container that lies there. */
export function added(
  definition: AgentDefinition,
  node: AgentNodeForm,
  container: string | null,
  place: Point,
): AgentDefinition {
  if (definition.nodes.length >= mostNodes) return definition;
  const from = container === null ? { x: 0, y: 0 } : placeOf(definition, container);
  const position = within(container, { x: place.x - from.x, y: place.y - from.y });
  return { ...definition, nodes: [...definition.nodes, standing(node, container, position)] };
}

function standing(node: AgentNodeForm, container: string | null, position: Point): AgentNodeForm {
  const { parent: _parent, ...rest } = node;
  return { ...rest, ...(container === null ? {} : { parent: container }), position };
}

/** Nodes that stand right of a place make room. */
function madeRoom(definition: AgentDefinition, container: string | null, from: number, by: number): AgentDefinition {
  return {
    ...definition,
    nodes: definition.nodes.map((node) =>
      parentOf(definition, node) === container && node.position.x >= from
        ? { ...node, position: { ...node.position, x: node.position.x + by } }
        : node,
    ),
  };
}

/** The way out that a node after this one is put on: the first without an edge, else the first. */
const freeWay = (definition: AgentDefinition, node: AgentNodeForm) => {
  const ways = waysOut(node);
  const leads = (branch: string | undefined) =>
    definition.edges.some((edge) => edge.from === node.id && edge.branch === branch);
  return ways.find((way) => !leads(way)) ?? ways[0];
};

/**
 * A node more, after another and connected with it. Where the other leads to one node only, the new one stands between them, and
 * those right of it make room. An empty container takes it in.
 */
export function insertedAfter(definition: AgentDefinition, node: AgentNodeForm, afterId: string): AgentDefinition {
  const after = nodeOf(definition, afterId);
  if (after === undefined || definition.nodes.length >= mostNodes) return definition;
  if (isContainer(after) && childrenOf(definition, afterId).length === 0 && node.kind !== 'input')
    return { ...definition, nodes: [...definition.nodes, standing(node, afterId, within(afterId, { x: 0, y: 0 }))] };
  const container = parentOf(definition, after);
  const size = sizeOf(definition, after);
  const x = after.position.x + size.width + GAP;
  if (after.kind === 'answer' || node.kind === 'input') {
    const below = within(container, { x: after.position.x, y: after.position.y + size.height + GAP });
    return { ...definition, nodes: [...definition.nodes, standing(node, container, below)] };
  }
  const way = freeWay(definition, after);
  const out = definition.edges.filter(({ from, branch }) => from === afterId && branch === way);
  const [only] = out;
  const between = out.length === 1 && only !== undefined && node.kind !== 'answer' ? only : null;
  const beside = definition.edges.filter(({ from }) => from === afterId).length - (between === null ? 0 : 1);
  const roomy = between === null ? definition : madeRoom(definition, container, x - GAP, NODE_WIDTH + GAP);
  const position = within(container, { x, y: after.position.y + Math.max(0, beside) * 104 });
  const grown = { ...roomy, nodes: [...roomy.nodes, standing(node, container, position)] };
  const open = between === null ? grown : withoutEdges(grown, new Set([edgeKey(between)]));
  const first = connected(open, withBranch(afterId, node.id, way));
  const next = waysOut(node)[0];
  return between === null ? first : connected(first, withBranch(node.id, between.to, next));
}

/** Without these nodes, all that stands in them and their edges. The last input stays: nothing begins without it. */
export function withoutNodes(definition: AgentDefinition, ids: ReadonlySet<string>): AgentDefinition {
  const inputs = definition.nodes.filter(({ kind }) => kind === 'input');
  const kept = inputs.every(({ id }) => ids.has(id)) ? inputs[0]?.id : undefined;
  const asked = new Set([...ids].filter((id) => id !== kept));
  const gone = new Set([...asked, ...withinOf(definition, asked)]);
  const nodes = definition.nodes.filter(({ id }) => !gone.has(id));
  if (nodes.length === definition.nodes.length || nodes.length === 0) return definition;
  return {
    ...definition,
    nodes,
    edges: definition.edges.filter(({ from, to }) => !gone.has(from) && !gone.has(to)),
  };
}

/** With another node in the place of the one of its id. */
export const withNode = (definition: AgentDefinition, node: AgentNodeForm): AgentDefinition => ({
  ...definition,
  nodes: definition.nodes.map((one) => (one.id === node.id ? node : one)),
});

/** A node with another id; texts, edges and nodes that name it name it so. */
export function renamed(definition: AgentDefinition, id: string, next: string): AgentDefinition {
  if (id === next || nodeOf(definition, id) === undefined || nodeOf(definition, next) !== undefined) return definition;
  const ids = new Map([[id, next]]);
  return {
    ...definition,
    nodes: definition.nodes.map((node) => {
      const changed = renamedIn(node, ids);
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
export function withCases(
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
  const changed = withNode(definition, { ...node, cases });
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
export const moved = (definition: AgentDefinition, positions: ReadonlyMap<string, Point>): AgentDefinition => ({
  ...definition,
  nodes: definition.nodes.map((node) => {
    const position = positions.get(node.id);
    return position === undefined ? node : { ...node, position: within(parentOf(definition, node), position) };
  }),
});

/** A node in another container (null: none), at a place of the canvas; edges that would cross a border go. */
export function movedInto(
  definition: AgentDefinition,
  id: string,
  container: string | null,
  place: Point,
): AgentDefinition {
  const node = nodeOf(definition, id);
  const inner = withinOf(definition, new Set([id]));
  if (node === undefined || container === id || (container !== null && inner.has(container))) return definition;
  if (node.kind === 'input' && container !== null) return definition;
  if (parentOf(definition, node) === container) return definition;
  const from = container === null ? { x: 0, y: 0 } : placeOf(definition, container);
  const position = within(container, { x: place.x - from.x, y: place.y - from.y });
  return {
    ...definition,
    nodes: definition.nodes.map((one) => (one.id === id ? standing(one, container, position) : one)),
    edges: definition.edges.filter((edge) => edge.from !== id && edge.to !== id),
  };
}

/** Nodes with the edges between them, to be put elsewhere. */
export interface Fragment {
  readonly nodes: readonly AgentNodeForm[];
  readonly edges: readonly AgentEdge[];
}

export function fragmentOf(definition: AgentDefinition, ids: ReadonlySet<string>): Fragment {
  const all = new Set([...ids, ...withinOf(definition, ids)]);
  const nodes = definition.nodes.filter(({ id, kind }) => all.has(id) && kind !== 'input');
  const taken = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: definition.edges.filter(({ from, to }) => taken.has(from) && taken.has(to)) };
}

/** What was copied once more, under ids of its own, with texts that name the copies. Tells the new nodes of the top. */
export function pasted(
  definition: AgentDefinition,
  fragment: Fragment,
  offset: number,
): { readonly definition: AgentDefinition; readonly ids: readonly string[] } {
  if (fragment.nodes.length === 0 || definition.nodes.length + fragment.nodes.length > mostNodes)
    return { definition, ids: [] };
  const taken = new Set(definition.nodes.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { id } of fragment.nodes) {
    const next = freeId(taken, id);
    taken.add(next);
    ids.set(id, next);
  }
  const tops: string[] = [];
  const copies = fragment.nodes.map((node) => {
    const inner = node.parent !== undefined && ids.has(node.parent);
    // Where it was copied from another agent, its container may not be there.
    const container = inner
      ? (ids.get(node.parent ?? '') ?? null)
      : nodeOf(definition, node.parent) === undefined
        ? null
        : (node.parent ?? null);
    const { x, y } = node.position;
    const place = inner ? { x, y } : { x: x + offset, y: y + offset };
    const id = ids.get(node.id) ?? node.id;
    if (!inner) tops.push(id);
    return { ...standing(renamedIn(node, ids), container, place), id };
  });
  return {
    definition: {
      ...definition,
      nodes: [...definition.nodes, ...copies],
      edges: [
        ...definition.edges,
        ...fragment.edges.map((edge) => ({
          ...edge,
          from: ids.get(edge.from) ?? edge.from,
          to: ids.get(edge.to) ?? edge.to,
        })),
      ].slice(0, mostEdges),
    },
    ids: tops,
  };
}
