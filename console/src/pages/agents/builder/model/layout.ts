import type { AgentDefinition, AgentEdge, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { HEAD_HEIGHT, NODE_WIDTH, PADDING, type Point, type Size, sizeOf } from './geometry.ts';
import { childrenOf, containersOf, isContainer, topologicalOrder, parentOf, outputsOf } from './graph.ts';

const COLUMN_GAP = 60;
const ROW_GAP = 40;
/** Room of an edge that passes a column. */
const LANE = 24;
/** How often columns are put in order by their neighbours. */
const SWEEPS = 4;

/** Something in a column: a node, or an edge that passes. */
interface Slot {
  readonly key: string;
  readonly size: Size;
  /** Keys of slots in the column before, and how far down their way out is. */
  readonly before: { readonly key: string; readonly at: number }[];
}

/** Columns of nodes of one container: each node right of all before it. Nodes on a cycle stand where their first edge puts them. */
function columnsOf(nodes: readonly AgentNodeForm[], edges: readonly AgentEdge[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const { id } of nodes) {
    const before = edges.filter(({ to }) => to === id).map(({ from }) => columns.get(from) ?? -1);
    columns.set(id, Math.max(-1, ...before) + 1);
  }
  return columns;
}

function slotsOf(definition: AgentDefinition, container: string | null): readonly Slot[][] {
  const nodes = topologicalOrder(definition, container);
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = definition.edges.filter(({ from, to }) => ids.has(from) && ids.has(to) && from !== to);
  const columns = columnsOf(nodes, edges);
  const slots: Slot[][] = [];
  const put = (column: number, slot: Slot) => void (slots[column] ??= []).push(slot);
  const byId = new Map<string, Slot>();
  for (const node of nodes) {
    const slot: Slot = { key: node.id, size: sizeOf(definition, node), before: [] };
    byId.set(node.id, slot);
    put(columns.get(node.id) ?? 0, slot);
  }
  for (const { from, to, branch } of edges) {
    const [first, last] = [columns.get(from) ?? 0, columns.get(to) ?? 0];
    const source = nodes.find(({ id }) => id === from);
    const ways = source === undefined ? [] : outputsOf(source);
    const at = Math.max(0, ways.indexOf(branch)) / Math.max(1, ways.length);
    let key = from;
    for (let column = first + 1; column < last; column += 1) {
      const lane: Slot = {
        key: `${from} ${to} ${branch ?? ''} ${column}`,
        size: { width: NODE_WIDTH, height: LANE },
        before: [{ key, at }],
      };
      put(column, lane);
      ({ key } = lane);
    }
    if (last > first) byId.get(to)?.before.push({ key, at });
  }
  return slots;
}

/** Puts each column in the order of what leads to it. */
function orderColumns(slots: readonly Slot[][]): void {
  const places = new Map<string, number>();
  const recordPlaces = () => {
    for (const column of slots) for (const [place, { key }] of column.entries()) places.set(key, place);
  };
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    recordPlaces();
    for (const column of slots.slice(1)) {
      const weights = new Map(
        column.map(({ key, before }) => {
          const sum = before.reduce((all, one) => all + (places.get(one.key) ?? 0) + one.at, 0);
          return [key, before.length === 0 ? (places.get(key) ?? 0) : sum / before.length];
        }),
      );
      column.sort((a, b) => (weights.get(a.key) ?? 0) - (weights.get(b.key) ?? 0));
      for (const [place, { key }] of column.entries()) places.set(key, place);
    }
  }
}

function positionsOf(definition: AgentDefinition, container: string | null): ReadonlyMap<string, Point> {
  const slots = slotsOf(definition, container);
  orderColumns(slots);
  const heights = slots.map((column) => column.reduce((sum, { size }) => sum + size.height + ROW_GAP, -ROW_GAP));
  const highest = Math.max(0, ...heights);
  const positions = new Map<string, Point>();
  let x = container === null ? 0 : PADDING;
  for (const [index, column] of slots.entries()) {
    let y = (container === null ? 0 : HEAD_HEIGHT) + (highest - (heights[index] ?? 0)) / 2;
    for (const { key, size } of column) {
      positions.set(key, { x, y: Math.round(y) });
      y += size.height + ROW_GAP;
    }
    x += Math.max(NODE_WIDTH, ...column.map(({ size }) => size.width)) + COLUMN_GAP;
  }
  return positions;
}

/** The same nodes in columns from left to right, containers from the innermost outwards. */
export function autoLayout(definition: AgentDefinition): AgentDefinition {
  const containers = definition.nodes
    .filter(isContainer)
    .map(({ id }) => ({ id, depth: containersOf(definition, id).length }))
    .toSorted((a, b) => b.depth - a.depth);
  let result = definition;
  for (const container of [...containers.map(({ id }) => id), null]) {
    const positions = positionsOf(result, container);
    result = {
      ...result,
      nodes: result.nodes.map((node) =>
        parentOf(result, node) === container ? { ...node, position: positions.get(node.id) ?? node.position } : node,
      ),
    };
  }
  return result;
}

/** Whether nodes lie on each other, as those of a definition that nobody laid out. */
export function hasOverlaps(definition: AgentDefinition): boolean {
  return [null, ...definition.nodes.filter(isContainer).map(({ id }) => id)].some((container) => {
    const places = childrenOf(definition, container).map(({ position: { x, y } }) => `${x} ${y}`);
    return new Set(places).size < places.length;
  });
}
