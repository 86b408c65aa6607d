import type { Block } from '../../document.ts';
import { readControl } from './controls.ts';
import type { Found } from './found.ts';
import type { DocInfo, ParaShape } from './doc-info.ts';
import { linkOf } from './fields.ts';
import type { Mark } from './numbering.ts';
import { readParagraph } from './paragraph.ts';
import type { RawParagraph, Token } from './paragraph.ts';
import type { TreeRecord } from './records.ts';
import { pageOf } from './session.ts';
import type { Item, Place, Session } from './session.ts';
import { applySection } from './section.ts';
import { createShapeFinder, createSpanBuilder } from './spans.ts';

/** Shape of a paragraph that names none. */
export const plainShape: ParaShape = {
  head: 'none',
  level: 0,
  headId: 0,
  breakBefore: false,
  alignment: 0,
  borderFill: 0,
};
/** Letters of a heading; longer paragraphs are text whatever their style. */
export const longestHeading = 120;
const headingStyle = /^(?:개요|제목|outline|heading)\s*(\d{1,2})$/iu;

/** The level that a paragraph's shape or style gives it, from 1; null for running text. */
export const givenLevel = (shape: ParaShape, styleName: string, englishName: string): number | null => {
  if (shape.head === 'outline') return shape.level < 6 ? shape.level + 1 : null;
  const named = headingStyle.exec(styleName) ?? headingStyle.exec(englishName);
  const level = Number(named?.[1] ?? 0);
  return level >= 1 && level <= 6 ? level : null;
};

const shapeOf = (info: DocInfo, raw: RawParagraph): ParaShape =>
  info.paraShapes[raw.shape] ?? info.paraShapes[info.styles[raw.style]?.paraShape ?? 0] ?? plainShape;

const isDeleted = (raw: RawParagraph, at: number): boolean => raw.deleted.some(({ from, to }) => at >= from && at < to);

/** Pieces of a text that look the same and are either deleted or not. */
function* runsOf(
  raw: RawParagraph,
  token: Token & { kind: 'text' },
  finder: ReturnType<typeof createShapeFinder>,
  tracked: boolean,
) {
  const end = token.at + token.text.length;
  let at = token.at;
  while (at < end) {
    const shape = finder.at(at);
    let to = Math.min(end, Math.max(at + 1, finder.next()));
    const deleted = tracked && isDeleted(raw, at);
    if (tracked)
      for (const range of raw.deleted) for (const edge of [range.from, range.to]) if (edge > at && edge < to) to = edge;
    if (!deleted) yield { text: token.text.slice(at - token.at, to - token.at), shape };
    at = to;
  }
}

/** Reads one paragraph: its text, cut where a table stands in the middle of it, and what is anchored in it. */
export const readItems = (record: TreeRecord, session: Session, place: Place): Item[] => {
  const raw = readParagraph(record);
  const shape = shapeOf(session.info, raw);
  if (place.kind === 'body') applySection(raw.controls, session);
  if (place.kind === 'body')
    session.tracker.paragraph(raw.lines, { ...raw.breaks, page: raw.breaks.page || shape.breakBefore });
  const style = session.info.styles[raw.style];
  const builder = createSpanBuilder();
  const finder = createShapeFinder(session.info, raw.shapes);
  const items: Item[] = [];
  const floating: Extract<Found, { kind: 'objects' }>[] = [];
  const notes: Block[] = [];
  const ink = session.info.fills[shape.borderFill - 1] !== true && !place.filled;
  let mark: Mark | null = session.numbering.next(shape, session.outline);
  const inText = raw.tokens.some((token) => token.kind === 'text' && token.text.trim() !== '');

  const flush = (): void => {
    const spans = builder.take();
    if (spans.length === 0) return;
    const looks = builder.looks();
    const length = spans.reduce((sum, { text }) => sum + text.length, 0);
    items.push({
      kind: 'text',
      spans,
      mark,
      given: length <= longestHeading ? givenLevel(shape, style?.name ?? '', style?.englishName ?? '') : null,
      styleName: style?.name ?? '',
      size: looks.size,
      bold: looks.bold,
      hidden: ink && looks.white && place.kind === 'body',
      page: pageOf(session, place),
    });
    mark = null;
  };

  const put = (found: Found): void => {
    switch (found.kind) {
      case 'nothing':
        break;
      case 'spans':
        for (const span of found.spans) builder.span(span);
        break;
      case 'note':
        builder.span(found.span);
        notes.push(found.note);
        break;
      case 'objects':
        if (found.words !== null && inText) for (const span of found.words) builder.span(span);
        else if (found.top === null && found.splits) {
          flush();
          items.push(...found.items);
        } else if (found.top === null && !builder.hasText()) items.push(...found.items);
        else floating.push(found);
    }
  };

  const deleted = session.info.tracked && raw.deleted.length > 0;
  for (const token of raw.tokens) {
    if (token.kind === 'fieldEnd') place.fields.pop();
    else if (token.kind === 'control') {
      if (token.control.id.startsWith('%')) {
        if (place.fields.length < 64) place.fields.push({ link: linkOf(token.control.id, token.control.data) });
      } else if (!deleted || !isDeleted(raw, token.at)) put(readControl(token.control, session, place));
    } else {
      session.budget.text(token.text.length);
      const link = place.fields.findLast((field) => field.link !== null)?.link ?? null;
      for (const run of runsOf(raw, token, finder, deleted)) builder.text(run.text, run.shape, link);
    }
  }
  flush();
  const ordered = floating.toSorted((a, b) => (a.top ?? 0) - (b.top ?? 0));
  // What stands on the page above the first line is read before it.
  const line = place.kind === 'body' ? raw.lines[0]?.top : undefined;
  const isAbove = ({ top }: (typeof floating)[number]): boolean => line !== undefined && top !== null && top <= line;
  items.unshift(...ordered.filter(isAbove).flatMap((found) => found.items));
  for (const found of ordered) if (!isAbove(found)) items.push(...found.items);
  for (const note of notes) items.push({ kind: 'block', block: note });
  return items;
};
