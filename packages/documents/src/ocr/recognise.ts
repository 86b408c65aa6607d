import type { BaseApi, Core } from './core.ts';
import type { GreyImage, PixelRect } from './grey.ts';
import type { Region } from './regions.ts';

/** A letter that was recognised, or a syllable. */
export interface Letter extends PixelRect {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** A blank stands before it. */
  readonly spaced: boolean;
}

export interface RecognisedLine extends PixelRect {
  readonly letters: readonly Letter[];
  readonly confidence: number;
  /** y of the line that its letters stand on, in the middle of it. */
  readonly base: number;
  /** Another line that is as large, for what has no size of its own. */
  readonly like?: RecognisedLine;
}

/** Page segmentation modes. Source: Tesseract's PageSegMode. */
const PSM_SINGLE_BLOCK = 6;
const PSM_SINGLE_LINE = 7;

/** Margin of paper around a region that is recognised. */
const MARGIN_PX = 12;
/** The engine wants a resolution; its value matters little. */
const ASSUMED_DOTS_PER_INCH = 300;

interface JsonBox {
  readonly bbox: PixelRect;
  readonly text: string;
  readonly confidence: number;
}
interface JsonWord extends JsonBox {
  readonly symbols: readonly JsonBox[];
}
interface JsonLine extends JsonBox {
  readonly baseline: PixelRect;
  readonly words: readonly JsonWord[];
}
interface JsonPage {
  readonly blocks?: readonly { readonly paragraphs: readonly { readonly lines: readonly JsonLine[] }[] }[] | null;
}

/** Grey of the paper of a region: that of most of its edge. */
function paperOf({ width, data }: GreyImage, { x0, y0, x1, y1 }: PixelRect): number {
  const values: number[] = [];
  for (let x = x0; x < x1; x++) values.push(data[y0 * width + x]!, data[(y1 - 1) * width + x]!);
  for (let y = y0; y < y1; y++) values.push(data[y * width + x0]!, data[y * width + x1 - 1]!);
  values.sort((a, b) => a - b);
  return values[Math.floor(values.length * 0.6)] ?? 255;
}

/** Letters of a line with the blanks that stand between them, as its text tells. */
function lettersOf(line: JsonLine, { x0: left, y0: top }: PixelRect): Letter[] {
  const letters: Letter[] = [];
  let rest = line.text;
  for (const { symbols, confidence } of line.words)
    for (const { text, bbox, confidence: own } of symbols) {
      const trimmed = text.trim();
      if (trimmed === '') continue;
      const at = rest.indexOf(trimmed);
      const spaced = at > 0 && /\s/.test(rest.slice(0, at));
      if (at !== -1) rest = rest.slice(at + trimmed.length);
      letters.push({
        text: trimmed,
        confidence: Math.max(0, Math.min(1, Math.min(own, confidence) / 100)),
        spaced: spaced && letters.length > 0,
        x0: bbox.x0 + left,
        y0: bbox.y0 + top,
        x1: bbox.x1 + left,
        y1: bbox.y1 + top,
      });
    }
  return letters;
}

function linesOf(json: string, corner: PixelRect): RecognisedLine[] {
  const { blocks } = JSON.parse(json) as JsonPage;
  const lines: RecognisedLine[] = [];
  for (const { paragraphs } of blocks ?? [])
    for (const { lines: some } of paragraphs)
      for (const line of some) {
        const letters = lettersOf(line, corner);
        if (letters.length === 0) continue;
        const { bbox, baseline } = line;
        lines.push({
          letters,
          confidence: letters.reduce((sum, { confidence }) => sum + confidence, 0) / letters.length,
          base: (baseline.y0 + baseline.y1) / 2 + corner.y0,
          x0: bbox.x0 + corner.x0,
          y0: bbox.y0 + corner.y0,
          x1: bbox.x1 + corner.x0,
          y1: bbox.y1 + corner.y0,
        });
      }
  return lines;
}

/** A recogniser of one or more languages, and the memory of its library. */
export type Reading = Pick<Core, 'module' | 'memory'> & { readonly api: BaseApi };

/** White between letters that are moved together, in heights of them. */
const MOVED_GAP_HEIGHTS = 0.12;

/** Reads letters that are set far apart as the word that they are: in a picture in which they stand beside each other. */
function recogniseApart(reading: Reading, image: GreyImage, region: Region, letters: readonly PixelRect[]) {
  const gap = Math.round(MOVED_GAP_HEIGHTS * (region.y1 - region.y0));
  const height = region.y1 - region.y0;
  const width = letters.reduce((sum, { x0, x1 }) => sum + x1 - x0 + gap, 0);
  const data = new Uint8Array(width * height).fill(paperOf(image, region));
  const moved: { readonly x: number; readonly place: PixelRect }[] = [];
  let x = 0;
  for (const place of letters) {
    for (let y = region.y0; y < region.y1; y++)
      data.set(
        image.data.subarray(y * image.width + place.x0, y * image.width + place.x1),
        (y - region.y0) * width + x,
      );
    moved.push({ x, place });
    x += place.x1 - place.x0 + gap;
  }
  const together = { x0: 0, y0: 0, x1: width, y1: height, several: false };
  return recognise(reading, { width, height, data }, together).map((line): RecognisedLine => {
    const back = line.letters.map((letter, at): Letter => {
      const middle = (letter.x0 + letter.x1) / 2;
      const from = moved.findLast((one) => one.x <= middle) ?? moved[0]!;
      const shift = from.place.x0 - from.x;
      return {
        ...letter,
        spaced: at > 0,
        x0: letter.x0 + shift,
        x1: letter.x1 + shift,
        y0: letter.y0 + region.y0,
        y1: letter.y1 + region.y0,
      };
    });
    return {
      ...line,
      letters: back,
      base: line.base + region.y0,
      x0: region.x0,
      x1: region.x1,
      y0: line.y0 + region.y0,
      y1: line.y1 + region.y0,
    };
  });
}

/** Reads the text of one place of a page. */
export function recognise(reading: Reading, image: GreyImage, region: Region): RecognisedLine[] {
  if (region.letters) return recogniseApart(reading, image, region, region.letters);
  const { api, module, memory } = reading;
  const inner = {
    x0: Math.max(0, region.x0 - 2),
    y0: Math.max(0, region.y0 - 2),
    x1: Math.min(image.width, region.x1 + 2),
    y1: Math.min(image.height, region.y1 + 2),
  };
  const [width, height] = [inner.x1 - inner.x0 + 2 * MARGIN_PX, inner.y1 - inner.y0 + 2 * MARGIN_PX];
  const address = module._malloc(width * height);
  if (address === 0) throw new RangeError('no memory left');
  try {
    const pixels = new Uint8Array(memory.buffer, address, width * height).fill(paperOf(image, inner));
    for (let y = inner.y0; y < inner.y1; y++)
      pixels.set(
        image.data.subarray(y * image.width + inner.x0, y * image.width + inner.x1),
        (y - inner.y0 + MARGIN_PX) * width + MARGIN_PX,
      );
    api.SetPageSegMode(region.several ? PSM_SINGLE_BLOCK : PSM_SINGLE_LINE);
    api.SetImage(address, width, height, 1, width);
    api.SetSourceResolution(ASSUMED_DOTS_PER_INCH);
    if (api.Recognize(null) !== 0) return [];
    const corner = { ...inner, x0: inner.x0 - MARGIN_PX, y0: inner.y0 - MARGIN_PX };
    return linesOf(api.GetJSONText(0), corner);
  } finally {
    api.Clear();
    module._free(address);
  }
}
