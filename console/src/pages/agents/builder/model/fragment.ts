import {
  type AgentDefinition,
  type AgentEdge,
  type AgentNodeForm,
  maxEdges,
  maxNodes,
} from '@ai-studio/contract/agents/definition.ts';
import { placedIn } from './edit.ts';
import { type Point, absolutePosition, sizeOf, clampToContainer } from './geometry.ts';
import { childrenOf, nodeOf, parentOf, descendantsOf } from './graph.ts';
import { freeId } from './kinds.ts';
import { withRenamedReferences } from './references.ts';

/** Nodes with the edges between them, to be put elsewhere. */
export interface Fragment {
  readonly nodes: readonly AgentNodeForm[];
  readonly edges: readonly AgentEdge[];
}

export function fragmentOf(definition: AgentDefinition, ids: ReadonlySet<string>): Fragment {
  const all = new Set([...ids, ...descendantsOf(definition, ids)]);
  const nodes = definition.nodes.filter(({ id, kind }) => all.has(id) && kind !== 'input');
  const taken = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: definition.edges.filter(({ from, to }) => taken.has(from) && taken.has(to)) };
}

/** How far a copy stands from what was copied. */
const ASIDE = 40;

/** Nodes of a fragment that stand in no other node of it. */
const topsOf = ({ nodes }: Fragment) => {
  const ids = new Set(nodes.map(({ id }) => id));
  return nodes.filter(({ parent }) => parent === undefined || !ids.has(parent));
};

/** How far a copy goes that nobody gave a place: beside what was copied, else under all that stands there; never onto another. */
function asideOf(definition: AgentDefinition, tops: readonly AgentNodeForm[], corner: Point): Point {
  if (!tops.some(({ id }) => nodeOf(definition, id) !== undefined)) {
    const [top] = tops;
    const around = childrenOf(definition, top === undefined ? null : parentOf(definition, top));
    const bottom = Math.max(0, ...around.map((node) => node.position.y + sizeOf(definition, node).height));
    return { x: 0, y: bottom + ASIDE - corner.y };
  }
  const taken = new Set(definition.nodes.map(({ parent, position: { x, y } }) => `${parent ?? ''} ${x} ${y}`));
  const isTaken = (by: number) =>
    tops.some(({ parent, position: { x, y } }) => taken.has(`${parent ?? ''} ${x + by} ${y + by}`));
  let by = ASIDE;
  while (isTaken(by)) by += ASIDE;
  return { x: by, y: by };
}

/** Where the nodes of a fragment are put: their top left corner there, in the container that lies there. */
export interface PastePlace {
  readonly container: string | null;
  /** On the whole canvas. */
  readonly point: Point;
}

/**
 * What was copied once more, under ids of its own, with texts that name the copies: at a place, else beside what was copied.
 * Tells the new nodes of the top.
 */
export function pasteFragment(
  definition: AgentDefinition,
  fragment: Fragment,
  at: PastePlace | null = null,
): { readonly definition: AgentDefinition; readonly ids: readonly string[] } {
  if (fragment.nodes.length === 0 || definition.nodes.length + fragment.nodes.length > maxNodes)
    return { definition, ids: [] };
  const taken = new Set(definition.nodes.map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const { id } of fragment.nodes) {
    const next = freeId(taken, id);
    taken.add(next);
    ids.set(id, next);
  }
  const tops = topsOf(fragment);
  const corner = {
    x: Math.min(...tops.map(({ position }) => position.x)),
    y: Math.min(...tops.map(({ position }) => position.y)),
  };
  const from = at === null || at.container === null ? { x: 0, y: 0 } : absolutePosition(definition, at.container);
  const offset =
    at === null
      ? asideOf(definition, tops, corner)
      : { x: at.point.x - from.x - corner.x, y: at.point.y - from.y - corner.y };
  const copies = fragment.nodes.map((node) => {
    const inner = node.parent !== undefined && ids.has(node.parent);
    const { x, y } = node.position;
    const id = ids.get(node.id) ?? node.id;
    if (inner)
      return { ...placedIn(withRenamedReferences(node, ids), ids.get(node.parent ?? '') ?? null, { x, y }), id };
    // Where it was copied from another agent, its container may not be there.
    const container = at === null ? parentOf(definition, node) : at.container;
    const place = clampToContainer(container, { x: x + offset.x, y: y + offset.y });
    return { ...placedIn(withRenamedReferences(node, ids), container, place), id };
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
      ].slice(0, maxEdges),
    },
    ids: tops.map(({ id }) => ids.get(id) ?? id),
  };
}
