import { type GreyImage, enlarged } from './grey.ts';
import { type Component, componentsOf, inkOf, letterHeight } from './ink.ts';
import { reverseBoxes } from './reversed.ts';
import { type DrawnLines, drawnLines, wipeLines } from './rules.ts';
import { skewOf, straightened } from './skew.ts';

/** Letters smaller than this many pixels are made larger first. */
const SMALL = 28;
const TINY = 16;
/** Pictures are made no larger than this, in pixels. */
const MAX_PIXELS = 40_000_000;

/** A page that is ready to be read. */
export interface Seen {
  readonly image: GreyImage;
  readonly components: readonly Component[];
  readonly lines: DrawnLines;
  /** Height of its letters, in pixels. */
  readonly letter: number;
  /** How many times it was made larger. */
  readonly scale: number;
}

const radiusOf = ({ width, height }: GreyImage) =>
  Math.max(12, Math.min(40, Math.round(Math.max(width, height) / 110)));

/** A page whose middle pixel is darker than this has light letters on dark paper. */
const DARK = 100;

function isDark({ data }: GreyImage): boolean {
  let dark = 0;
  for (let at = 0; at < data.length; at += 5) if (data[at]! < DARK) dark++;
  return dark * 10 > data.length;
}

const negative = ({ width, height, data }: GreyImage): GreyImage => ({
  width,
  height,
  data: data.map((value) => 255 - value),
});

/** Makes a page ready: large enough, straight, its lines taken out. Null where nothing like text is on it. */
export function prepared(picture: GreyImage): { readonly seen: Seen | null; readonly inked: boolean } {
  let image = isDark(picture) ? negative(picture) : picture;
  let radius = radiusOf(image);
  let ink = inkOf(image, radius);
  const components = componentsOf(ink);
  let letter = letterHeight(components, image.height / 4);
  const inked = components.some(({ area }) => area > 20);
  if (letter === 0) return { seen: null, inked };
  const wanted = letter < TINY ? 3 : letter < SMALL ? 2 : 1;
  const scale = Math.min(wanted, Math.floor(Math.sqrt(MAX_PIXELS / (image.width * image.height))) || 1);
  if (scale > 1) {
    image = enlarged(image, scale);
    radius *= scale;
    letter *= scale;
    ink = inkOf(image, radius);
  }
  const skew = skewOf(ink);
  if (skew !== 0) {
    image = straightened(image, skew);
    ink = inkOf(image, radius);
  } else if (image === picture) image = { ...image, data: image.data.slice() };
  if (reverseBoxes(image, letter)) ink = inkOf(image, radius);
  const lines = drawnLines(ink, letter);
  wipeLines(ink, image, lines);
  return { seen: { image, components: componentsOf(ink), lines, letter, scale }, inked };
}
