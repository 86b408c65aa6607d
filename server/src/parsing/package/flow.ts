import { headingLevels, isContentsLine, markerOf, type Candidate } from '../text/korean-headings.ts';
import { textOf, type Block, type List, type ListItem, type Paragraph, type Span } from '../document.ts';
import { contentsEntries, titleOf } from '../readers/hwp/headings.ts';
import type { TextItem } from '../readers/hwp/session.ts';
import { trimmed } from './spans.ts';

/** The number or bullet before a paragraph, as it is shown. */
export interface Mark {
  readonly text: string;
  readonly ordered: boolean;
  /** 0 is the outermost. */
  readonly level: number;
  /** What numbers it; a new one at the outermost level begins a new list. */
  readonly list: string;
}

/** A paragraph as the file has it, before it is known what it is among the others. */
export interface Line {
  readonly type: 'line';
  readonly spans: readonly Span[];
  readonly page: number | null;
  readonly source?: string;
  readonly hidden?: boolean;
  /** Level of heading that the file gives, from 1. */
  readonly level?: number;
  readonly mark?: Mark;
  readonly role?: NonNullable<Paragraph['role']>;
  /** Made to stand under or over a table or a picture. */
  readonly caption?: boolean;
  /** A line of a program. */
  readonly code?: boolean;
  /** Size of its letters, in any unit that all lines share. */
  readonly size?: number;
  readonly bold?: boolean;
}

export type FlowItem = Line | Block;

