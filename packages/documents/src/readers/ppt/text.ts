import { escapeXml } from '../../write/xml.ts';
import { createCursor, decodeUtf16, u32At } from '../hwp/bytes.ts';
import { type PptRecord, types } from './records.ts';

/** Kinds of texts. Source: MS-PPT 2.13.33. */
export const textKinds = {
  title: 0,
  body: 1,
  notes: 2,
  other: 4,
  centredBody: 5,
  centredTitle: 6,
  half: 7,
  quarter: 8,
};
/** Those whose paragraphs have bullets unless something else is said. */
const listed: ReadonlySet<number> = new Set([textKinds.body, textKinds.half, textKinds.quarter]);

/** A text of a shape or of an outline. */
export interface SlideText {
  readonly kind: number;
  readonly text: string;
  /** Looks of its paragraphs and letters, as the file holds them. */
  readonly style: Uint8Array | null;
}

/** Texts among records, in their order: each begins with its kind. */
export function textsOf(records: Iterable<PptRecord>): SlideText[] {
  const texts: { kind: number; text: string; style: Uint8Array | null }[] = [];
  for (const { type, bytes } of records) {
    const last = texts.at(-1);
    if (type === types.textHeader) texts.push({ kind: u32At(bytes, 0), text: '', style: null });
    else if (last === undefined) continue;
    else if (type === types.textCharacters) last.text = decodeUtf16(bytes, 0, bytes.length);
    else if (type === types.textBytes) last.text = Buffer.from(bytes).toString('latin1');
    else if (type === types.textStyle) last.style = bytes;
  }
  return texts;
}

interface ParagraphLooks {
  readonly level: number;
  /** Whether it has a bullet; null where its kind says so. */
  readonly bullet: boolean | null;
  readonly sign: string | null;
}

interface LetterLooks {
  readonly bold: boolean;
  readonly italic: boolean;
}

/** Looks for so many letters. */
interface Stretch<Looks> {
  readonly length: number;
  readonly looks: Looks;
}

type Cursor = ReturnType<typeof createCursor>;

const skipWords = (cursor: Cursor, mask: number, bits: readonly number[]): void => {
  for (const bit of bits) if ((mask & (1 << bit)) !== 0) cursor.skip(2);
};

/** Source: MS-PPT 2.9.20, TextPFException. */
function readParagraphLooks(cursor: Cursor, level: number): ParagraphLooks {
  const mask = cursor.u32();
  const flags = (mask & 0xf) === 0 ? 0 : cursor.u16();
  const sign = (mask & (1 << 7)) === 0 ? null : String.fromCharCode(cursor.u16());
  skipWords(cursor, mask, [4, 6]);
  if ((mask & (1 << 5)) !== 0) cursor.skip(4);
  skipWords(cursor, mask, [11, 12, 13, 14, 8, 10, 15]);
  if ((mask & (1 << 20)) !== 0) cursor.skip(cursor.u16() * 4);
  skipWords(cursor, mask, [16]);
  if ((mask & (7 << 17)) !== 0) cursor.skip(2);
  skipWords(cursor, mask, [21]);
  return { level: Math.min(8, level), bullet: (mask & 1) === 0 ? null : (flags & 1) === 1, sign };
}

/** Source: MS-PPT 2.9.13, TextCFException. */
function readLetterLooks(cursor: Cursor): LetterLooks {
  const mask = cursor.u32();
  const style = (mask & 0x3eb7) === 0 ? 0 : cursor.u16();
  skipWords(cursor, mask, [16, 21, 22, 23, 17]);
  if ((mask & (1 << 18)) !== 0) cursor.skip(4);
  skipWords(cursor, mask, [19]);
  return { bold: (style & 1) !== 0, italic: (style & 2) !== 0 };
}

interface TextLooks {
  readonly paragraphs: readonly Stretch<ParagraphLooks>[];
  readonly letters: readonly Stretch<LetterLooks>[];
}

/** Looks of a text: paragraphs, then letters, each for as many as the text has, and its end. Source: MS-PPT 2.9.44. */
function readLooks({ text, style }: SlideText): TextLooks {
  const paragraphs: Stretch<ParagraphLooks>[] = [];
  const letters: Stretch<LetterLooks>[] = [];
  if (style === null) return { paragraphs, letters };
  const cursor = createCursor(style);
  const all = text.length + 1;
  for (let said = 0; said < all && cursor.left >= 10;) {
    const length = cursor.u32();
    paragraphs.push({ length, looks: readParagraphLooks(cursor, cursor.u16()) });
    said += length;
  }
  for (let said = 0; said < all && cursor.left >= 8;) {
    const length = cursor.u32();
    letters.push({ length, looks: readLetterLooks(cursor) });
    said += length;
  }
  return { paragraphs, letters };
}

const noParagraphLooks: ParagraphLooks = { level: 0, bullet: null, sign: null };

/** Asks for the looks of ascending places. */
function looksAt<Looks>(stretches: readonly Stretch<Looks>[]): (place: number) => { looks: Looks | null; end: number } {
  let index = 0;
  let begin = 0;
  return (place) => {
    while (index < stretches.length && begin + stretches[index]!.length <= place) begin += stretches[index++]!.length;
    const found = stretches[index];
    return found === undefined ? { looks: null, end: Infinity } : { looks: found.looks, end: begin + found.length };
  };
}

function runXml(text: string, looks: LetterLooks | null): string {
  const attributes = `${looks?.bold === true ? ' b="1"' : ''}${looks?.italic === true ? ' i="1"' : ''}`;
  return text
    .split('\u000b')
    .map((line) => (line === '' ? '' : `<a:r><a:rPr${attributes}/><a:t>${escapeXml(line)}</a:t></a:r>`))
    .join('<a:br/>');
}

function bulletXml(kind: number, { bullet, sign }: ParagraphLooks): string {
  if (!(bullet ?? listed.has(kind))) return '<a:buNone/>';
  // Signs of fonts of signs have no place in Unicode.
  const shown = sign === null || /[\0-\u001f\ue000-\uf8ff]/.test(sign) ? '•' : sign;
  return `<a:buChar char="${escapeXml(shown)}"/>`;
}

/** A text as the paragraphs of DrawingML. */
export function paragraphsXml(given: SlideText): string {
  const { kind, text } = given;
  const { paragraphs, letters } = readLooks(given);
  const paragraphAt = looksAt(paragraphs);
  const lettersAt = looksAt(letters);
  let at = 0;
  return text
    .split('\r')
    .map((line) => {
      const looks = paragraphAt(at).looks ?? noParagraphLooks;
      const runs: string[] = [];
      const last = at + line.length;
      for (let from = at; from < last;) {
        const { looks: own, end } = lettersAt(from);
        const to = Math.min(last, Math.max(end, from + 1));
        runs.push(runXml(text.slice(from, to), own));
        from = to;
      }
      at = last + 1;
      return `<a:p><a:pPr lvl="${looks.level}">${bulletXml(kind, looks)}</a:pPr>${runs.join('')}</a:p>`;
    })
    .join('');
}
