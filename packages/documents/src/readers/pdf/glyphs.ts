import type { FormField } from '../../document.ts';
import { readableText } from '../hwp/special-characters.ts';
import { type Frame, type Rect, isCentredIn, heightOf, rectInFrame, widthOf } from './geometry.ts';
import { type Graphics, WHITE_RGB } from './graphics.ts';
import { type Pdfium, narrowText } from './pdfium.ts';
import { largest } from '../../package/extremes.ts';

/** The look of letters; one object for all letters that look the same on a page. */
export interface Look {
  /** Points, as shown. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  /** Every letter of the font is as wide as any other. */
  readonly fixed: boolean;
  /** A font of signs whose letters stand for others. */
  readonly signs: boolean;
  /** Name of the font. */
  readonly face?: string;
  /** 0xRRGGBB. */
  readonly colour: number;
  /** Not painted at all. */
  readonly invisible: boolean;
  /** Quarter turns clockwise from upright; null for any other angle. */
  readonly quarter: number | null;
  /** Number of the marked content that it belongs to; -1 for none. */
  readonly mark: number;
}

export interface Glyph extends Rect {
  readonly text: string;
  /** y of the line that it stands on. */
  readonly base: number;
  readonly look: Look;
  /** Cannot be seen by readers. */
  readonly hidden: boolean;
  /** The library sees a blank before it. */
  readonly apart: boolean;
  /** It stands for a field of a form, with what is filled in as its text. */
  readonly field?: FormField;
}

export interface PageText {
  readonly glyphs: readonly Glyph[];
  /** Letters that no table of the file gives a character for. */
  readonly unmapped: number;
  /** All letters, blanks left out. */
  readonly letters: number;
  /** The text lies unseen over a picture of the page, as scanners with recognition write it. */
  readonly recognised: boolean;
}

/** Smaller text is not meant for readers. */
const MIN_TYPE_SIZE_POINTS = 1;
/** A picture that covers a larger share of the page is a scan of it. */
const MIN_SCAN_COVERAGE_SHARE = 0.6;
const RENDER_MODE_INVISIBLE = 3;
const RENDER_MODE_INVISIBLE_CLIP = 7;
const FLAG_FIXED = 1;
const FLAG_ITALIC = 64;
const FLAG_BOLD = 262_144;
const BOLD_WEIGHT = 600;

const softHyphens = new Set([0x02, 0xad, 0xff_fe]);

/** Characters that a font without a table of characters gives: private ones and the mark of a missing one. */
const isUnmapped = (code: number) => code === 0xff_fd || (code >= 0xe0_00 && code <= 0xf8_ff) || code >= 0xf_00_00;

/** Ligatures of TeX fonts, which give no characters for them. Source: the encoding OT1, places 11 to 15. */
const ligatures = new Map([
  [0, 'ffi'],
  [0x0b, 'ff'],
  [0x0c, 'fi'],
  [0x0d, 'fl'],
  [0x0e, 'ffi'],
  [0x0f, 'ffl'],
  [0xfb_00, 'ff'],
  [0xfb_01, 'fi'],
  [0xfb_02, 'fl'],
  [0xfb_03, 'ffi'],
  [0xfb_04, 'ffl'],
]);
/** What PDFium makes of the first of them. */
const RETURN_ARROW = 0x21_b5;

const isSmall = (code: number) => code >= 0x61 && code <= 0x7a;

/** A letter without a character in the midst of a word: with TeX fonts that is their widest ligature. */
const isLostLigature = (pdfium: Pdfium, text: number, index: number): boolean =>
  index > 0 &&
  isSmall(pdfium.FPDFText_GetUnicode(text, index - 1)) &&
  isSmall(pdfium.FPDFText_GetUnicode(text, index + 1));

/** Whether a character is a control character, which no page shows. */
function isNoLetter(pdfium: Pdfium, text: number, index: number, code: number): boolean {
  if (code === 0) return !isLostLigature(pdfium, text, index);
  return code < 32 && code !== 9 && code !== 2 && !ligatures.has(code);
}

function letterOf(code: number, next: number): string {
  if (softHyphens.has(code)) return '-';
  // What has no place in Unicode is a mark of a list for the most part.
  if (code >= 0x80 && code <= 0x9f) return '•';
  if (code === RETURN_ARROW && ((next >= 0x61 && next <= 0x7a) || next === 0x2d)) return 'ff';
  const letter = String.fromCodePoint(Math.min(code, 0x10_ff_ff));
  return ligatures.get(code) ?? (isUnmapped(code) ? readableText(letter) : letter);
}

