import { readControl } from './controls.ts';
import type { DocInfo, ParaShape } from './doc-info.ts';
import { linkOf } from './fields.ts';
import { createParagraphBuilder } from './paragraph-builder.ts';
import { readParagraph } from './paragraph.ts';
import type { RawParagraph, Token } from './paragraph.ts';
import type { TreeRecord } from './records.ts';
import type { Item, Place, Session } from './session.ts';
import { applySection } from './section.ts';
import { createShapeFinder } from './spans.ts';

/** Shape of a paragraph that names none. */
export const plainShape: ParaShape = {
  head: 'none',
  level: 0,
  headId: 0,
  breakBefore: false,
  alignment: 0,
  borderFill: 0,
  checked: false,
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
  const finder = createShapeFinder(session.info, raw.shapes);
  const inText = raw.tokens.some((token) => token.kind === 'text' && token.text.trim() !== '');
  const builder = createParagraphBuilder(session, place, { shape, style, inText });
  const deleted = session.info.tracked && raw.deleted.length > 0;
  for (const token of raw.tokens) {
    if (token.kind === 'fieldEnd') place.fields.pop();
    else if (token.kind === 'control') {
      if (token.control.id.startsWith('%')) {
        if (place.fields.length < 64) place.fields.push({ link: linkOf(token.control.id, token.control.data) });
      } else if (!deleted || !isDeleted(raw, token.at)) builder.put(readControl(token.control, session, place));
    } else {
      session.budget.text(token.text.length);
      session.letters.seen(token.text);
      const link = place.fields.findLast((field) => field.link !== null)?.link ?? null;
      for (const run of runsOf(raw, token, finder, deleted)) builder.text.text(run.text, run.shape, link);
    }
  }
  return builder.items(place.kind === 'body' ? raw.lines[0]?.top : undefined);
};
