import type { Span } from '../../document.ts';
import type { Relations } from '../../package/relations.ts';
import { type XmlElement, attributeOf, childOf, childrenOf, innerText } from '../../package/xml.ts';
import { type Area, cellArea } from './cell-references.ts';

interface Placed {
  readonly row: number;
  readonly column: number;
  readonly spans: readonly Span[];
}

/** As many areas of several cells that lead somewhere are looked at. */
const MAX_AREAS = 1_000;

const isOne = ({ top, left, bottom, right }: Area): boolean => top === bottom && left === right;

/** Cells with the addresses that they lead to. Source: ECMA-376 part 1, 18.3.1.47. */
export function withLinks<Cell extends Placed>(cells: readonly Cell[], root: XmlElement, relations: Relations): Cell[] {
  const places = new Map<string, string>();
  const areas: { readonly area: Area; readonly link: string }[] = [];
  for (const one of childrenOf(childOf(root, 's:hyperlinks'), 's:hyperlink')) {
    const area = cellArea(attributeOf(one, 'ref'));
    const relation = relations.get(attributeOf(one, 'r:id') ?? '');
    if (area === null || relation?.external !== true) continue;
    if (isOne(area)) places.set(`${area.top} ${area.left}`, relation.target);
    else if (areas.length < MAX_AREAS) areas.push({ area, link: relation.target });
  }
  if (places.size === 0 && areas.length === 0) return [...cells];
  return cells.map((cell) => {
    const { row, column } = cell;
    const link =
      places.get(`${row} ${column}`) ??
      areas.find(
        ({ area: { top, left, bottom, right } }) => row >= top && row <= bottom && column >= left && column <= right,
      )?.link;
    return link === undefined ? cell : { ...cell, spans: withLink(cell.spans, link) };
  });
}

export const withLink = (spans: readonly Span[], link: string): Span[] => spans.map((span) => ({ ...span, link }));

/** The address that a formula leads to, where it does nothing else; undefined for any other. */
export const formulaLink = (cell: XmlElement): string | undefined =>
  /^HYPERLINK\(\s*"([^"]{1,2000})"/i.exec(innerText(childOf(cell, 's:f')).trimStart())?.[1];