type FontLook = Pick<Look, 'bold' | 'italic' | 'fixed' | 'signs' | 'face'>;

class Looks {
  readonly #pdfium: Pdfium;
  readonly #text: number;
  readonly #turn: number;
  readonly #byObject = new Map<number, Look>();
  readonly #fonts = new Map<number, FontLook>();

  constructor(pdfium: Pdfium, text: number, turn: number) {
    this.#pdfium = pdfium;
    this.#text = text;
    this.#turn = turn;
  }

  of(index: number): Look {
    const object = this.#pdfium.FPDFText_GetTextObject(this.#text, index);
    const known = this.#byObject.get(object);
    if (known !== undefined) return known;
    const look = this.#read(object, index);
    this.#byObject.set(object, look);
    return look;
  }

  #read(object: number, index: number): Look {
    const pdfium = this.#pdfium;
    const { scratch, memory } = pdfium;
    const found = pdfium.FPDFText_GetMatrix(this.#text, index, scratch) !== 0;
    const [a, b, c, d] = found ? new Float32Array(memory.buffer, scratch, 4) : [1, 0, 0, 1];
    const size = pdfium.FPDFText_GetFontSize(this.#text, index) * Math.hypot(c ?? 0, d ?? 1);
    const angle = (Math.atan2(-(b ?? 0), a ?? 1) * 2) / Math.PI;
    const nearest = Math.round(angle);
    const quarter = Math.abs(angle - nearest) < 0.05 ? (nearest + this.#turn + 8) % 4 : null;
    let colour = 0;
    let alpha = 255;
    if (pdfium.FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12) !== 0) {
      const [red = 0, green = 0, blue = 0, opacity = 255] = new Uint32Array(memory.buffer, scratch, 4);
      colour = (red << 16) | (green << 8) | blue;
      alpha = opacity;
    }
    const mode = pdfium.FPDFTextObj_GetTextRenderMode(object);
    return {
      ...this.#font(pdfium.FPDFTextObj_GetFont(object)),
      size: Number.isFinite(size) ? Math.abs(size) : 0,
      colour,
      invisible: mode === RENDER_MODE_INVISIBLE || mode === RENDER_MODE_INVISIBLE_CLIP || alpha < 8,
      quarter,
      mark: pdfium.FPDFPageObj_GetMarkedContentID(object),
    };
  }

  #font(font: number): FontLook {
    const known = this.#fonts.get(font);
    if (known !== undefined) return known;
    const pdfium = this.#pdfium;
    const name =
      font === 0 ? '' : narrowText(pdfium, (buffer, bytes) => pdfium.FPDFFont_GetBaseFontName(font, buffer, bytes));
    const flags = font === 0 ? 0 : Math.max(0, pdfium.FPDFFont_GetFlags(font));
    const style = name.replace(/^[A-Z]{6}\+/, '');
    const signs = /dingbat|wingding|webding/i.test(style);
    const made = {
      signs,
      face: style,
      bold:
        /bold|^(?:cm|sf|ec|lm)[a-z]*bx|black|heavy|semibd|demi(?!light)|[-,.]b\b|견고딕|헤드라인|headline|extrab/i.test(
          style,
        ) ||
        (flags & FLAG_BOLD) !== 0 ||
        (font !== 0 && !signs && pdfium.FPDFFont_GetWeight(font) >= BOLD_WEIGHT),
      italic: /italic|oblique|[-,.](?:it?|o)\b/i.test(style) || (flags & FLAG_ITALIC) !== 0,
      fixed: /mono|courier|consol|typewriter|cmtt|nimbusmon|menlo|d2coding/i.test(style) || (flags & FLAG_FIXED) !== 0,
    };
    this.#fonts.set(font, made);
    return made;
  }
}

/** Which way most of the letters stand, in quarter turns clockwise of the page's own coordinates. */
export function prevailingTurn(pdfium: Pdfium, text: number): number {
  const count = pdfium.FPDFText_CountChars(text);
  const looks = new Looks(pdfium, text, 0);
  const votes = [0, 0, 0, 0];
  // A sample tells.
  const step = Math.max(1, Math.floor(count / 400));
  for (let index = 0; index < count; index += step) {
    if (pdfium.FPDFText_IsGenerated(text, index) === 1) continue;
    const { quarter } = looks.of(index);
    if (quarter !== null) votes[quarter] = (votes[quarter] ?? 0) + 1;
  }
  return votes.indexOf(largest(votes));
}

