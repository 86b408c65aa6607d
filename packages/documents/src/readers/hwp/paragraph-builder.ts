import type { Block } from '../../document.ts';
import { append } from '../../package/append.ts';
import type { DocInfo, ParaShape, Style } from './doc-info.ts';
import type { ControlContent } from './control-content.ts';
import type { Mark, Numbering } from './numbering.ts';
import type { PageTracker } from './pages.ts';
import { type Area, boxOf, objectArea, type Paper } from './places.ts';
import { type BlockItem, type Item, pageOf, type Place } from './session.ts';
import { createSpanBuilder, type SpanBuilder } from './spans.ts';

/** Letters of a heading; longer paragraphs are text whatever their style. */
const MAX_HEADING_LENGTH = 120;
const headingStyle = /^(?:개요|제목|outline|heading)\s*(\d{1,2})$/iu;

/** The level that a paragraph's shape or style gives it, from 1; null for running text. */
const givenLevel = (shape: ParaShape, styleName: string, englishName: string): number | null => {
  if (shape.head === 'outline') return shape.level < 6 ? shape.level + 1 : null;
  const named = headingStyle.exec(styleName) ?? headingStyle.exec(englishName);
  const level = Number(named?.[1] ?? 0);
  return level >= 1 && level <= 6 ? level : null;
};

type Objects = Extract<ControlContent, { readonly kind: 'objects' }>;

/** A table with the places of its cells, which ends where the page does. */
function withCells({ block, areas }: BlockItem, table: Area, paper: Paper): Block {
  if (block.type !== 'table' || areas === undefined) return block;
  const low = table.y + table.height;
  const cells = block.cells.map((cell, at) => {
    const area = areas[at] ?? null;
    if (area === null) return cell;
    const y = table.y + area.y;
    const box = boxOf({ ...area, x: table.x + area.x, y, height: Math.min(area.height, low - y) }, paper);
    return box === null ? cell : { ...cell, box };
  });
  return { ...block, cells };
}

/** What a paragraph is, before any of its text. */
interface ParagraphLook {
  readonly shape: ParaShape;
  readonly style: Pick<Style, 'name' | 'englishName'> | undefined;
  /** True when it has words of its own, into which those of a small object go. */
  readonly inText: boolean;
}

/** What it needs of what the parts of a reader share. */
export interface BuilderSession {
  readonly info: Pick<DocInfo, 'fills'>;
  readonly numbering: Numbering;
  readonly outline: number;
  readonly paged: boolean;
  readonly tracker: Pick<PageTracker, 'page' | 'box' | 'firstLine'>;
}

/** Puts the items of one paragraph together, in HWP 5 and HWPX alike. */
export interface ParagraphBuilder {
  readonly text: SpanBuilder;
  /** What stands in the text where it has come to. */
  put(found: ControlContent): void;
  /** The items in the order of reading. `line` is the top of the first line, where that is known. */
  items(line: number | undefined): Item[];
}

export function createParagraphBuilder(
  session: BuilderSession,
  place: Place,
  { shape, style, inText }: ParagraphLook,
): ParagraphBuilder {
  const text = createSpanBuilder();
  const items: Item[] = [];
  const floating: Objects[] = [];
  const notes: Block[] = [];
  const ink = session.info.fills[shape.borderFill - 1] !== true && !place.filled;
  let mark: Mark | null = session.numbering.next(shape, session.outline);

  const flush = (): void => {
    const spans = text.take();
    if (spans.length === 0) return;
    const looks = text.looks();
    const length = spans.reduce((sum, span) => sum + span.text.length, 0);
    items.push({
      kind: 'text',
      spans,
      mark,
      given: length <= MAX_HEADING_LENGTH ? givenLevel(shape, style?.name ?? '', style?.englishName ?? '') : null,
      styleName: style?.name ?? '',
      size: looks.size,
      bold: looks.bold,
      hidden: ink && looks.white && place.kind === 'body',
      page: pageOf(session, place),
    });
    mark = null;
  };

  /** A paragraph is in one piece while nothing stands between its words, nor in their place. */
  let whole = true;
  let objects = 0;

  /** Gives what the file places on the page its box there: a table, a picture, or all that one frame holds. */
  const placed = (found: Objects): Objects => {
    const line = place.kind === 'body' && session.paged ? session.tracker.firstLine() : null;
    // Where in a line something stands is not known beside words, blanks and other objects.
    const isFirst = !inText && objects === 0 && text.isEmpty();
    const isKnown = found.place !== undefined && (!found.place.inline || isFirst);
    objects++;
    if (line === null || found.place === undefined || !isKnown) return found;
    const area = objectArea(found.place, line, shape.alignment);
    const box = area === null ? null : boxOf(area, line.paper);
    if (area === null || box === null) return found;
    const page = session.tracker.page();
    const items = found.items.map((item): Item => {
      if (item.kind === 'text') return item.page === page && found.items.length === 1 ? { ...item, box } : item;
      const { block } = item;
      const isIt = block.type === 'table' || block.type === 'image' || found.items.length === 1;
      return isIt && block.page === page && block.type !== 'footnote'
        ? { ...item, block: { ...withCells(item, area, line.paper), box } }
        : item;
    });
    return { ...found, items };
  };

  const putObjects = (given: Objects): void => {
    const found = placed(given);
    if (found.top === null && found.words === null) whole = false;
    if (found.words !== null && inText) for (const span of found.words) text.span(span);
    else if (found.top === null && found.splits) {
      flush();
      append(items, found.items);
    } else if (found.top === null && !text.hasText()) append(items, found.items);
    else floating.push(found);
  };

  return {
    text,
    put(found) {
      if (found.kind === 'spans') for (const span of found.spans) text.span(span);
      else if (found.kind === 'note') {
        text.span(found.span);
        notes.push(found.note);
      } else if (found.kind === 'objects') putObjects(found);
    },
    items(line) {
      flush();
      const texts = items.filter((item) => item.kind === 'text');
      const box = whole && texts.length === 1 && place.kind === 'body' ? session.tracker.box() : null;
      if (session.paged && box !== null)
        for (const [at, item] of items.entries()) if (item.kind === 'text') items[at] = { ...item, box };
      const ordered = floating.toSorted((a, b) => (a.top ?? 0) - (b.top ?? 0));
      // What stands on the page above the first line is read before it.
      const isAbove = ({ top }: Objects): boolean => line !== undefined && top !== null && top <= line;
      const all = ordered.filter(isAbove).flatMap((found) => found.items);
      append(all, items);
      for (const found of ordered) if (!isAbove(found)) append(all, found.items);
      for (const block of notes) all.push({ kind: 'block', block });
      return all;
    },
  };
}
