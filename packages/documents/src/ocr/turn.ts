import { type GreyImage, orientedImage } from './grey.ts';

// Pages that lie on their side or upside down are scanned as they lie. Which way is up is found by trying.

/** Ways to turn a page, as the orientation of photographs is written: a quarter to the right, to the left, a half. */
const quarterTurns = [6, 8, 3] as const;
/** Text that is recognised with this confidence is upright. */
const MIN_UPRIGHT_CONFIDENCE = 0.7;
/** Least gain in confidence by which a page is turned. */
const MIN_CONFIDENCE_GAIN = 0.12;

/** The picture as its text is upright; `clarity` tries one, and says how clear text is in it, 0 to 1. */
export function turnedUpright(image: GreyImage, first: number, clarity: (image: GreyImage) => number): GreyImage {
  if (first >= MIN_UPRIGHT_CONFIDENCE) return image;
  let [best, most] = [image, first + MIN_CONFIDENCE_GAIN];
  for (const turn of quarterTurns) {
    const turned = orientedImage(image, turn);
    const found = clarity(turned);
    if (found > most) [best, most] = [turned, found];
    if (found >= MIN_UPRIGHT_CONFIDENCE + MIN_CONFIDENCE_GAIN) break;
  }
  return best;
}
