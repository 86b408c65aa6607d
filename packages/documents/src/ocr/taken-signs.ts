import { fieldGlyphs } from '../readers/pdf/field-glyphs.ts';
import { isTickLetter, labelBeside } from '../readers/pdf/form-boxes.ts';
import type { Rect } from '../readers/pdf/geometry.ts';
import type { Glyph } from '../readers/pdf/glyphs.ts';
import type { Core } from './core.ts';
import type { GreyImage, PixelRect } from './grey.ts';
import { inPoints } from './place.ts';
import type { Seen } from './prepare.ts';
import { recognise } from './recognise.ts';
import { type Square, squaresOf } from './squares.ts';
import { type TickBox, signsOf } from './tick-boxes.ts';

/** What is a letter or a figure in a frame and no mark, where it is as clear as this; figures that no mark looks like may be less clear. */
const framedLetters = /^[\p{Script=Hangul}\p{Script=Han}\p{N}A-Z]{1,3}$/u;
const MIN_FRAMED_CONFIDENCE = 0.8;
const roundFigures = /^[235689]$/;
const MIN_FIGURE_CONFIDENCE = 0.5;

/** A page with more ink than this apart from each other is a pattern, or dirt; one with more marks than that in squares is one, too. */
const MAX_COMPONENTS = 50_000;
const MAX_MARKS = 200;

/** Paints a place over with the grey of the paper around it. */
function eraseRect({ width, height, data }: GreyImage, rect: PixelRect): void {
  const [x0, x1] = [Math.max(0, rect.x0 - 2), Math.min(width, rect.x1 + 2)];
  const [y0, y1] = [Math.max(0, rect.y0 - 2), Math.min(height, rect.y1 + 2)];
  let paper = 0;
  for (let y = y0; y < y1; y++) paper = Math.max(paper, data[y * width + x0]!, data[y * width + x1 - 1]!);
  for (let y = y0; y < y1; y++) data.fill(paper, y * width + x0, y * width + x1);
}

function isFramedLetter({ all: api, module, memory }: Core, image: GreyImage, { inner }: Square): boolean {
  const lines = recognise({ api, module, memory }, image, { ...inner, several: false });
  const letters = lines.flatMap((line) => line.letters);
  const text = letters.map((letter) => letter.text).join('');
  return (
    framedLetters.test(text) &&
    !isTickLetter(text) &&
    letters.some(
      (letter) => letter.confidence >= (roundFigures.test(letter.text) ? MIN_FIGURE_CONFIDENCE : MIN_FRAMED_CONFIDENCE),
    )
  );
}

/** What was taken out of the picture of a page. */
export interface TakenSigns {
  readonly boxes: readonly TickBox[];
  /** Squares that lines begin with (□). */
  readonly bullets: readonly PixelRect[];
}

const nothing: TakenSigns = { boxes: [], bullets: [] };

/**
 * Finds the boxes to tick and the square bullets of a page that is ready to be read, and paints them over in its picture. They stay among
 * its ink, so that the words around them are read as one line: alone they are read worse. `isSpent`: the page has had its time.
 */
export function takeSigns(core: Core, seen: Seen, isSpent: () => boolean): TakenSigns {
  const { image, ink, components, letter } = seen;
  if (components.length > MAX_COMPONENTS) return nothing;
  const squares = squaresOf(ink, components, letter);
  if (squares.filter(({ inside }) => inside === 'mark').length > MAX_MARKS) return nothing;
  // What can't be looked at any more is left to the recogniser.
  const isLetter = (square: Square) => isSpent() || isFramedLetter(core, image, square);
  const { boxes, bullets } = signsOf(squares, seen, isLetter);
  for (const square of [...boxes.map((one) => one.square), ...bullets]) eraseRect(image, square.component);
  return { boxes: boxes.map(({ box }) => box), bullets };
}

/** A bullet as a letter on the line of its words, with a blank behind it. */
function bulletGlyphs(bullet: Rect, glyphs: readonly Glyph[]): Glyph[] {
  const label = labelBeside(bullet, glyphs);
  if (label === null || label.x0 < bullet.x1 - 2) return [];
  const { base, look, y0, y1 } = label;
  const glyph = { base, look, y0, y1, hidden: false, apart: false };
  return [
    { ...glyph, text: '□', x0: bullet.x0, x1: bullet.x1 },
    { ...glyph, text: ' ', x0: bullet.x1, x1: Math.max(bullet.x1, label.x0) },
  ];
}

/** Boxes that stand beside text, or alone in a cell, and bullets before text, as letters among those of the page. */
export function signGlyphs({ boxes, bullets }: TakenSigns, glyphs: readonly Glyph[], perPoint: number): Glyph[] {
  const fields = boxes.flatMap(({ checked, alone, ...place }) => {
    const box = { ...inPoints(place, perPoint), checked, round: false };
    return alone || labelBeside(box, glyphs) !== null ? [box] : [];
  });
  return [
    ...fieldGlyphs([], fields, glyphs),
    ...bullets.flatMap((bullet) => bulletGlyphs(inPoints(bullet, perPoint), glyphs)),
  ];
}
