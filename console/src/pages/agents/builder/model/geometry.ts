import type { AgentDefinition, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { childrenOf, containersOf, isContainer, nodeOf } from './graph.ts';

/** Where and how large things are on the canvas, in its own pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}

export const NODE_WIDTH = 216;
export const NODE_HEIGHT = 64;
/** Of one way out of a condition. */
export const BRANCH_HEIGHT = 26;
/** Head of a container. */
export const HEAD_HEIGHT = 52;
export const PADDING = 24;
const EMPTY: Size = { width: NODE_WIDTH + 2 * PADDING, height: 148 };
/** Sizes are known without looking: the canvas need not be drawn to be laid out. */
export function sizeOf(definition: AgentDefinition, node: AgentNodeForm, depth = 0): Size {
  if (node.kind === 'condition')
    return { width: NODE_WIDTH, height: NODE_HEIGHT + (node.cases.length + 1) * BRANCH_HEIGHT };
  if (!isContainer(node) || depth > 8) return { width: NODE_WIDTH, height: NODE_HEIGHT };
  let { width, height } = EMPTY;
  for (const child of childrenOf(definition, node.id)) {
    const size = sizeOf(definition, child, depth + 1);
    width = Math.max(width, child.position.x + size.width + PADDING);
    height = Math.max(height, child.position.y + size.height + PADDING);
  }
  return { width, height };
}

/** Where a node stands on the whole canvas. */
export function absolutePosition(definition: AgentDefinition, id: string): Point {
  let { x, y } = nodeOf(definition, id)?.position ?? { x: 0, y: 0 };
  for (const container of containersOf(definition, id)) {
    const position = nodeOf(definition, container)?.position ?? { x: 0, y: 0 };
    x += position.x;
    y += position.y;
  }
  return { x, y };
}

/** The position of a node in a container: never over its head or its edge. */
export const clampToContainer = (container: string | null, { x, y }: Point): Point =>
  container === null
    ? { x: Math.round(x), y: Math.round(y) }
    : { x: Math.max(PADDING, Math.round(x)), y: Math.max(HEAD_HEIGHT, Math.round(y)) };

/** The deepest container over a point of the canvas, of those that are not left out. */
export function containerAt(
  definition: AgentDefinition,
  point: Point,
  leftOut: ReadonlySet<string> = new Set(),
): string | null {
  let found: { readonly id: string; readonly depth: number } | null = null;
  for (const node of definition.nodes) {
    if (!isContainer(node) || leftOut.has(node.id)) continue;
    const containers = containersOf(definition, node.id);
    if (containers.some((one) => leftOut.has(one))) continue;
    const { x, y } = absolutePosition(definition, node.id);
    const { width, height } = sizeOf(definition, node);
    const over = point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;
    if (over && containers.length >= (found?.depth ?? 0)) found = { id: node.id, depth: containers.length };
  }
  return found?.id ?? null;
}
