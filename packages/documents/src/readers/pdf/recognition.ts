import type { Warning } from '../../document.ts';
import { recognisedContent } from '../../ocr/content.ts';
import { withCore } from '../../ocr/engine.ts';
import { type Recognised, type RecognisedPage, recognisePage } from '../../ocr/page.ts';
import { ParseError } from '../../parse-error.ts';
import type { OcrOptions } from '../../reader.ts';
import { recognitionAborted, type Work } from '../../work.ts';
import type { PageContent } from './content.ts';
import { type DrawnText, picturedPlaces } from './drawn-text.ts';
import { type Rect, heightOf, isCentredIn, widthOf } from './geometry.ts';
import type { Glyph } from './glyphs.ts';
import { type PageContext, UnreadablePage, readPage } from './page.ts';
import { paintedPage } from './painted.ts';
import type { Pdfium } from './pdfium.ts';

/** A file that is open in the library; null where the library broke. */
interface OpenFile {
  use<Result>(call: (open: { readonly pdfium: Pdfium; readonly document: number }) => Result): Promise<Result | null>;
}

/** A page that a picture covers to a larger share, with fewer letters upon it, is a scan with a stamp or a number. */
const MIN_SCAN_COVERAGE_SHARE = 0.6;
const MIN_TEXT_LETTERS = 80;
/** Text that is drawn as shapes is taken from this confidence on; so many letters of it are missed when they are not read. */
const MIN_CLEAR_CONFIDENCE = 0.6;
const MIN_LETTERS_SHARE = 0.5;
const MIN_LATIN_LETTERS = 3;
const MIN_TOLD_LETTERS = 20;
/** Pages by which a document of pictures is told from an empty one. */
const MAX_SAMPLED_PAGES = 5;

const warningWithoutText = (page: number): Warning => ({
  code: 'page_without_text',
  message: `Page ${page} has no text that can be read; it may be a picture.`,
  page,
});
const warningNotRecognised = (page: number): Warning => ({
  code: 'page_without_text',
  message: `Page ${page} has no text of its own, and none was recognised in its picture.`,
  page,
});

const warningNoTime = (page: number): Warning => ({
  code: 'page_without_text',
  message: `Page ${page} is a picture, and no time was left to recognise it. Ask for fewer pages at once.`,
  page,
});

const warningDrawnText = (page: number, why: string): Warning => ({
  code: 'text_not_read',
  message: `Some text of page ${page} is drawn as shapes and was not read: ${why}`,
  page,
});

function isScan({ letters, recognised, entries, width, height }: PageContent): boolean {
  if (letters === 0) return true;
  if (recognised || letters >= MIN_TEXT_LETTERS) return false;
  return entries.some(
    (entry) => entry.kind === 'picture' && widthOf(entry) * heightOf(entry) > MIN_SCAN_COVERAGE_SHARE * width * height,
  );
}

/** True for words and numbers, and not for shapes that were taken for letters: those of a logo or a formula. */
function isClear(confidence: number, glyphs: readonly Glyph[]): boolean {
  const text = glyphs.map((glyph) => glyph.text.trim()).join('');
  const letters = text.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const says = letters.length >= MIN_LATIN_LETTERS || /[\p{N}\p{Script=Hangul}]/u.test(letters);
  return confidence >= MIN_CLEAR_CONFIDENCE && says && letters.length >= MIN_LETTERS_SHARE * text.length;
}

/** Letters of the lines that are words. */
function clearGlyphs({ glyphs, stretches }: RecognisedPage): readonly Glyph[] {
  return stretches.flatMap((line) => {
    const within = glyphs.filter((glyph) => isCentredIn(glyph, line));
    return isClear(line.confidence, within) ? within : [];
  });
}

/** A page that was read, with what is to be said of it. */
export interface CompletePage {
  readonly content: PageContent;
  readonly warning?: Warning;
  /** The recognised text and its confidence, where the page was recognised. */
  readonly stretches?: readonly Recognised[];
}

interface Tools {
  readonly ocr: OcrOptions;
  readonly context: PageContext;
  readonly work: Work;
}

/** Reads the pages of a PDF that are pictures of text. */
export class PageRecognition {
  readonly #file: OpenFile;
  readonly #ocr: OcrOptions;
  readonly #context: PageContext;
  readonly #work: Work;
  readonly #until: number;

  constructor(file: OpenFile, { ocr, context, work }: Tools) {
    this.#file = file;
    this.#ocr = ocr;
    this.#context = context;
    this.#work = work;
    this.#until = performance.now() + (ocr.timeMs ?? Infinity);
  }

  /** The content of a page, recognised where it has none of its own, and what is to be said of it. */
  async complete({ drawnText, ...own }: PageContent): Promise<CompletePage> {
    const whole = await this.#complete(own);
    return whole.content !== own || drawnText === undefined ? whole : this.#withDrawnText(own, drawnText, whole);
  }

