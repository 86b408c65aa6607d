import type { Block, List, ListItem, Span } from '../../document.ts';
import { plain } from '../../document.ts';
import { blockText } from '../../render/text.ts';
import type { Look } from './letters.ts';
import { type Measure, setLines, type TextLine } from './lines.ts';

/** A line with its place from the left, and the white above it. */
export interface SetLine {
  readonly line: TextLine;
  readonly x: number;
  readonly before: number;
}

/** What stands together under one name of the structure of the file. */
export interface SetPart {
  readonly tag: string;
  readonly lines: readonly SetLine[];
  /** Of a heading, for the outline. */
  readonly level?: number;
  readonly ground?: 'code' | 'quote';
}

export const BODY_SIZE = 10.5;
/** Points, by level. */
const headingSizes = [16, 14, 12.5, 11.5, 10.5, 10.5];
/** White above paragraphs, in points: with less, readers take short ones, and points of lists, for lines of one. */
export const PARAGRAPH_SPACE = 12;
const HEADING_SPACE = 16;
const ITEM_SPACE = 2;
const LIST_INDENT = 16;
const QUOTE_INDENT = 14;

interface Shape {
  readonly look: Look;
  readonly before?: number;
  readonly indent?: number;
  readonly centred?: boolean;
}

function setText(
  spans: readonly Span[],
  width: number,
  { look, before = 0, indent = 0, centred = false }: Shape,
  measure: Measure,
): SetLine[] {
  return setLines(spans, look, width - indent, measure).map((line, at) => ({
    line,
    x: centred ? Math.max(0, (width - line.width) / 2) : indent,
    before: at === 0 ? before : 0,
  }));
}

function setItem({ level, marker, spans }: ListItem, width: number, measure: Measure): SetLine[] {
  const look = { size: BODY_SIZE };
  const indent = Math.min(LIST_INDENT * (level + 1) - 8, width / 2);
  // In the typefaces that have its letters, as all text is.
  const [mark] = setLines([{ text: marker === '' ? '•' : marker }], look, Infinity, measure);
  const own = mark?.width ?? 0;
  const hang = Math.min(own + measure.widthOf(' ', look), width / 4);
  return setLines(spans, look, width - indent - hang, measure).map((line, at) => {
    if (at > 0) return { line, x: indent + hang, before: 0 };
    const pieces = line.pieces.map((piece) => ({ ...piece, x: piece.x + hang }));
    return {
      line: { ...line, pieces: [...(mark?.pieces ?? []), ...pieces], width: line.width + hang },
      x: indent,
      before: ITEM_SPACE,
    };
  });
}

const setList = ({ items }: List, width: number, measure: Measure): SetPart[] =>
  items.map((item, at) => {
    const lines = setItem(item, width, measure);
    return { tag: 'LI', lines: at === 0 ? withSpace(lines, PARAGRAPH_SPACE) : lines };
  });

/** Lines with so much white above the first. */
export const withSpace = (lines: readonly SetLine[], before: number): readonly SetLine[] =>
  lines.map((line, at) => (at === 0 ? { ...line, before } : line));

const titles = { title: { size: 19, before: 0 }, subtitle: { size: 13, before: 2 } } as const;

/** The lines of a block that is text; of others their words. `bold`: as in the heads of tables. */
export function setBlock(block: Block, width: number, measure: Measure, bold = false): SetPart[] {
  const body: Look = { size: BODY_SIZE, ...(bold ? { bold } : {}) };
  const text = (spans: readonly Span[], shape: Shape, tag = 'P'): SetPart[] => [
    { tag, lines: setText(spans, width, shape, measure) },
  ];
  switch (block.type) {
    case 'heading': {
      const look = { size: headingSizes[block.level - 1] ?? BODY_SIZE, bold: true };
      const lines = setText(block.spans, width, { look, before: HEADING_SPACE }, measure);
      return [{ tag: `H${block.level}`, lines, level: block.level }];
    }
    case 'paragraph': {
      const { role } = block;
      if (role === 'title' || role === 'subtitle') {
        const { size, before } = titles[role];
        return text(
          block.spans,
          { look: { size, bold: role === 'title' }, before, centred: true },
          role === 'title' ? 'H1' : 'P',
        );
      }
      if (role !== 'quote') return text(block.spans, { look: body, before: PARAGRAPH_SPACE });
      const lines = setText(block.spans, width, { look: body, before: PARAGRAPH_SPACE, indent: QUOTE_INDENT }, measure);
      return [{ tag: 'BlockQuote', lines, ground: 'quote' }];
    }
    case 'list':
      return setList(block, width, measure);
    case 'equation':
      return text(plain(block.latex), { look: body, before: PARAGRAPH_SPACE }, 'Formula');
    case 'code': {
      const lines = setText(
        plain(block.text),
        width,
        { look: { size: 9.5 }, before: PARAGRAPH_SPACE, indent: 6 },
        measure,
      );
      return block.text === '' ? [] : [{ tag: 'Code', lines, ground: 'code' }];
    }
    case 'table':
    case 'image': {
      const words = blockText(block);
      return words.trim() === '' ? [] : text(plain(words), { look: body, before: PARAGRAPH_SPACE });
    }
    // Notes hang on what refers to them; heads and feet of pages are not running text.
    case 'footnote':
    case 'header':
    case 'footer':
      return [];
  }
}

export const captionOf = (spans: readonly Span[], width: number, measure: Measure): SetPart => ({
  tag: 'Caption',
  lines: setText(spans, width, { look: { size: 10 }, before: 6, centred: true }, measure),
});
