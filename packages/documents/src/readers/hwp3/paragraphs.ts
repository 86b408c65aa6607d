import type { CharShape, ParaShape } from '../hwp/doc-info.ts';
import { u16At } from '../hwp/bytes.ts';
import type { Mark } from '../hwp/numbering.ts';
import { createParagraphBuilder } from '../hwp/paragraph-builder.ts';
import { plainShape } from '../hwp/paragraph-items.ts';
import type { Item, Place } from '../hwp/session.ts';
import { append } from '../../package/append.ts';
import { type Token, readControl } from './controls.ts';
import { CHAR_SHAPE_BYTES, PARA_SHAPE_BYTES } from './head.ts';
import { letterText } from './letters.ts';
import type { Session } from './session.ts';

const LINE_BYTES = 14;
const PARAGRAPH_END = 13;
const FIRST_LETTER = 32;
/** Of a line: its places are known, and it is the first of a page. */
const LINE_BEGINS_PAGE = 0x8001;
/** Sizes are 1/25 point; spans have hundredths. */
const SIZE_SCALE = 4;
const [ITALIC, BOLD, SUPER, SUB] = [1, 2, 0x20, 0x40];

function charShape(data: Uint8Array): CharShape {
  const look = data[26] ?? 0;
  return {
    size: u16At(data, 0) * SIZE_SCALE,
    bold: (look & BOLD) !== 0,
    italic: (look & ITALIC) !== 0,
    strike: false,
    script: (look & SUPER) === 0 ? ((look & SUB) === 0 ? null : 'sub') : 'super',
    colour: 0,
    shaded: false,
  };
}

/** What a paragraph begins with. */
interface Head {
  readonly letters: number;
  readonly style: number;
  readonly shape: CharShape;
  /** Shapes letter by letter; null where all have that of the paragraph. */
  readonly shapes: readonly CharShape[] | null;
}

/** Pages that begin with a paragraph, and those that begin within it. */
interface Turns {
  readonly before: number;
  readonly within: number;
}

/** Null at the end of a list, or where what comes is no paragraph. */
function readHead({ cursor, ...session }: Session, counted: (pages: Turns) => void): Head | null {
  const follows = cursor.u8();
  const letters = cursor.u16();
  const lines = cursor.u16();
  const hasShapes = cursor.u8() !== 0;
  cursor.take(5);
  const style = cursor.u8();
  const shape = charShape(cursor.take(CHAR_SHAPE_BYTES));
  if (letters === 0 || cursor.ended()) return null;
  if (follows === 0) cursor.take(PARA_SHAPE_BYTES);
  if (lines * LINE_BYTES > cursor.left()) {
    session.warn('records_damaged', 'Parts of the document are damaged; what could be read is given.');
    cursor.end();
    return null;
  }
  const places = cursor.take(lines * LINE_BYTES);
  const begins = Array.from(
    { length: lines },
    (_, at) => (u16At(places, at * LINE_BYTES + 12) & LINE_BEGINS_PAGE) === LINE_BEGINS_PAGE,
  );
  counted({ before: begins[0] === true ? 1 : 0, within: begins.filter((isFirst, at) => isFirst && at > 0).length });
  if (!hasShapes) return { letters, style, shape, shapes: null };
  const shapes: CharShape[] = [];
  let last = shape;
  for (let at = 0; at < letters && !cursor.ended(); at++) {
    if (cursor.u8() !== 1) last = charShape(cursor.take(CHAR_SHAPE_BYTES));
    shapes.push(last);
  }
  return { letters, style, shape, shapes };
}

/** The letters and controls of a paragraph, in their order; controls count as several letters. */
function readTokens(session: Session, head: Head, place: Place): Token[] {
  const { cursor } = session;
  const tokens: Token[] = [];
  for (let at = 0; at < head.letters && !cursor.ended();) {
    const shape = head.shapes?.[at] ?? head.shape;
    const code = cursor.u16();
    if (code === PARAGRAPH_END) break;
    if (code >= FIRST_LETTER) {
      const text = letterText(code);
      if (text === '') session.unknownLetters++;
      const last = tokens.at(-1);
      if (last?.kind === 'text' && last.shape === shape) last.parts.push(text);
      else tokens.push({ kind: 'text', parts: [text], shape });
      at++;
      continue;
    }
    const found = readControl(session, code, place);
    if (found.token !== null) tokens.push(found.token.kind === 'text' ? { ...found.token, shape } : found.token);
    at += found.letters;
  }
  return tokens;
}

const shapeOf = (mark: Mark | null): ParaShape =>
  mark === null ? plainShape : { ...plainShape, head: mark.ordered ? 'outline' : 'bullet', level: mark.level };

function itemsOf(session: Session, head: Head, tokens: readonly Token[], place: Place): Item[] {
  const mark = tokens.find((token) => token.kind === 'mark')?.mark ?? null;
  const inText = tokens.some((token) => token.kind === 'text' && token.parts.some((part) => part.trim() !== ''));
  const { page } = session;
  const builder = createParagraphBuilder(
    {
      info: { fills: [] },
      numbering: { next: () => mark },
      outline: 1,
      paged: true,
      tracker: { page: () => page, box: () => null, firstLine: () => null },
    },
    place,
    { shape: shapeOf(mark), style: { name: session.styles[head.style] ?? '', englishName: '' }, inText },
  );
  for (const token of tokens) {
    if (token.kind === 'content') builder.put(token.content);
    else if (token.kind === 'text') {
      const text = token.parts.join('');
      session.budget.text(text.length);
      builder.text.text(text, token.shape, null);
    }
  }
  return builder.items(undefined);
}

/** Reads paragraphs up to the one without letters that ends their list. */
export function readList(session: Session, place: Place): Item[] {
  const items: Item[] = [];
  const { cursor } = session;
  if (!session.budget.mayNest(place.depth)) {
    session.warn('nested_too_deep', 'What lies within too many tables or frames was left out, and what follows it.');
    cursor.end();
    return items;
  }
  for (;;) {
    let turns: Turns = { before: 0, within: 0 };
    const head = readHead(session, (found) => (turns = found));
    if (head === null) return items;
    // Pages begin with lines of the text, not with those within tables.
    const isBody = place.kind === 'body';
    if (isBody) session.page += turns.before;
    const tokens = readTokens(session, head, place);
    append(items, itemsOf(session, head, tokens, place));
    if (isBody) session.page += turns.within;
    session.budget.pages(session.page);
  }
}