  /** The page with the text that is drawn as shapes upon it. */
  async #withDrawnText(own: PageContent, drawn: DrawnText, whole: CompletePage): Promise<CompletePage> {
    const { number } = own;
    const unread = (why: string): CompletePage =>
      whole.warning !== undefined || drawn.letters < MIN_TOLD_LETTERS
        ? whole
        : { ...whole, warning: warningDrawnText(number, why) };
    if (this.#ocr.mode === 'off') return unread('recognition of text in pictures is turned off.');
    if (performance.now() > this.#until)
      return unread('no time was left to recognise it. Ask for fewer pages at once.');
    if (this.#work.hasEnded(number)) return { ...whole, warning: recognitionAborted(number) };
    const found = await this.#recognised(number, drawn.places, (page) => page);
    if (found === null) return unread('its picture could not be recognised.');
    const cut = found.cut ? { warning: recognitionAborted(number) } : {};
    const glyphs = clearGlyphs(found);
    if (glyphs.length === 0) return { ...whole, ...cut };
    const context = { ...this.#context, countText: () => this.#context.countText(glyphs.length), recognised: glyphs };
    const content = await this.#file.use(({ pdfium, document }) => readPage(pdfium, document, number, context));
    return content === null ? { ...whole, ...cut } : { ...whole, content, stretches: found.stretches, ...cut };
  }

  async #complete(own: PageContent): Promise<CompletePage> {
    const { mode } = this.#ocr;
    if (mode === 'off')
      return own.letters === 0 ? { content: own, warning: warningWithoutText(own.number) } : { content: own };
    if (mode === 'auto' && !isScan(own)) return { content: own };
    if (performance.now() > this.#until)
      return own.letters === 0 ? { content: own, warning: warningNoTime(own.number) } : { content: own };
    if (this.#work.hasEnded(own.number)) return { content: own, warning: recognitionAborted(own.number) };
    const found = await this.#recognise(own.number);
    if (found === null)
      return own.letters === 0 ? { content: own, warning: warningNotRecognised(own.number) } : { content: own };
    const cut = found.cut ? { warning: recognitionAborted(own.number) } : {};
    // A title upon a picture is better as it is written.
    const isLess = mode === 'auto' && found.content.letters <= 2 * own.letters;
    if (isLess || found.content.letters === 0) return { ...this.#keep(own, found.inked), ...cut };
    return { content: found.content, stretches: found.stretches, ...cut };
  }

  /** An empty page lacks nothing. */
  #keep(own: PageContent, inked: boolean): CompletePage {
    return own.letters === 0 && inked ? { content: own, warning: warningNotRecognised(own.number) } : { content: own };
  }

  /** Recognises a page as the whole of its content. */
  #recognise(number: number) {
    return this.#recognised(number, null, (page) => ({
      content: recognisedContent(page, number, this.#context),
      inked: page.inked,
      stretches: page.stretches,
      cut: page.cut,
    }));
  }

  /** What `take` makes of a page that was recognised, or of these places of it. Null where the page, or its picture, is too much for what reads it. */
  async #recognised<Taken>(
    number: number,
    places: readonly Rect[] | null,
    take: (page: RecognisedPage) => Taken,
  ): Promise<Taken | null> {
    this.#work.recognise(number);
    const painted = await this.#file.use(({ pdfium, document }) => paintedPage(pdfium, document, number));
    if (painted === null) return null;
    const { image, dotsPerInch } = painted;
    const shown = places === null ? image : picturedPlaces(image, places, dotsPerInch / 72);
    const options = { dotsPerInch, exact: true, upright: places !== null, isSpent: this.#work.isPageOverBudget };
    try {
      return take(await withCore(this.#ocr.languages, (core) => recognisePage(core, shown, options)));
    } catch (error) {
      if (error instanceof ParseError) throw error;
      return null;
    }
  }

  /** Throws ParseError `NEEDS_OCR` for a document of pictures that no text came of, though all were looked at. */
  async demandText(contents: readonly PageContent[]): Promise<void> {
    if (contents.some(({ letters }) => letters > 0)) return;
    for (const { number } of contents.slice(0, MAX_SAMPLED_PAGES)) {
      if (!(await this.#isInked(number))) continue;
      throw new ParseError(
        'NEEDS_OCR',
        this.#ocr.mode === 'off'
          ? 'The pages are pictures of text, and recognition of text in pictures is turned off.'
          : 'The pages are pictures, and no text was recognised in them.',
      );
    }
  }

  async #isInked(number: number): Promise<boolean> {
    try {
      const painted = await this.#file.use(({ pdfium, document }) => paintedPage(pdfium, document, number));
      return painted?.image.data.some((grey) => grey < 200) === true;
    } catch (error) {
      if (error instanceof UnreadablePage) return false;
      throw error;
    }
  }
}
