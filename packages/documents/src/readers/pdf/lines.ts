import { type Rect, boundingRect, median, overlapLength } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import { EMPTY_FIELD } from './field-glyphs.ts';
import { DisjointSets } from '../../disjoint-sets.ts';
import { append } from '../../package/append.ts';

/** Letters beside each other on one line, without a gap that parts columns. */
export interface Line extends Rect {
  readonly glyphs: readonly Glyph[];
  readonly base: number;
  /** Of most of its letters. */
  readonly size: number;
  readonly bold: boolean;
  readonly fixed: boolean;
  /** Name of the font of most of its letters. */
  readonly face: string;
  readonly hidden: boolean;
  readonly text: string;
  /** The file has a blank behind its last letter. */
  readonly openEnd: boolean;
}

/** A wider gap may part columns. */
const MIN_COLUMN_GAP_EM = 0.95;
/** The next letter may begin so far before the end of the last one. */
const MAX_LETTER_OVERLAP_EM = 0.6;
/** Least white between words where the library sees a blank too. */
const MIN_SPACE_EM = 0.12;
/** Of a line that is stretched between its letters: the widest usual gap of wide ones, and how many pairs of them tell it. */
const MAX_STRETCH_EM = 0.5;
const MIN_STRETCHED_PAIRS = 3;
/** Pieces that each one is compared with: hostile pages stack thousands upon each other. */
const MAX_COMPARED_PIECES = 300;

interface Piece extends Rect {
  readonly glyphs: Glyph[];
  base: number;
  size: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const isBlank = (glyph: Glyph) => glyph.text.trim() === '';

/** True when two stretches of text stand on one line; raised and lowered small letters stand on that of their neighbours. */
function isOnOneLine(
  one: { base: number; size: number } & Rect,
  other: { base: number; size: number } & Rect,
): boolean {
  const [small, large] = one.size < other.size ? [one.size, other.size] : [other.size, one.size];
  const offset = Math.abs(one.base - other.base);
  if (offset <= 0.25 * Math.max(small, 1)) return true;
  if (small > 0.86 * large || small < 0.3 * large) return false;
  return offset <= 0.55 * large && overlapLength(one.y0, one.y1, other.y0, other.y1) > 0.3 * small;
}

function pieceOf(glyph: Glyph): Piece {
  const { x0, y0, x1, y1, base } = glyph;
  return { glyphs: [glyph], base, size: glyph.look.size, x0, y0, x1, y1 };
}

function extend(piece: Piece, glyph: Glyph): void {
  piece.glyphs.push(glyph);
  // The largest letters say where the line stands.
  if (glyph.look.size > piece.size) {
    piece.size = glyph.look.size;
    piece.base = glyph.base;
  }
  // Blanks at the ends of a line do not bring it nearer to the next column.
  if (!isBlank(glyph)) {
    piece.x0 = Math.min(piece.x0, glyph.x0);
    piece.x1 = Math.max(piece.x1, glyph.x1);
  }
  piece.y0 = Math.min(piece.y0, glyph.y0);
  piece.y1 = Math.max(piece.y1, glyph.y1);
}

/** Runs of letters that follow each other in the file as on the page. */
function piecesOf(glyphs: readonly Glyph[]): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  for (const glyph of glyphs) {
    const last = open?.glyphs.at(-1);
    const next = { base: glyph.base, size: glyph.look.size, x0: glyph.x0, y0: glyph.y0, x1: glyph.x1, y1: glyph.y1 };
    const size = Math.max(glyph.look.size, last?.look.size ?? 0, 1);
    const gap = last === undefined ? 0 : glyph.x0 - last.x1;
    if (
      open !== null &&
      last !== undefined &&
      last.look.quarter === glyph.look.quarter &&
      last.hidden === glyph.hidden &&
      gap <= MIN_COLUMN_GAP_EM * size &&
      // The letters of a ligature share its box.
      (gap >= -MAX_LETTER_OVERLAP_EM * size || Math.abs(glyph.x0 - last.x0) < 0.01 * size) &&
      (isOnOneLine(last.look.size < 0.86 * open.size ? open : { ...last, size: last.look.size }, next) ||
        isOnOneLine(open, next))
    )
      extend(open, glyph);
    else pieces.push((open = pieceOf(glyph)));
  }
  return pieces;
}

