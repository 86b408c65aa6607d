import { type XmlElement, attributeOf, childOf, childrenOf } from '../../package/xml.ts';

/** Points an inch has 72 of, and EMU 914,400. */
const EMU_PER_POINT = 12_700;

/** A rectangle in points. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a shape stands in for, as its layout and master have it. */
export interface Placeholder {
  readonly type: string;
  readonly index: string;
}

/** A thing on a slide that holds text, a table or a picture. */
export interface Shape {
  readonly element: XmlElement;
  readonly placeholder: Placeholder | null;
  readonly frame: Frame | null;
  readonly hidden: boolean;
  readonly alt: string | undefined;
}

/** How the places of a group become places of the slide. */
type Place = (frame: Frame) => Frame;

const numberAttribute = (element: XmlElement | undefined, name: string): number =>
  Number(attributeOf(element, name) ?? 0) || 0;

function frameOf(transform: XmlElement | undefined): Frame | null {
  const offset = childOf(transform, 'a:off');
  const extent = childOf(transform, 'a:ext');
  if (offset === undefined || extent === undefined) return null;
  return {
    x: numberAttribute(offset, 'x') / EMU_PER_POINT,
    y: numberAttribute(offset, 'y') / EMU_PER_POINT,
    width: numberAttribute(extent, 'cx') / EMU_PER_POINT,
    height: numberAttribute(extent, 'cy') / EMU_PER_POINT,
  };
}

/** Source: ECMA-376 part 1, 20.1.7.5: the child's own offset and extent are laid on the group's. */
function placeIn(group: XmlElement, outer: Place): Place {
  const transform = childOf(childOf(group, 'p:grpSpPr'), 'a:xfrm');
  const own = frameOf(transform);
  const [offset, extent] = [childOf(transform, 'a:chOff'), childOf(transform, 'a:chExt')];
  if (own === null || offset === undefined || extent === undefined) return outer;
  const [x, y] = [numberAttribute(offset, 'x') / EMU_PER_POINT, numberAttribute(offset, 'y') / EMU_PER_POINT];
  const scaleX = numberAttribute(extent, 'cx') > 0 ? own.width / (numberAttribute(extent, 'cx') / EMU_PER_POINT) : 1;
  const scaleY = numberAttribute(extent, 'cy') > 0 ? own.height / (numberAttribute(extent, 'cy') / EMU_PER_POINT) : 1;
  return (frame) =>
    outer({
      x: own.x + (frame.x - x) * scaleX,
      y: own.y + (frame.y - y) * scaleY,
      width: frame.width * scaleX,
      height: frame.height * scaleY,
    });
}

/** The part of a shape that names it and says what it stands in for. */
const namesOf = (shape: XmlElement): XmlElement | undefined => {
  for (const child of childrenOf(shape)) if (/^p:nv(?:Sp|Pic|GraphicFrame)Pr$/.test(child.name)) return child;
  return undefined;
};

function shapeOf(element: XmlElement, place: Place): Shape {
  const names = namesOf(element);
  const own = childOf(names, 'p:cNvPr');
  const ph = childOf(childOf(names, 'p:nvPr'), 'p:ph');
  const transform = childOf(element, 'p:xfrm') ?? childOf(childOf(element, 'p:spPr'), 'a:xfrm');
  const frame = frameOf(transform);
  return {
    element,
    placeholder:
      ph === undefined ? null : { type: attributeOf(ph, 'type') ?? 'obj', index: attributeOf(ph, 'idx') ?? '0' },
    frame: frame === null ? null : place(frame),
    hidden: ['1', 'true'].includes(attributeOf(own, 'hidden') ?? '0'),
    alt: attributeOf(own, 'descr') || attributeOf(own, 'title') || undefined,
  };
}

const shapeElements = new Set(['p:sp', 'p:pic', 'p:graphicFrame', 'p:cxnSp']);

/** Shapes of a slide, a layout or a master in the order in which they lie over each other, those of groups too. */
export function shapesOf(root: XmlElement | undefined, depth: number): Shape[] {
  const shapes: Shape[] = [];
  const walk = (tree: XmlElement | undefined, place: Place, left: number): void => {
    if (left < 0) return;
    for (const child of childrenOf(tree)) {
      if (shapeElements.has(child.name)) shapes.push(shapeOf(child, place));
      else if (child.name === 'p:grpSp') walk(child, placeIn(child, place), left - 1);
      else if (child.name === 'mc:AlternateContent')
        walk(childOf(child, 'mc:Choice') ?? childOf(child, 'mc:Fallback'), place, left - 1);
    }
  };
  walk(childOf(childOf(root, 'p:cSld'), 'p:spTree'), (frame) => frame, depth);
  return shapes;
}

const titlePlaceholders = new Set(['title', 'ctrTitle']);
export const isTitle = (shape: Shape): boolean => titlePlaceholders.has(shape.placeholder?.type ?? '');

/** What a placeholder of a layout or master is the same as. */
export function matchingShape(shapes: readonly Shape[], wanted: Placeholder): Shape | undefined {
  const same = (type: string) =>
    titlePlaceholders.has(type) ? 'title' : type === 'subTitle' || type === 'obj' ? 'body' : type;
  const withPlace = shapes.filter(({ placeholder }) => placeholder !== null);
  return (
    withPlace.find(({ placeholder }) => placeholder?.index === wanted.index && placeholder.index !== '0') ??
    withPlace.find(({ placeholder }) => same(placeholder?.type ?? '') === same(wanted.type))
  );
}

/** Shapes stand in one row when they overlap by more than this share of the lower one's height. */
const MIN_ROW_OVERLAP_SHARE = 0.5;

/** As people read: the title, then from the top down, and from left to right what stands side by side. */
export function inReadingOrder(shapes: readonly Shape[]): Shape[] {
  const title = shapes.filter(isTitle);
  const rest = shapes.filter((shape) => !isTitle(shape));
  const placed = rest.filter(({ frame }) => frame !== null).toSorted((a, b) => (a.frame?.y ?? 0) - (b.frame?.y ?? 0));
  const rows: Shape[][] = [];
  for (const shape of placed) {
    const row = rows.at(-1);
    const first = row?.[0]?.frame;
    const { frame } = shape;
    if (row !== undefined && first && frame) {
      const overlap = Math.min(first.y + first.height, frame.y + frame.height) - Math.max(first.y, frame.y);
      if (overlap > MIN_ROW_OVERLAP_SHARE * Math.min(first.height, frame.height)) {
        row.push(shape);
        continue;
      }
    }
    rows.push([shape]);
  }
  const ordered = rows.flatMap((row) => row.toSorted((a, b) => (a.frame?.x ?? 0) - (b.frame?.x ?? 0)));
  return [...title, ...ordered, ...rest.filter(({ frame }) => frame === null)];
}
