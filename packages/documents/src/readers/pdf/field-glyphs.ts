import { fieldSpan } from '../../text/form-fields.ts';
import { type FormBox, labelBeside } from './form-boxes.ts';
import { type Rect, boxOf, heightOf, isCentredIn, widthOf } from './geometry.ts';
import type { Glyph, Look } from './glyphs.ts';
import { isBoxSized } from './small-shapes.ts';
import type { Widget } from './widgets.ts';

/** Stands for a field in which nothing was filled in: it is no blank, which would be left out, and takes no room. */
export const EMPTY_FIELD = '\u200b';

const DEFAULT_SIZE_POINTS = 10;
/** Width of a letter against its height, where a field does not tell. */
const LETTER_WIDTH_EM = 0.6;

const plainLook = (size: number): Look => ({
  size,
  bold: false,
  italic: false,
  fixed: false,
  signs: false,
  colour: 0,
  invisible: false,
  quarter: 0,
  mark: -1,
});

const rectOf = ({ x0, y0, x1, y1 }: Rect): Rect => ({ x0, y0, x1, y1 });

/** A box to tick as a letter that stands on the line of its label, right beside it. */
function boxGlyph(box: Rect, text: string, glyphs: readonly Glyph[]): Omit<Glyph, 'field'> {
  const label = labelBeside(box, glyphs);
  if (label === null) {
    const size = heightOf(box);
    return { ...rectOf(box), text, base: box.y1 - 0.15 * size, look: plainLook(size), hidden: false, apart: false };
  }
  const { base, look, y0, y1 } = label;
  const behind = label.x0 >= box.x1 - 2;
  return {
    x0: box.x0,
    x1: behind ? label.x0 : box.x1,
    y0,
    y1,
    text,
    base,
    look: { ...look, mark: -1 },
    hidden: false,
    apart: false,
  };
}

/** What was typed into a field or over the page, line by line, as letters at its place. */
function typedGlyphs(widget: Widget, glyphs: readonly Glyph[]): Glyph[] {
  const { field, text } = widget;
  const label = labelBeside({ ...widget, y1: Math.min(widget.y1, widget.y0 + 2 * DEFAULT_SIZE_POINTS) }, glyphs);
  const fitting = Math.min(DEFAULT_SIZE_POINTS, 0.8 * heightOf(widget));
  const size = widget.size > 1 ? widget.size : (label?.look.size ?? fitting);
  const lines = text.split(/\r\n?|\n/u).map((line) => line.replaceAll(/\s+/gu, ' ').trim());
  const shown = field === null ? lines.filter((line) => line !== '') : [lines.join(' ').trim() || EMPTY_FIELD];
  const single = heightOf(widget) < 2 * size;
  return shown.map((line, at): Glyph => {
    const y0 = single ? widget.y0 + (heightOf(widget) - size) / 2 : widget.y0 + 2 + at * 1.2 * size;
    const base = at === 0 && single && label !== null ? label.base : y0 + 0.85 * size;
    const width = Math.min(widthOf(widget), Math.max(size, line.length * LETTER_WIDTH_EM * size));
    return {
      x0: widget.x0,
      x1: widget.x0 + width,
      y0,
      y1: y0 + size,
      text: line,
      base,
      look: label === null ? plainLook(size) : { ...label.look, size, mark: -1 },
      hidden: false,
      apart: false,
      ...(field === null ? {} : { field: { ...field, box: boxOf(widget) } }),
    };
  });
}

/** The fields of a page as letters among the others. A box that is drawn where a field of the file stands is that field. */
export function fieldGlyphs(widgets: readonly Widget[], boxes: readonly FormBox[], glyphs: readonly Glyph[]): Glyph[] {
  const isField = (box: Rect) =>
    widgets.some((widget) => widget.field !== null && isBoxSized(widget) && isCentredIn(box, widget));
  const drawn = boxes
    .filter((box) => !isField(box))
    .map((box): Glyph => {
      const field = { kind: box.round ? ('radio' as const) : ('checkbox' as const), checked: box.checked };
      return { ...boxGlyph(box, fieldSpan(field).text, glyphs), field: { ...field, box: boxOf(box) } };
    });
  const filled = widgets.flatMap((widget): Glyph[] => {
    const { field } = widget;
    if (field === null || (field.kind !== 'checkbox' && field.kind !== 'radio')) return typedGlyphs(widget, glyphs);
    const { label: _, ...shown } = field;
    return [{ ...boxGlyph(widget, fieldSpan(shown).text, glyphs), field: { ...field, box: boxOf(widget) } }];
  });
  return [...drawn, ...filled];
}