/** The colour behind a letter; white where nothing is painted, null over a picture. */
function backgroundOf(glyph: Rect, { fills, images, painted }: Graphics): number | null {
  if (images.some((image) => isCentredIn(glyph, image)) || painted.some((rect) => isCentredIn(glyph, rect)))
    return null;
  for (let at = fills.length - 1; at >= 0; at--) if (isCentredIn(glyph, fills[at]!)) return fills[at]!.colour;
  return WHITE_RGB;
}

const nearlyEqual = (one: number, other: number) =>
  Math.abs((one >> 16) - (other >> 16)) <= 4 &&
  Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)) <= 4 &&
  Math.abs((one & 255) - (other & 255)) <= 4;

/**
 * Letters of a page in the order of the file, with boxes in the page as shown. `turn` is how the page is turned already, in
 * quarter turns. At most `most` are read.
 */
export function glyphsOf(
  pdfium: Pdfium,
  text: number,
  { frame, turn, graphics, most }: { frame: Frame; turn: number; graphics: Graphics; most: number },
): PageText {
  const looks = new Looks(pdfium, text, turn);
  const glyphs: Glyph[] = [];
  const { scratch, memory } = pdfium;
  const sheet = { x0: 0, y0: 0, x1: frame.width, y1: frame.height };
  const scanned = graphics.images.some(
    (image) => widthOf(image) * heightOf(image) > MIN_SCAN_COVERAGE_SHARE * frame.width * frame.height,
  );
  let [unmapped, letters, unseen] = [0, 0, 0];
  let apart = false;
  const count = Math.min(pdfium.FPDFText_CountChars(text), most);
  for (let index = 0; index < count; index++) {
    // What the library adds (blanks, ends of lines) is decided here instead.
    if (pdfium.FPDFText_IsGenerated(text, index) === 1) {
      apart = true;
      continue;
    }
    const code = pdfium.FPDFText_GetUnicode(text, index);
    if (isNoLetter(pdfium, text, index, code)) {
      // A letter that its font does not name comes by its place there.
      if (pdfium.FPDFText_HasUnicodeMapError(text, index) === 1) {
        letters++;
        unmapped++;
      }
      continue;
    }
    if (pdfium.FPDFText_GetLooseCharBox(text, index, scratch) === 0) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(memory.buffer, scratch, 4);
    if (!Number.isFinite(left + top + right + bottom)) continue;
    const box = rectInFrame(frame, left, bottom, right, top);
    pdfium.FPDFText_GetCharOrigin(text, index, scratch, scratch + 8);
    const [originX = 0, originY = 0] = new Float64Array(memory.buffer, scratch, 2);
    const look = looks.of(index);
    const before = index > 0 ? pdfium.FPDFText_GetUnicode(text, index - 1) : 0;
    const after = index + 1 < count ? pdfium.FPDFText_GetUnicode(text, index + 1) : 0;
    const lost = code < 32 && ligatures.has(code) && !isSmall(before) && !isSmall(after);
    const letter = look.signs && code > 32 && code < 0xa0 ? '•' : letterOf(code, after);
    const blank = letter.trim() === '';
    if (!blank) {
      letters++;
      if (
        lost ||
        (isUnmapped(code) && letter.codePointAt(0) === code) ||
        pdfium.FPDFText_HasUnicodeMapError(text, index) === 1
      )
        unmapped++;
      if (look.invisible) unseen++;
    }
    // The rest of such letters is useless.
    if (lost) continue;
    const background = look.invisible || blank ? null : backgroundOf(box, graphics);
    glyphs.push({
      text: letter,
      ...box,
      base: frame.place(originX, originY)[1],
      look,
      apart,
      hidden:
        (look.invisible && !scanned) ||
        look.size < MIN_TYPE_SIZE_POINTS ||
        !isCentredIn(box, sheet) ||
        (background !== null && nearlyEqual(look.colour, background)),
    });
    apart = false;
  }
  return { glyphs, unmapped, letters, recognised: scanned && letters > 0 && unseen > letters / 2 };
}
