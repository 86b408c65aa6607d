import type {
  AgentDefinition,
  AgentEdge,
  AgentNodeForm,
  DefinitionProblem,
} from '@ai-studio/contract/agents/definition.ts';
import { type Edge, MarkerType, type Node, type NodeHandle, Position } from '@xyflow/react';
import { BRANCH_HEIGHT, HEAD_HEIGHT, NODE_HEIGHT, type Point, type Size, sizeOf } from '../model/geometry.ts';
import { containersOf, edgeKey, isContainer, parentOf, outputsOf } from '../model/graph.ts';
import type { NodeRun } from '../run/run-state.ts';

// The definition as the canvas draws it.

export interface CardData extends Record<string, unknown> {
  readonly node: AgentNodeForm;
  readonly errors: number;
  readonly warnings: number;
  readonly run: NodeRun | null;
  /** A container without nodes. */
  readonly empty: boolean;
}
export type FlowNode = Node<CardData, 'card' | 'container'>;
export type FlowEdge = Edge;

export const HANDLE = 14;

/** Where edges begin and end, from the corner of the node. */
function handlesOf(node: AgentNodeForm, { width }: Size): NodeHandle[] {
  const middle = (isContainer(node) ? HEAD_HEIGHT : NODE_HEIGHT) / 2 - HANDLE / 2;
  const handle = (type: 'source' | 'target', y: number, id?: string): NodeHandle => ({
    ...(id === undefined ? {} : { id }),
    type,
    position: type === 'source' ? Position.Right : Position.Left,
    x: type === 'source' ? width - HANDLE / 2 : -HANDLE / 2,
    y,
    width: HANDLE,
    height: HANDLE,
  });
  const out = outputsOf(node).map((branch, place) =>
    branch === undefined
      ? handle('source', middle)
      : handle('source', NODE_HEIGHT + place * BRANCH_HEIGHT + BRANCH_HEIGHT / 2 - HANDLE / 2, branch),
  );
  return node.kind === 'input' ? out : [handle('target', middle), ...out];
}

interface FlowInput {
  readonly definition: AgentDefinition;
  readonly chosen: readonly string[];
  readonly problems: readonly DefinitionProblem[];
  readonly runs: Readonly<Record<string, NodeRun>>;
  /** Of nodes that are being dragged. */
  readonly places: ReadonlyMap<string, Point>;
  /** What a node is called for those who do not see it. */
  readonly label: (node: AgentNodeForm, errors: number, run: NodeRun | null) => string;
}

interface CachedNode {
  readonly of: readonly unknown[];
  readonly flow: FlowNode;
}

/** Nodes in React Flow's format, memoised: unchanged nodes keep their identity. */
export function createFlowNodes() {
  let cache = new Map<string, CachedNode>();
  return ({ definition, chosen, problems, runs, places, label }: FlowInput): FlowNode[] => {
    const next = new Map<string, CachedNode>();
    // Containers come before what stands in them.
    const nodes = definition.nodes
      .map((node) => ({ node, depth: containersOf(definition, node.id).length }))
      .toSorted((a, b) => a.depth - b.depth);
    const flows = nodes.map(({ node, depth }): FlowNode => {
      const { id } = node;
      const own = problems.filter((problem) => problem.node === id);
      const errors = own.filter(({ severity }) => severity === 'error').length;
      const size = sizeOf(definition, node);
      const run = runs[id] ?? null;
      const place = places.get(id) ?? node.position;
      const empty = isContainer(node) && !definition.nodes.some(({ parent }) => parent === id);
      const selected = chosen.includes(id);
      const of = [node, selected, errors, own.length, size.width, size.height, run, place.x, place.y, empty, label];
      const before = cache.get(id);
      const same = before !== undefined && of.every((value, at) => value === before.of[at]);
      const parent = parentOf(definition, node);
      const flow: FlowNode = same
        ? before.flow
        : {
            id,
            type: isContainer(node) ? 'container' : 'card',
            position: { x: place.x, y: place.y },
            ...(parent === null ? {} : { parentId: parent }),
            ...size,
            measured: size,
            handles: handlesOf(node, size),
            selected,
            zIndex: depth,
            ariaLabel: label(node, errors, run),
            data: { node, errors, warnings: own.length - errors, run, empty },
          };
      next.set(id, { of, flow });
      return flow;
    });
    cache = next;
    return flows;
  };
}

/** Edges in React Flow's format; edges into running nodes are animated. */
export function flowEdges(
  definition: AgentDefinition,
  chosen: readonly string[],
  runs: Readonly<Record<string, NodeRun>>,
  label: (edge: AgentEdge) => string,
): FlowEdge[] {
  return definition.edges.map((edge) => {
    const key = edgeKey(edge);
    const state = runs[edge.to]?.state;
    return {
      id: key,
      source: edge.from,
      target: edge.to,
      sourceHandle: edge.branch ?? null,
      selected: chosen.includes(key),
      animated: state === 'running',
      ariaLabel: label(edge),
      markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
      zIndex: containersOf(definition, edge.to).length,
      data: { dead: state === 'skipped' },
      className: state === 'skipped' ? 'dead' : state === 'done' ? 'passed' : '',
    };
  });
}