/** Longer ones are text, whatever their style says. */
const LONGEST_HEADING = 200;
const captionWords = /^\s*[<[(【〈]?\s*(?:그림|표|사진|도표|차트|figure|table|fig\.|chart)\s*(?:\d|[IVX]+\b|[<[(]?\d)/i;

/** Size of most letters. */
function bodySize(lines: readonly Line[]): number | null {
  const letters = new Map<number, number>();
  for (const { size, spans } of lines) {
    if (size !== undefined) letters.set(size, (letters.get(size) ?? 0) + textOf(spans).length);
  }
  let best: number | null = null;
  for (const [size, count] of letters) if (count > (best === null ? -1 : (letters.get(best) ?? 0))) best = size;
  return best;
}

/** The words of a table that stands for a title: one cell, or a number beside a title. Null for any other. */
function bannerText(block: FlowItem): string | null {
  if (block.type !== 'table' || block.rows !== 1 || block.cells.length > 3) return null;
  const texts: string[] = [];
  for (const { blocks } of block.cells) {
    if (blocks.length > 1) return null;
    const [only] = blocks;
    if (only === undefined) continue;
    if (only.type !== 'paragraph' && only.type !== 'heading') return null;
    const text = textOf(only.spans).trim();
    if (text !== '') texts.push(text);
  }
  const [first = '', second = ''] = texts;
  if (texts.length === 1) return first.length <= 60 ? first : null;
  const numbered = /^(?:\d{1,2}|[Ⅰ-Ⅻ]|[IVX]{1,4}|[가-하])[.)]?$/.test(first);
  return texts.length === 2 && numbered && second.length <= 60 ? `${first} ${second}` : null;
}

/** Whether a line may be a heading by its words alone. */
const mayHead = ({ spans, caption, role, hidden, code, mark }: Line): boolean =>
  !caption &&
  role === undefined &&
  !hidden &&
  !code &&
  mark?.ordered !== false &&
  textOf(spans).length <= LONGEST_HEADING &&
  /[\p{L}\p{N}]/u.test(textOf(spans)) &&
  spans.every((span) => span.link === undefined && span.math !== true);

/** The next thing that is not an empty line. */
function nextOf(items: readonly FlowItem[], from: number): FlowItem | undefined {
  for (let at = from; at < Math.min(items.length, from + 20); at++) {
    const item = items[at];
    if (item !== undefined && (item.type !== 'line' || textOf(item.spans).trim() !== '')) return item;
  }
  return undefined;
}

/** Whether what follows is what a title is about. */
const isBody = (next: FlowItem | undefined): boolean =>
  next?.type !== 'line' || next.mark !== undefined || (!next.bold && textOf(next.spans).length >= 15);

/** Whether a numbered line is one of several points, with nothing below it. */
const isPoint = (mark: Mark, next: FlowItem | undefined): boolean =>
  next === undefined || (next.type === 'line' && next.mark !== undefined && next.mark.level <= mark.level);

/** Heading levels by item; what the file says is believed alone where it says anything. */
function levelsOf(items: readonly FlowItem[]): ReadonlyMap<FlowItem, number> {
  const lines = items.filter((item): item is Line => item.type === 'line' && textOf(item.spans).trim() !== '');
  const levels = new Map<FlowItem, number>();
  for (const line of lines) {
    if (line.level !== undefined && textOf(line.spans).length <= LONGEST_HEADING && line.role === undefined)
      levels.set(line, Math.min(6, Math.max(1, line.level)));
  }
  if (levels.size > 0) return levels;
  const body = bodySize(lines);
  const bold = lines.filter((line) => line.bold).length;
  const candidates: Candidate[] = [];
  const of: FlowItem[] = [];
  for (const [at, item] of items.entries()) {
    const banner = bannerText(item);
    if (banner !== null) {
      candidates.push({ text: banner, banner: true });
      of.push(item);
    } else if (item.type === 'line' && mayHead(item)) {
      const next = nextOf(items, at + 1);
      if (item.mark !== undefined && isPoint(item.mark, next)) continue;
      // Where much is bold, or bold lines follow each other, it says nothing.
      const stands = item.bold && bold * 4 <= lines.length && isBody(next);
      const text = item.mark === undefined ? textOf(item.spans) : `${item.mark.text} ${textOf(item.spans)}`;
      candidates.push({
        text,
        ...(item.size === undefined || body === null ? {} : { scale: item.size / body }),
        ...(stands ? { bold: true } : {}),
      });
      of.push(item);
    }
  }
  for (const [at, level] of headingLevels(candidates).entries()) {
    const item = of[at];
    if (level !== null && item !== undefined) levels.set(item, level);
  }
  return levels;
}

/** Puts captions to the table or picture that they stand beside. */
function withCaptions(items: readonly FlowItem[]): readonly FlowItem[] {
  const result: FlowItem[] = [];
  const takes = (item: FlowItem | undefined): item is Block & { readonly type: 'table' | 'image' } =>
    (item?.type === 'table' || item?.type === 'image') && item.caption === undefined;
  let skip = false;
  const full = items.filter((item) => item.type !== 'line' || textOf(item.spans).trim() !== '');
  for (const [at, item] of full.entries()) {
    if (skip) {
      skip = false;
      continue;
    }
    const text = item.type === 'line' ? textOf(item.spans) : '';
    const words = captionWords.test(text) && text.length <= 120;
    const isCaption =
      item.type === 'line' && item.level === undefined && item.mark === undefined && (item.caption === true || words);
    if (!isCaption) {
      result.push(item);
      continue;
    }
    const [before, next] = [result.at(-1), full[at + 1]];
    const caption = trimmed(item.spans);
    const ofTable = /^\s*[<[(【〈]?\s*(?:표|도표|table)/i.test(text);
    if (takes(next) && (ofTable || !takes(before))) {
      result.push({ ...next, caption });
      skip = true;
    } else if (takes(before)) result.splice(-1, 1, { ...before, caption });
    else result.push(item);
  }
  return result;
}

/** Gives the title and the entries of lists of contents that the file does not name their part, by their words and letters. */
function withRoles(items: readonly FlowItem[]): readonly FlowItem[] {
  const lines = new Map<TextItem, Line>();
  for (const line of items) {
    if (line.type !== 'line' || textOf(line.spans).trim() === '') continue;
    const { spans, mark = null, level = null, size = 20, bold = false, hidden = false, page } = line;
    const shown = mark === null ? null : { text: mark.text, ordered: mark.ordered, level: mark.level };
    const styleName = '';
    lines.set({ kind: 'text', spans, mark: shown, given: level, styleName, size, bold, hidden, page }, line);
  }
  const texts = [...lines.keys()];
  const roles = new Map<FlowItem, NonNullable<Line['role']>>();
  for (const entry of contentsEntries(texts)) {
    const line = lines.get(entry as TextItem);
    if (line !== undefined && line.level === undefined) roles.set(line, 'contents');
  }
  const named = items.some((item) => item.type === 'line' && item.role === 'title');
  const title = named ? null : titleOf(texts);
  const titled = title === null ? undefined : lines.get(title);
  if (titled !== undefined && titled.role === undefined && titled.mark === undefined) roles.set(titled, 'title');
  if (roles.size === 0) return items;
  return items.map((item) => {
    const role = roles.get(item);
    return role === undefined || item.type !== 'line' ? item : { ...item, role };
  });
}

const placeOf = ({ page, source, hidden }: Line) => ({
  page,
  ...(source === undefined ? {} : { source }),
  ...(hidden ? { hidden } : {}),
});

/** Makes blocks of lines: headings, lists, paragraphs, programs. Empty lines fall away. */
export function assemble(
  given: readonly FlowItem[],
  { headings = false }: { readonly headings?: boolean } = {},
): Block[] {
  const items = withCaptions(headings ? withRoles(given) : given);
  const levels = headings ? levelsOf(items) : new Map<FlowItem, number>();
  const blocks: Block[] = [];
  let list: { readonly block: List; readonly items: ListItem[]; id: string } | null = null;
  for (const item of items) {
    const level = levels.get(item);
    if (item.type !== 'line') {
      const banner = level === undefined ? null : bannerText(item);
      if (banner === null || level === undefined) blocks.push(item);
      else {
        const marker = markerOf(banner)?.text ?? /^\S{1,4}(?=\s)/.exec(banner)?.[0];
        const { page, source } = item;
        const place = { page, ...(source === undefined ? {} : { source }) };
        const spans = [{ text: banner }];
        blocks.push({ type: 'heading', level, ...place, spans, ...(marker === undefined ? {} : { marker }) });
      }
      // A note does not end the list that it belongs to.
      if (item.type !== 'footnote') list = null;
      continue;
    }
    const spans = item.code ? item.spans : trimmed(item.spans);
    const place = placeOf(item);
    const text = textOf(spans);
    if (level !== undefined) {
      list = null;
      const marker = item.mark?.text ?? markerOf(text)?.text;
      const shown =
        item.mark === undefined || item.mark.text === '' ? spans : [{ text: `${item.mark.text} ` }, ...spans];
      blocks.push({ type: 'heading', level, ...place, ...(marker ? { marker } : {}), spans: shown });
    } else if (item.mark !== undefined && item.role === undefined) {
      const { mark } = item;
      const entry: ListItem = { level: mark.level, marker: mark.text, ordered: mark.ordered, spans };
      const fresh = mark.level === 0 && mark.list !== list?.id;
      if (
        list === null ||
        fresh ||
        list.block.page !== item.page ||
        (list.block.hidden ?? false) !== (item.hidden ?? false)
      ) {
        const entries: ListItem[] = [];
        list = { block: { type: 'list', ...place, items: entries }, items: entries, id: mark.list };
        blocks.push(list.block);
      }
      list.items.push(entry);
    } else {
      list = null;
      const last = blocks.at(-1);
      const [only] = spans;
      if (item.code && last?.type === 'code') blocks.splice(-1, 1, { ...last, text: `${last.text}\n${text}` });
      else if (item.code) blocks.push({ type: 'code', ...place, text });
      else if (spans.length === 1 && only?.math) blocks.push({ type: 'equation', ...place, latex: only.text });
      else {
        const role = item.role ?? (text.length <= LONGEST_HEADING && isContentsLine(text) ? 'contents' : undefined);
        blocks.push({ type: 'paragraph', ...place, ...(role === undefined ? {} : { role }), spans });
      }
    }
  }
  return blocks;
}
