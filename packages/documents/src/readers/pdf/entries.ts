import type { TextEntry } from './content.ts';
import { boundingRect, median } from './geometry.ts';
import type { Fill } from './graphics.ts';
import type { Glyph } from './glyphs.ts';
import { linesOf } from './lines.ts';
import { type Paragraph, type ParagraphContext, paragraphsOf } from './paragraphs.ts';
import { turnGlyph, turnRectBack } from './turned.ts';
import { smallest } from '../../package/extremes.ts';

/** What is known of the page that entries are read from. */
export interface AreaContext extends ParagraphContext {
  readonly page: number;
  readonly fills: readonly Fill[];
  readonly levelOf: (mark: number) => number | undefined;
  readonly countCells: (count: number) => void;
  readonly mayNest: (depth: number) => boolean;
}

/** A paragraph as it is kept: without its letters. */
export function textEntry(paragraph: Paragraph, context: AreaContext, right = Infinity): TextEntry {
  const { x0, y0, x1, y1, spans, text, lines, size, bold, face, hidden, fixed } = paragraph;
  const last = lines.at(-1)!;
  const glyph = lines[0]!.glyphs[0]!;
  const level = glyph.look.mark < 0 ? undefined : context.levelOf(glyph.look.mark);
  const left = smallest(lines.map((line) => line.x0));
  const code = fixed
    ? lines.map((line) => ' '.repeat(Math.min(80, Math.round((line.x0 - left) / (0.6 * line.size)))) + line.text)
    : null;
  return {
    kind: 'text',
    x0,
    y0,
    x1,
    y1,
    spans,
    text,
    size,
    bold,
    face,
    hidden,
    code,
    lines: lines.length,
    banner: false,
    full: last.x1 > right - 1.2 * size,
    openEnd: last.openEnd,
    ...(level === undefined ? {} : { level }),
  };
}

/** Letters that stand on their side, turned upright to make lines of them. */
export function turnedEntries(glyphs: readonly Glyph[], context: AreaContext): TextEntry[] {
  const entries: TextEntry[] = [];
  for (const quarter of [1, 2, 3] as const) {
    const some = glyphs.filter(({ look }) => look.quarter === quarter);
    if (some.length === 0) continue;
    const lines = linesOf(some.map((glyph) => turnGlyph(glyph, quarter)));
    for (const paragraph of paragraphsOf(lines, Infinity, { ...context, linkOf: () => undefined }))
      entries.push({ ...textEntry(paragraph, context), ...turnRectBack(paragraph, quarter), aside: true });
  }
  return entries;
}

/** Letters at any other angle, as stamps across a page have: in the order of the file. */
export function slantedEntries(glyphs: readonly Glyph[]): TextEntry[] {
  const some = glyphs.filter(({ look }) => look.quarter === null);
  const text = some
    .map((glyph) => glyph.text)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toWellFormed();
  if (text === '') return [];
  const size = median(some.map(({ look }) => look.size));
  const hidden = some.every((glyph) => glyph.hidden);
  return [
    {
      kind: 'text',
      ...boundingRect(some),
      spans: [{ text }],
      text,
      lines: 1,
      size,
      bold: false,
      face: '',
      hidden,
      code: null,
      banner: false,
      full: false,
      openEnd: false,
      aside: true,
    },
  ];
}
