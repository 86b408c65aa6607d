import type { ListItem } from '../../document.ts';
import { type Connection, type DrawnBox, hierarchiesOf } from '../../package/hierarchy.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import { integerOf } from './header.ts';
import { shapeElements } from './inline.ts';

/** Groups within groups that are looked at. */
const MAX_DEPTH = 8;

/** The words of a shape, without those of its caption. */
function wordsOf(shape: XmlElement): string {
  const words: string[] = [];
  for (const list of childrenOf(childOf(shape, 'hp:drawText'), 'hp:subList'))
    for (const paragraph of childrenOf(list, 'hp:p'))
      for (const run of childrenOf(paragraph, 'hp:run'))
        for (const text of childrenOf(run, 'hp:t')) words.push(innerText(text));
  return words.join(' ').replaceAll(/\s+/gu, ' ').trim();
}

/** Offsets left of and above an edge are written as numbers without a sign. */
const signed = (element: XmlElement | undefined, name: string): number => integerOf(element, name) | 0;

/** A shape of a group, by its place in that. */
function groupedBox(shape: XmlElement): Omit<DrawnBox, 'id' | 'words'> {
  const offset = childOf(shape, 'hp:offset');
  const [current, original] = [childOf(shape, 'hp:curSz'), childOf(shape, 'hp:orgSz')];
  return {
    x: signed(offset, 'x'),
    y: signed(offset, 'y'),
    width: integerOf(current, 'width') || integerOf(original, 'width'),
    height: integerOf(current, 'height') || integerOf(original, 'height'),
  };
}

/** What the places of shapes that hang on one paragraph count from; null where that follows the text. */
function originOf(shape: XmlElement): string | null {
  const place = childOf(shape, 'hp:pos');
  const inLine = attributeOf(place, 'treatAsChar') === '1';
  const aligned = [attributeOf(place, 'vertAlign') ?? 'TOP', attributeOf(place, 'horzAlign') ?? 'LEFT'].join(' ');
  if (place === undefined || inLine || aligned !== 'TOP LEFT') return null;
  return `${attributeOf(place, 'vertRelTo')} ${attributeOf(place, 'horzRelTo')}`;
}

function freeBox(shape: XmlElement): Omit<DrawnBox, 'id' | 'words'> {
  const [place, size] = [childOf(shape, 'hp:pos'), childOf(shape, 'hp:sz')];
  return {
    x: signed(place, 'horzOffset'),
    y: signed(place, 'vertOffset'),
    width: integerOf(size, 'width'),
    height: integerOf(size, 'height'),
  };
}

/** The shapes that a line is tied to. Source: KS X 6101, connectLine. */
function connectionOf(line: XmlElement): Connection | null {
  const [from, to] = ['hp:startPt', 'hp:endPt'].map((name) => attributeOf(childOf(line, name), 'subjectIDRef'));
  return from === undefined || to === undefined ? null : [from, to];
}

function listsOf(shapes: readonly XmlElement[], placeOf: (shape: XmlElement) => Omit<DrawnBox, 'id' | 'words'>) {
  const connections = shapes.flatMap((shape) => {
    const found = shape.name === 'hp:connectLine' ? connectionOf(shape) : null;
    return found === null ? [] : [found];
  });
  if (connections.length === 0) return [];
  const boxes = shapes
    .filter(({ name }) => name !== 'hp:connectLine')
    .map((shape): DrawnBox => ({
      ...placeOf(shape),
      id: attributeOf(shape, 'instid') ?? '',
      words: wordsOf(shape),
    }));
  return hierarchiesOf(boxes, connections);
}

/** Lists of who stands below whom among the shapes that hang on a paragraph, where connecting lines hold them together. */
export function connectedShapes(paragraph: XmlElement): ListItem[][] {
  const free = [...childrenOf(paragraph, 'hp:run')].flatMap((run) =>
    [...childrenOf(run)].filter(({ name }) => shapeElements.has(name)),
  );
  if (free.length === 0) return [];
  const origins = new Set(free.filter(({ name }) => name !== 'hp:connectLine').map(originOf));
  const lists = origins.size === 1 && !origins.has(null) ? listsOf(free, freeBox) : [];
  const walk = (shapes: readonly XmlElement[], depth: number): void => {
    for (const group of shapes) {
      if (group.name !== 'hp:container' || depth > MAX_DEPTH) continue;
      const inner = [...childrenOf(group)].filter(({ name }) => shapeElements.has(name));
      lists.push(...listsOf(inner, groupedBox));
      walk(inner, depth + 1);
    }
  };
  walk(free, 0);
  return lists;
}
