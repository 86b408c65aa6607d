import { type GreyImage, orientedImage } from './grey.ts';

// Pages that lie on their side or upside down are scanned as they lie. Which way is up is found by trying.

/** Ways to turn a page, as the orientation of photographs is written, and the quarters to the right that each is. */
const quarterTurns = [
  [6, 1],
  [8, 3],
  [3, 2],
] as const;
/** Text that is recognised with this confidence is upright. */
const MIN_UPRIGHT_CONFIDENCE = 0.7;
/** Least gain in confidence by which a page is turned. */
const MIN_CONFIDENCE_GAIN = 0.12;

/** A picture as its text is upright, and the quarters by which it was turned to the right for that. */
export interface Upright {
  readonly image: GreyImage;
  readonly quarters: number;
}

/** The picture as its text is upright; `clarity` tries one, and says how clear text is in it, 0 to 1. */
export function turnedUpright(image: GreyImage, first: number, clarity: (image: GreyImage) => number): Upright {
  let best: Upright = { image, quarters: 0 };
  if (first >= MIN_UPRIGHT_CONFIDENCE) return best;
  let most = first + MIN_CONFIDENCE_GAIN;
  for (const [orientation, quarters] of quarterTurns) {
    const turned = orientedImage(image, orientation);
    const found = clarity(turned);
    if (found > most) [best, most] = [{ image: turned, quarters }, found];
    if (found >= MIN_UPRIGHT_CONFIDENCE + MIN_CONFIDENCE_GAIN) break;
  }
  return best;
}
