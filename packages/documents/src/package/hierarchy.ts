import type { ListItem } from '../document.ts';

// Who stands below whom in a drawing: boxes with words that lines connect. Only what is certain is told: lines whose both ends the file
// ties to boxes, which make a tree whose parents stand above their children, or all at the left of them; a chart that could be either tells nothing.

/** A box of a drawing. Lengths are in any unit that all boxes share. */
export interface DrawnBox {
  readonly id: string;
  readonly words: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The ids of the boxes at the ends of a line. */
export type Connection = readonly [one: string, other: string];

/** Two boxes with a line between them say nothing of who stands below whom. */
const MIN_BOXES = 3;
/** More come from damage. */
const MAX_CONNECTIONS = 5_000;
/** How far a lower box may reach into the height of the upper one, as a share of it. */
const MAX_OVERLAP_SHARE = 0.25;

const isAbove = (one: DrawnBox, other: DrawnBox) =>
  other.y > one.y && other.y >= one.y + (1 - MAX_OVERLAP_SHARE) * one.height;
const isLeft = (one: DrawnBox, other: DrawnBox) =>
  other.x > one.x && other.x >= one.x + (1 - MAX_OVERLAP_SHARE) * one.width;

/** Boxes by their ids; an id that several have names none of them. */
function boxesById(boxes: readonly DrawnBox[]): Map<string, DrawnBox> {
  const byId = new Map<string, DrawnBox>();
  const several = new Set<string>();
  for (const box of boxes) {
    if (byId.has(box.id)) several.add(box.id);
    byId.set(box.id, box);
  }
  for (const id of several) byId.delete(id);
  return byId;
}

function neighboursOf(connections: readonly Connection[], byId: ReadonlyMap<string, DrawnBox>) {
  const neighbours = new Map<string, Set<string>>();
  for (const [one, other] of connections.slice(0, MAX_CONNECTIONS)) {
    if (one === other || !byId.has(one) || !byId.has(other)) continue;
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const)
      neighbours.set(from, (neighbours.get(from) ?? new Set()).add(to));
  }
  return neighbours;
}

/** The ids that can be reached from one. */
function connectedTo(id: string, neighbours: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const seen = new Set([id]);
  for (const one of seen) for (const next of neighbours.get(one) ?? []) seen.add(next);
  return [...seen];
}

interface Tree {
  readonly root: DrawnBox;
  readonly children: ReadonlyMap<string, readonly DrawnBox[]>;
}

/** The children of each box of a tree, and its root; null where boxes make none. */
function treeOf(
  group: readonly DrawnBox[],
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
  isOver: (one: DrawnBox, other: DrawnBox) => boolean,
): Tree | null {
  const byId = new Map(group.map((box) => [box.id, box]));
  const children = new Map<string, DrawnBox[]>();
  const below = new Set<string>();
  for (const box of group)
    for (const id of neighbours.get(box.id) ?? []) {
      const other = byId.get(id)!;
      if (isOver(box, other) === isOver(other, box)) return null;
      if (!isOver(box, other)) continue;
      if (below.has(id)) return null;
      below.add(id);
      children.set(box.id, [...(children.get(box.id) ?? []), other]);
    }
  const roots = group.filter(({ id }) => !below.has(id));
  return roots.length === 1 ? { root: roots[0]!, children } : null;
}

/** True where each box stands over those below it: its middle is between their edges, along this axis. */
function isBalanced({ children }: Tree, byId: ReadonlyMap<string, DrawnBox>, axis: 'x' | 'y'): boolean {
  const side = axis === 'x' ? 'width' : 'height';
  return [...children].every(([id, below]) => {
    const parent = byId.get(id)!;
    const middle = parent[axis] + parent[side] / 2;
    return below.some((one) => one[axis] <= middle) && below.some((one) => one[axis] + one[side] >= middle);
  });
}

/** The chart that goes down or to the right; null where boxes make none, or either as well as the other. */
function certainTree(group: readonly DrawnBox[], neighbours: ReadonlyMap<string, ReadonlySet<string>>) {
  const down = treeOf(group, neighbours, isAbove);
  const right = treeOf(group, neighbours, isLeft);
  if (down === null || right === null) {
    const tree = down ?? right;
    return tree === null ? null : { ...tree, across: down !== null };
  }
  const byId = new Map(group.map((box) => [box.id, box]));
  const [isDown, isRight] = [isBalanced(down, byId, 'x'), isBalanced(right, byId, 'y')];
  if (isDown === isRight) return null;
  return isDown ? { ...down, across: true } : { ...right, across: false };
}

/** The boxes of a tree as the items of a list, each before those below it. */
function itemsOf({ root, children }: Tree, order: (one: DrawnBox, other: DrawnBox) => number): ListItem[] {
  const items: ListItem[] = [];
  const open = [{ box: root, level: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { box, level } = next;
    items.push({ level, marker: '-', ordered: false, spans: [{ text: box.words }] });
    for (const child of (children.get(box.id) ?? []).toSorted(order).toReversed())
      open.push({ box: child, level: level + 1 });
  }
  return items;
}

/** A list for each tree of boxes, in the order of the boxes; none for boxes whose connections are no tree. */
export function hierarchiesOf(boxes: readonly DrawnBox[], connections: readonly Connection[]): ListItem[][] {
  const byId = boxesById(boxes.filter(({ words }) => words !== ''));
  const neighbours = neighboursOf(connections, byId);
  const told = new Set<string>();
  const lists: ListItem[][] = [];
  for (const { id } of boxes) {
    if (told.has(id) || !neighbours.has(id)) continue;
    const group = connectedTo(id, neighbours).map((one) => byId.get(one)!);
    for (const box of group) told.add(box.id);
    if (group.length < MIN_BOXES) continue;
    const tree = certainTree(group, neighbours);
    if (tree === null) continue;
    const axis = tree.across ? 'x' : 'y';
    lists.push(itemsOf(tree, (one, other) => one[axis] - other[axis]));
  }
  return lists;
}