/** Puts pieces together that stand beside each other on one line. */
function joinPieces(pieces: readonly Piece[]): Piece[][] {
  const order = pieces.toSorted((a, b) => a.y0 - b.y0 || a.x0 - b.x0);
  const sets = new DisjointSets(order.length);
  for (let at = 0; at < order.length; at++) {
    const one = order[at]!;
    for (let other = at + 1; other < Math.min(order.length, at + MAX_COMPARED_PIECES); other++) {
      const next = order[other]!;
      if (next.y0 > one.y1) break;
      const gap = -overlapLength(one.x0, one.x1, next.x0, next.x1);
      const size = Math.max(one.size, next.size);
      if (gap > MIN_COLUMN_GAP_EM * size || gap < -MAX_LETTER_OVERLAP_EM * size) continue;
      if (one.glyphs[0]!.hidden === next.glyphs[0]!.hidden && isOnOneLine(one, next)) sets.join(other, at);
    }
  }
  const groups = new Map<number, Piece[]>();
  for (const [at, piece] of order.entries()) {
    const root = sets.find(at);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [piece]);
    else group.push(piece);
  }
  return [...groups.values()];
}

/** The most frequent value of a letter's look, by letters. */
function mostFrequent<Value>(glyphs: readonly Glyph[], of: (glyph: Glyph) => Value): Value | undefined {
  const counts = new Map<Value, number>();
  for (const glyph of glyphs) if (!isBlank(glyph)) counts.set(of(glyph), (counts.get(of(glyph)) ?? 0) + 1);
  let best: Value | undefined;
  let most = 0;
  for (const [value, count] of counts) if (count > most) [best, most] = [value, count];
  return best;
}

/** A letter of Korean, Chinese or Japanese. */
const isWide = ({ text }: Glyph): boolean => /^[\p{sc=Hangul}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text);

interface WordGaps {
  /** Where the library sees a blank too. */
  readonly seen: number;
  readonly other: number;
}

/** Gaps that part words on a line, in points, and those beside a wide letter: narrower where the file has no blanks of its own. */
function wordGapsOf(glyphs: readonly Glyph[], size: number): WordGaps & { readonly wide: WordGaps } {
  const letters = glyphs.filter((glyph) => !isBlank(glyph));
  const blanks = glyphs.length - letters.length;
  const gaps: number[] = [];
  for (let at = 1; at < letters.length; at++) gaps.push(gapOf(letters[at - 1]!, letters[at]!));
  // Letters may be set apart or drawn together all along a line.
  const usual = gaps.length < 4 ? 0 : Math.max(-0.05 * size, Math.min(0.5 * size, median(gaps)));
  const other = usual + (blanks > 0 && letters.length / blanks < 14 ? 0.3 : 0.16) * size;
  const plain = { seen: Math.min(other, MIN_SPACE_EM * size), other };
  // In a line that is stretched between its letters the library sees a blank before many of them.
  const pairs = letters.flatMap((letter, at) => (at > 0 && isWide(letter) && isWide(letters[at - 1]!) ? [at] : []));
  // Within words: a quarter of the gaps at least is, however short the words are.
  const stretch = pairs.map((at) => gaps[at - 1]!).toSorted((a, b) => a - b)[pairs.length >> 2] ?? 0;
  const isStretched =
    pairs.length >= MIN_STRETCHED_PAIRS &&
    stretch > 0 &&
    stretch < MAX_STRETCH_EM * size &&
    gaps.some((gap) => gap > stretch + 0.16 * size);
  const wide = { seen: stretch + MIN_SPACE_EM * size, other: Math.max(other, stretch + 0.16 * size) };
  return { ...plain, wide: isStretched ? wide : plain };
}

/** The line with blanks where words part; letters without a blank before them keep their own. */
export interface Piecewise {
  readonly glyph: Glyph;
  readonly spaced: boolean;
}

export function wordsOf(line: Pick<Line, 'glyphs' | 'size'>): Piecewise[] {
  const gaps = wordGapsOf(line.glyphs, line.size);
  const gapFor = (before: Glyph, glyph: Glyph) =>
    (isWide(before) || isWide(glyph) ? gaps.wide : gaps)[glyph.apart ? 'seen' : 'other'];
  const words: Piecewise[] = [];
  let blank = false;
  let last: Glyph | null = null;
  for (const glyph of line.glyphs) {
    if (isBlank(glyph)) {
      blank = true;
      continue;
    }
    words.push({
      glyph,
      spaced: last !== null && (blank || gapOf(last, glyph) > gapFor(last, glyph)),
    });
    blank = false;
    last = glyph;
  }
  return words;
}

const textOfWords = (words: readonly Piecewise[]) =>
  words
    .map(({ glyph, spaced }) => (spaced ? ` ${glyph.text}` : glyph.text))
    .join('')
    .replaceAll(EMPTY_FIELD, '');

const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;
const leftToRight = /[\p{L}\p{N}]/u;

