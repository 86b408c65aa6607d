import { type GreyImage, enlargedImage } from './grey.ts';
import { type Component, type Ink, componentsOf, inkOf, letterHeight } from './ink.ts';
import { dottedRules, eraseDots } from './leaders.ts';
import { invertBoxes } from './reversed.ts';
import { type DrawnLines, drawnLines, eraseLines } from './rules.ts';
import { skewOf, straightenedImage } from './skew.ts';

/** Pictures with lower letters are enlarged first: twice below the first, three times below the second. */
const SMALL_LETTER_HEIGHT_PX = 28;
const TINY_LETTER_HEIGHT_PX = 16;
/** Pictures are not enlarged beyond this. */
const MAX_ENLARGED_PIXELS = 40_000_000;

/** A page that is ready to be read. */
export interface Seen {
  readonly image: GreyImage;
  readonly components: readonly Component[];
  readonly lines: DrawnLines;
  /** Its ink without the lines. */
  readonly ink: Ink;
  /** Height of its letters, in pixels. */
  readonly letter: number;
  /** Factor by which it was enlarged. */
  readonly scale: number;
  /** Degrees by which it leaned; places are those of the straightened picture. */
  readonly skew: number;
}

const radiusOf = ({ width, height }: GreyImage) =>
  Math.max(12, Math.min(40, Math.round(Math.max(width, height) / 110)));

/** A page whose median pixel is darker than this has light letters on dark paper. */
const DARK_PAGE_GREY = 100;

function isDark({ data }: GreyImage): boolean {
  let dark = 0;
  for (let at = 0; at < data.length; at += 5) if (data[at]! < DARK_PAGE_GREY) dark++;
  return dark * 10 > data.length;
}

const invertedImage = ({ width, height, data }: GreyImage): GreyImage => ({
  width,
  height,
  data: data.map((value) => 255 - value),
});

/** The same page with lines of dots as lines; its picture is changed. */
function withoutDottedRules(seen: Pick<Seen, 'image' | 'components' | 'lines' | 'letter'>) {
  const { image, components, lines, letter } = seen;
  const dotted = dottedRules(components, lines, letter);
  if (dotted.length === 0) return seen;
  const dots = new Set(dotted.flatMap((one) => one.dots));
  eraseDots(
    image,
    dotted.map((one) => one.dots),
  );
  return {
    ...seen,
    components: components.filter((component) => !dots.has(component)),
    lines: { ...lines, across: [...lines.across, ...dotted.map(({ rule }) => rule)] },
  };
}

/** Makes a page ready: large enough, straight unless it is known to be, its lines taken out. Null where nothing like text is on it. */
export function preparedPage(
  picture: GreyImage,
  straight = false,
): { readonly seen: Seen | null; readonly inked: boolean } {
  let image = isDark(picture) ? invertedImage(picture) : picture;
  let radius = radiusOf(image);
  let ink = inkOf(image, radius);
  const components = componentsOf(ink);
  let letter = letterHeight(components, image.height / 4);
  const inked = components.some(({ area }) => area > 20);
  if (letter === 0) return { seen: null, inked };
  const wanted = letter < TINY_LETTER_HEIGHT_PX ? 3 : letter < SMALL_LETTER_HEIGHT_PX ? 2 : 1;
  const scale = Math.min(wanted, Math.floor(Math.sqrt(MAX_ENLARGED_PIXELS / (image.width * image.height))) || 1);
  if (scale > 1) {
    image = enlargedImage(image, scale);
    radius *= scale;
    letter *= scale;
    ink = inkOf(image, radius);
  }
  const skew = straight ? 0 : skewOf(ink);
  if (skew !== 0) {
    image = straightenedImage(image, skew);
    ink = inkOf(image, radius);
  } else if (image === picture) image = { ...image, data: image.data.slice() };
  if (invertBoxes(image, letter)) ink = inkOf(image, radius);
  const lines = drawnLines(ink, letter);
  eraseLines(ink, image, lines);
  return {
    seen: { ...withoutDottedRules({ image, components: componentsOf(ink), lines, letter }), ink, scale, skew },
    inked,
  };
}
