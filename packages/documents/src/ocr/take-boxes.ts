import { type FormBox, isTickLetter, labelBeside } from '../readers/pdf/form-boxes.ts';
import type { Glyph } from '../readers/pdf/glyphs.ts';
import type { Core } from './core.ts';
import type { GreyImage, PixelRect } from './grey.ts';
import { inPoints } from './place.ts';
import type { Seen } from './prepare.ts';
import { recognise } from './recognise.ts';
import { type Square, squaresOf } from './squares.ts';
import { type TickBox, tickBoxesOf } from './tick-boxes.ts';

/** What is a letter or a figure in a frame and no mark, where it is as clear as this; figures that no mark looks like may be less clear. */
const framedLetters = /^[\p{Script=Hangul}\p{Script=Han}\p{N}A-Z]{1,3}$/u;
const MIN_FRAMED_CONFIDENCE = 0.8;
const roundFigures = /^[235689]$/;
const MIN_FIGURE_CONFIDENCE = 0.5;

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

/**
 * Finds the boxes to tick of a page that is ready to be read, and paints them over in its picture. They stay among its ink, so that the
 * words around them are read as one line: alone they are read worse.
 */
export function takeBoxes(core: Core, seen: Seen): readonly TickBox[] {
  const { image, ink, components, letter } = seen;
  const found = tickBoxesOf(squaresOf(ink, components, letter), seen, (square) => isFramedLetter(core, image, square));
  for (const { square } of found) eraseRect(image, square.component);
  return found.map(({ box }) => box);
}

/** Boxes to tick that stand beside text, or alone in a cell, in points. */
export function boxesBeside(boxes: readonly TickBox[], glyphs: readonly Glyph[], perPoint: number): FormBox[] {
  return boxes.flatMap(({ checked, alone, ...place }) => {
    const box = { ...inPoints(place, perPoint), checked, round: false };
    return alone || labelBeside(box, glyphs) !== null ? [box] : [];
  });
}
