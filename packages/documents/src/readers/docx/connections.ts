import type { ListItem } from '../../document.ts';
import { type Connection, type DrawnBox, hierarchiesOf } from '../../package/hierarchy.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';

/** Paragraphs within each other (boxes within boxes) that are looked at. */
const MAX_DEPTH = 12;

function wordsOf(element: XmlElement | undefined, depth = 0): string {
  let words = '';
  for (const child of childrenOf(element)) {
    if (child.name === 'w:t') words += innerText(child);
    else if (depth < MAX_DEPTH) words += wordsOf(child, depth + 1);
    if (child.name === 'w:p') words += ' ';
  }
  return words;
}

const lengthOf = (element: XmlElement | undefined, name: string): number =>
  Number(attributeOf(element, name) ?? 0) || 0;

/** The shapes at the ends of a connector. Source: ECMA-376 part 1, 20.1.2.2.14 and 20.1.2.2.36 (`endCxn`, `stCxn`). */
function connectionOf(shape: XmlElement): Connection | null {
  const ends = childOf(shape, 'wps:cNvCnPr');
  const [from, to] = ['a:stCxn', 'a:endCxn'].map((name) => attributeOf(childOf(ends, name), 'id'));
  return from === undefined || to === undefined ? null : [from, to];
}

/** Lists of who stands below whom among the shapes of a group, where connectors hold them together. */
export function connectedShapes(frame: XmlElement): ListItem[][] {
  const group = childOf(childOf(childOf(frame, 'a:graphic'), 'a:graphicData'), 'wpg:wgp');
  const shapes = [...childrenOf(group, 'wps:wsp')];
  const connections = shapes.flatMap((shape) => {
    const found = connectionOf(shape);
    return found === null ? [] : [found];
  });
  if (connections.length === 0) return [];
  const boxes = shapes.map((shape): DrawnBox => {
    const place = childOf(childOf(shape, 'wps:spPr'), 'a:xfrm');
    const [offset, extent] = [childOf(place, 'a:off'), childOf(place, 'a:ext')];
    return {
      id: attributeOf(childOf(shape, 'wps:cNvPr'), 'id') ?? '',
      words: wordsOf(childOf(shape, 'wps:txbx')).replaceAll(/\s+/gu, ' ').trim(),
      x: lengthOf(offset, 'x'),
      y: lengthOf(offset, 'y'),
      width: lengthOf(extent, 'cx'),
      height: lengthOf(extent, 'cy'),
    };
  });
  return hierarchiesOf(boxes, connections);
}
