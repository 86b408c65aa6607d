import type { Document, Page, Warning } from '../../document.ts';
import { onShownPages, recognisedContent, withConfidence } from '../../ocr/content.ts';
import { withCore } from '../../ocr/engine.ts';
import { type Recognised, type RecognisedPage, recognisePage } from '../../ocr/page.ts';
import { ParseError } from '../../parse-error.ts';
import { type OcrOptions, type ReadOptions, type Reader, ocrOff } from '../../reader.ts';
import { Work, isWorkLimitWarning, noPagesError, recognitionAborted } from '../../work.ts';
import { createBudget } from '../budget.ts';
import { assembleBlocks } from '../pdf/assemble.ts';
import type { PageContent } from '../pdf/content.ts';
import { LineJoiner } from '../pdf/line-joiner.ts';
import { decodedPage } from './decoded.ts';
import { type ImageHeader, type ImagePage, headerOf } from './header.ts';
import { COMPRESSION_JPEG, deflateCompressions } from './tiff-unpack.ts';

/** Pictures with more pixels, or that take more memory while they are decoded, are refused. */
const MAX_PIXELS = 120_000_000;
const MAX_DECODING_BYTES = 600 * 1024 * 1024;
/** A longer side cannot be decoded. */
const MAX_SIDE = 32_767;
/** Pictures that are recognised have no more pixels than this, about A2 at 300 dots an inch; larger pictures are made smaller first. */
const WORK_PIXELS = 36_000_000;
/** Scans with at least this resolution are made half as large: nothing is gained by more. */
const FINE_DOTS_PER_INCH = 550;
/** Resolution of a picture that does not state it: that of screens. */
const SCREEN_DOTS_PER_INCH = 96;

const damagedPictureError = () => new ParseError('CORRUPTED', 'The picture is damaged and cannot be opened.');

/** Compressions of TIFF pages that are read: not at all, fax of group 3 and 4, LZW, PackBits, JPEG, Deflate. */
const readableCompressions: ReadonlySet<number> = new Set([
  1,
  2,
  3,
  4,
  5,
  32_773,
  COMPRESSION_JPEG,
  ...deflateCompressions,
]);

/** Memory that each pixel takes while it is decoded: as it is packed in the file, and as it is kept. */
function decodingBytes(kind: ImageHeader['kind'], bits: number): number {
  const kept = bits > 8 ? 4 : 1;
  if (kind === 'jpeg') return 4;
  return kind === 'png' ? bits / 8 + kept : 2 * kept;
}

/** Refuses what is not decoded and what would take too much memory, before it is decoded. */
function checkImageLimits(kind: ImageHeader['kind'], { width, height, bits, compression = 1 }: ImagePage): void {
  if (!readableCompressions.has(compression))
    throw new ParseError(
      'UNSUPPORTED',
      'The TIFF file is packed in a way that is not read. Save it with LZW compression, or as PNG, and try again.',
    );
  const pixels = width * height;
  const fits = pixels <= MAX_PIXELS && pixels * decodingBytes(kind, bits) <= MAX_DECODING_BYTES;
  if (fits && Math.max(width, height) <= MAX_SIDE) return;
  throw new ParseError(
    'TOO_LARGE',
    `The picture has ${width.toLocaleString('en')} × ${height.toLocaleString('en')} pixels, which is too many. Make it smaller and try again.`,
  );
}

interface Read {
  readonly page: RecognisedPage;
  /** Points of the page for each of those that its text was placed at. */
  readonly scale: number;
}

/** A page with what is to be said of it; without content where it is damaged. */
interface ReadPage {
  readonly content?: PageContent;
  readonly stretches?: readonly Recognised[];
  readonly scale?: number;
  readonly warning?: Warning;
}

function smallerBy({ width, height, dotsPerInch }: ImagePage): number {
  const fitting = Math.ceil(Math.sqrt((width * height) / WORK_PIXELS));
  return Math.max(
    1,
    fitting,
    dotsPerInch !== null && dotsPerInch >= FINE_DOTS_PER_INCH ? Math.floor(dotsPerInch / 275) : 1,
  );
}

/** What a page that breaks the library has done to it: nothing is known but that no memory was left, or that it is damaged. */
function brokenBy(error: unknown): null {
  if (error instanceof ParseError) throw error;
  if (error instanceof RangeError)
    throw new ParseError(
      'TOO_LARGE',
      'The picture needs more memory than one may have. Make it smaller and try again.',
    );
  return null;
}