/** Letters from left to right in the order in which they are read, where the writing goes from right to left. */
function logicalOrder(glyphs: Glyph[]): Glyph[] {
  const backwards = glyphs.filter(({ text }) => rightToLeft.test(text)).length;
  if (backwards === 0) return glyphs;
  const forwards = glyphs.filter(({ text }) => !rightToLeft.test(text) && /\p{L}/u.test(text)).length;
  if (backwards < forwards) return glyphs;
  const result: Glyph[] = [];
  let run: Glyph[] = [];
  for (const glyph of glyphs.toReversed()) {
    // Numbers and words of other writings within it go on from left to right.
    if (
      !rightToLeft.test(glyph.text) &&
      (leftToRight.test(glyph.text) || (run.length > 0 && /^[.,:/%-]$/.test(glyph.text)))
    ) {
      run.push(glyph);
      continue;
    }
    append(result, run.toReversed());
    result.push(glyph);
    run = [];
  }
  append(result, run.toReversed());
  return result;
}

/** The same letter a little aside is its shadow, or makes it look bold. */
function withoutShadows(glyphs: readonly Glyph[]): Glyph[] {
  const kept: Glyph[] = [];
  for (const glyph of glyphs) {
    const near = 0.13 * glyph.look.size;
    const shadow = kept.slice(-3).some(
      (other) =>
        other.text === glyph.text &&
        !isBlank(glyph) &&
        glyph.x0 - other.x0 < near &&
        Math.abs(glyph.base - other.base) < near &&
        // The letters of a ligature share its place.
        (glyph.x0 !== other.x0 || glyph.base !== other.base),
    );
    if (!shadow) kept.push(glyph);
  }
  return kept;
}

/** White between two letters, whichever way they are read. */
const gapOf = (one: Glyph, next: Glyph) => Math.max(next.x0 - one.x1, one.x0 - next.x1);

/** The letter that programs write for the mark of inner lists, in a font of its own. */
const BULLET_LETTER = 'o';

/** A letter of another font alone at the beginning of a line, as a mark of a list, is one. */
function withBullet(glyphs: Glyph[]): Glyph[] {
  const [mark, blank, next] = glyphs;
  if (mark?.text !== BULLET_LETTER || blank === undefined) return glyphs;
  const after = isBlank(blank) ? glyphs.find((glyph, at) => at > 0 && !isBlank(glyph)) : blank;
  if (after === undefined || next === undefined || mark.look.face === after.look.face) return glyphs;
  if (after.x0 - mark.x1 < 0.2 * after.look.size) return glyphs;
  return [
    { ...mark, text: '◦', base: after.base, look: { ...after.look, face: mark.look.face ?? '' } },
    ...glyphs.slice(1),
  ];
}

/** A line of these letters, ordered along it; null where there are blanks only. */
export function lineOf(unordered: readonly Glyph[]): Line | null {
  const sorted = logicalOrder(withoutShadows(unordered.toSorted((a, b) => a.x0 - b.x0)));
  const first = sorted.findIndex((glyph) => !isBlank(glyph));
  if (first === -1) return null;
  const last = sorted.findLastIndex((glyph) => !isBlank(glyph));
  const glyphs = withBullet(sorted.slice(first, last + 1));
  const size = mostFrequent(glyphs, ({ look }) => Math.round(look.size * 10) / 10) ?? 1;
  const main = glyphs.filter(({ look }) => Math.abs(look.size - size) < 0.2);
  return {
    ...boundingRect(glyphs),
    glyphs,
    size,
    base: median(main.map(({ base }) => base)),
    bold: mostFrequent(glyphs, ({ look }) => look.bold) ?? false,
    fixed: mostFrequent(glyphs, ({ look }) => look.fixed) ?? false,
    face: mostFrequent(glyphs, ({ look }) => look.face) ?? '',
    hidden: mostFrequent(glyphs, ({ hidden }) => hidden) ?? false,
    text: textOfWords(wordsOf({ glyphs, size })),
    openEnd: last < sorted.length - 1,
  };
}

/** Lines of upright letters. */
export function linesOf(glyphs: readonly Glyph[]): Line[] {
  const lines: Line[] = [];
  for (const group of joinPieces(piecesOf(glyphs))) {
    const line = lineOf(group.flatMap((piece) => piece.glyphs));
    if (line !== null) lines.push(line);
  }
  return lines;
}

/** Lines that stand side by side put together, from left to right. */
export function rowsOf(lines: readonly Line[]): Line[][] {
  const rows: { lines: Line[]; base: number; size: number }[] = [];
  for (const line of lines.toSorted((a, b) => a.base - b.base || a.x0 - b.x0)) {
    const row = rows.at(-1);
    if (row !== undefined && Math.abs(line.base - row.base) <= 0.4 * Math.min(line.size, row.size))
      row.lines.push(line);
    else rows.push({ lines: [line], base: line.base, size: line.size });
  }
  return rows.map((row) => row.lines.toSorted((a, b) => a.x0 - b.x0));
}

/** One line of several on a row. */
export function joinRow(row: readonly Line[]): Line {
  const [only] = row;
  if (row.length === 1 && only !== undefined) return only;
  return { ...lineOf(row.flatMap(({ glyphs }) => glyphs))!, openEnd: row.at(-1)?.openEnd ?? false };
}
