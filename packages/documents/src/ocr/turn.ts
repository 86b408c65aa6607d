import { type GreyImage, oriented } from './grey.ts';

// Pages that lie on their side or upside down are scanned as they lie. What they are is known by trying.

/** Ways to turn a page, as the orientation of photographs is written: a quarter to the right, to the left, a half. */
const turns = [6, 8, 3] as const;
/** Text that is recognised as well as this is upright. */
const UPRIGHT = 0.7;
/** Turning must make it so much clearer. */
const CLEARER = 0.12;

/** The picture as its text is upright; `clarity` tries one, and says how clear text is in it, 0 to 1. */
export function upright(image: GreyImage, first: number, clarity: (image: GreyImage) => number): GreyImage {
  if (first >= UPRIGHT) return image;
  let [best, most] = [image, first + CLEARER];
  for (const turn of turns) {
    const turned = oriented(image, turn);
    const found = clarity(turned);
    if (found > most) [best, most] = [turned, found];
    if (found >= UPRIGHT + CLEARER) break;
  }
  return best;
}