/** Recognises one page; null where it cannot be decoded. */
async function readPage(
  bytes: Uint8Array,
  kind: ImageHeader['kind'],
  about: ImagePage,
  { languages }: OcrOptions,
  work: Work,
): Promise<Read | null> {
  const smaller = smallerBy(about);
  return withCore(languages, (core) => {
    const image = decodedPage(core, bytes, { kind, page: about, smaller });
    if (image === null) return null;
    const dotsPerInch = about.dotsPerInch === null ? null : about.dotsPerInch / smaller;
    const page = recognisePage(core, image, { dotsPerInch, exact: false, isSpent: work.isPageOverBudget });
    const points = (page.pixelWidth * 72) / (dotsPerInch ?? SCREEN_DOTS_PER_INCH / smaller);
    return { page, scale: points / page.width };
  }).catch(brokenBy);
}

const warnings = {
  unreadable: (page: number): Warning => ({
    code: 'page_unreadable',
    message: `Page ${page} is damaged and was left out.`,
    page,
  }),
  noTime: (page: number): Warning => ({
    code: 'page_without_text',
    message: `No time was left to recognise page ${page}. Ask for fewer pages at once.`,
    page,
  }),
  withoutText: (page: number): Warning => ({
    code: 'page_without_text',
    message: `No text was found on page ${page}.`,
    page,
  }),
};

const roundToTenth = (value: number) => Math.round(value * 10) / 10;

/** What is known of a page that was read, as the other formats know it. */
function readPageOf(read: Read | null, number: number, context: Parameters<typeof recognisedContent>[2]): ReadPage {
  if (read === null) return { warning: warnings.unreadable(number) };
  const { page, scale } = read;
  const content = recognisedContent(page, number, context);
  const without = content.letters === 0 ? { warning: warnings.withoutText(number) } : {};
  const warning = page.cut ? { warning: recognitionAborted(number) } : without;
  return { content, scale, stretches: page.stretches, ...warning };
}

interface Recognition {
  readonly ocr: OcrOptions;
  readonly joiner: LineJoiner;
}

async function readPages(
  bytes: Uint8Array,
  { kind, pages }: ImageHeader,
  { ocr, joiner }: Recognition,
  options: ReadOptions,
) {
  const { pages: wanted, onPage, limits, work = new Work() } = options;
  const budget = createBudget(limits);
  const context = {
    joiner,
    tagged: false,
    countCells: (count: number) => budget.cells(count),
    countText: (count: number) => budget.text(count),
    mayNest: (depth: number) => depth <= 8 && budget.mayNest(depth),
    maxLetters: Infinity,
  };
  const numbers = pages.map((_, at) => at + 1).filter((number) => wanted === null || wanted.has(number));
  budget.pages(numbers.length);
  for (const number of numbers) checkImageLimits(kind, pages[number - 1]!);
  const until = performance.now() + (ocr.timeMs ?? Infinity);
  const read = async (number: number): Promise<ReadPage> =>
    number !== numbers[0] && performance.now() > until
      ? { warning: warnings.noTime(number) }
      : readPageOf(await readPage(bytes, kind, pages[number - 1]!, ocr, work), number, context);
  return work.pages(numbers, read, onPage);
}

/**
 * Pictures (PNG, JPEG, TIFF with all its pages, BMP, GIF, WebP): the text in them is recognised, with columns, headings, lists and
 * ruled tables. Throws ParseError `NEEDS_OCR` where recognition is off or finds no text, `TOO_LARGE`, `CORRUPTED`.
 */
export const readImage: Reader = async (bytes, options): Promise<Document> => {
  const header = headerOf(bytes);
  if (header === null) throw damagedPictureError();
  const ocr = options.ocr ?? ocrOff;
  if (ocr.mode === 'off')
    throw new ParseError('NEEDS_OCR', 'The file is a picture, and recognition of text in pictures is turned off.');
  const joiner = new LineJoiner();
  const { parts, warnings: found } = await readPages(bytes, header, { ocr, joiner }, options);
  const contents = [...parts.values()].flatMap(({ content }) => content ?? []);
  if (contents.length === 0 && found.length > 0) throw noPagesError(found, damagedPictureError());
  if (contents.length > 0 && !found.some(isWorkLimitWarning) && contents.every(({ letters }) => letters === 0))
    throw new ParseError('NEEDS_OCR', 'No text was found in the picture.');
  const stretches = new Map([...parts].map(([number, { stretches: own = [] }]) => [number, own]));
  const scales = new Map([...parts].map(([number, { scale = 1 }]) => [number, scale]));
  const blocks = withConfidence(assembleBlocks(contents, { bookmarks: [], joiner }), stretches);
  return {
    format: 'image',
    meta: {},
    pages: contents.map(({ number, width, height }): Page => {
      const scale = scales.get(number) ?? 1;
      return { number, width: roundToTenth(width * scale), height: roundToTenth(height * scale), recognised: true };
    }),
    blocks: onShownPages(blocks, contents, (page) => scales.get(page) ?? 1),
    warnings: found,
  };
};
