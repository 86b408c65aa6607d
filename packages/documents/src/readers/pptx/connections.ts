import type { List } from '../../document.ts';
import { diagramText } from '../../package/chart.ts';
import { type Connection, type DrawnBox, hierarchiesOf } from '../../package/hierarchy.ts';
import { attributeOf, childOf } from '../../package/xml.ts';
import type { Shape } from './shapes.ts';

const idOf = ({ element }: Shape): string => attributeOf(childOf(childOf(element, 'p:nvSpPr'), 'p:cNvPr'), 'id') ?? '';

/** The shapes at the ends of a connector. Source: ECMA-376 part 1, 20.1.2.2.14 and 20.1.2.2.36 (`endCxn`, `stCxn`). */
function connectionOf({ element }: Shape): Connection | null {
  const ends = childOf(childOf(element, 'p:nvCxnSpPr'), 'p:cNvCxnSpPr');
  const [from, to] = ['a:stCxn', 'a:endCxn'].map((name) => attributeOf(childOf(ends, name), 'id'));
  return from === undefined || to === undefined ? null : [from, to];
}

/** Lists of who stands below whom in the charts of a slide whose boxes connectors hold together. */
export function connectedBoxes(shapes: readonly Shape[], place: Pick<List, 'page' | 'source'>): List[] {
  const connections = shapes.flatMap((shape) => {
    const found = shape.element.name === 'p:cxnSp' ? connectionOf(shape) : null;
    return found === null ? [] : [found];
  });
  if (connections.length === 0) return [];
  const boxes = shapes.flatMap((shape): DrawnBox[] => {
    const { element, frame, hidden } = shape;
    const body = childOf(element, 'p:txBody');
    if (element.name !== 'p:sp' || frame === null || hidden || body === undefined) return [];
    return [{ ...frame, id: idOf(shape), words: diagramText(body).replaceAll(/\s+/gu, ' ') }];
  });
  return hierarchiesOf(boxes, connections).map((items): List => ({ type: 'list', ...place, items }));
}
