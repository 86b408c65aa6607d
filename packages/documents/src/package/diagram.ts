import type { ListItem } from '../document.ts';
import { type GraphicWords, diagramText, graphicText } from './chart.ts';
import { type XmlElement, attributeOf, childOf, childrenOf } from './xml.ts';

/** What a diagram (SmartArt) says, and who stands below whom in it, where it has levels. */
export interface DiagramWords extends GraphicWords {
  readonly outline?: readonly ListItem[];
}

/** More levels, and points, come from damage. */
const MAX_LEVEL = 50;
const MAX_POINTS = 5_000;

interface Child {
  readonly id: string;
  readonly order: number;
}

/** Points by the point that they belong to. Source: ECMA-376 part 1, 21.4.2.7 (`cxn`): a connection without a type is that of a parent. */
function childrenById(root: XmlElement): Map<string, Child[]> {
  const children = new Map<string, Child[]>();
  for (const one of childrenOf(childOf(root, 'dgm:cxnLst'), 'dgm:cxn')) {
    if ((attributeOf(one, 'type') ?? 'parOf') !== 'parOf') continue;
    const parent = attributeOf(one, 'srcId') ?? '';
    const child = { id: attributeOf(one, 'destId') ?? '', order: Number(attributeOf(one, 'srcOrd') ?? 0) || 0 };
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [child]);
    else siblings.push(child);
  }
  return children;
}

/** The points of a diagram as items of a list, each before those below it; none where all stand at one level. */
function outlineOf(root: XmlElement): ListItem[] {
  const words = new Map<string, string>();
  let top: string | undefined;
  for (const point of childrenOf(childOf(root, 'dgm:ptLst'), 'dgm:pt')) {
    const id = attributeOf(point, 'modelId') ?? '';
    const type = attributeOf(point, 'type') ?? 'node';
    if (type === 'doc') top = id;
    const text = childOf(point, 'dgm:t');
    if ((type === 'node' || type === 'asst') && text !== undefined && words.size < MAX_POINTS)
      words.set(id, diagramText(text).replaceAll(/\s+/gu, ' '));
  }
  if (top === undefined) return [];
  const children = childrenById(root);
  const items: ListItem[] = [];
  const seen = new Set([top]);
  const open = [{ id: top, level: -1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { id, level } = next;
    const text = words.get(id) ?? '';
    if (level >= 0 && text !== '') items.push({ level, marker: '-', ordered: false, spans: [{ text }] });
    // Those below a point without words stand where it would.
    const below = level < 0 || text !== '' ? level + 1 : level;
    for (const child of (children.get(id) ?? []).toSorted((a, b) => b.order - a.order)) {
      if (seen.has(child.id) || below > MAX_LEVEL) continue;
      seen.add(child.id);
      open.push({ id: child.id, level: below });
    }
  }
  return items.some(({ level }) => level > 0) ? items : [];
}

export function diagramWords(root: XmlElement): DiagramWords {
  const outline = outlineOf(childOf(root, 'dgm:dataModel') ?? root);
  return { ...graphicText(diagramText(root)), ...(outline.length === 0 ? {} : { outline }) };
}
