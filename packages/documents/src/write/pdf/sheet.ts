import PdfKit from 'pdfkit';
import { ParseError } from '../../parse-error.ts';
import { PROGRAM } from '../options.ts';
import { boxes, type Face, faces, type Letters, type Look, createLetters, lettersBeyond } from './letters.ts';
import { openSpareFaces } from './spare-faces.ts';
import { heightOf, PageNotes } from './page-notes.ts';
import { type Measure, type Piece, SCRIPT_SHARE, type TextLine } from './lines.ts';

/** A4, and the margins of official documents, in points. */
export const paper = { width: 595.28, height: 841.89, top: 72, bottom: 60, left: 57, right: 57, foot: 30 } as const;
export const TEXT_WIDTH = paper.width - paper.left - paper.right;
export const TEXT_HEIGHT = paper.height - paper.top - paper.bottom;

const MAX_PAGES = 2_000;
const BOX_EM = 0.8;
const LINK_COLOUR = '#0563C1';

type Pdf = InstanceType<typeof PdfKit>;
/** An element of the structure of the file, for programs that read it aloud. */
export type Element = ReturnType<Pdf['struct']>;

export interface SheetOptions {
  readonly pageNumbers: boolean;
  /** The mark of a note; null for one that is not there. */
  readonly mark: (note: string) => string | null;
  /** Lines of a note. */
  readonly noteLines: (note: string) => readonly TextLine[];
}

/** A file without pages, and the letters that it has. */
export interface OpenedPdf {
  readonly pdf: Pdf;
  readonly letters: Letters;
}

const spareName = (spare: string, bold: boolean | undefined): string => `${spare} ${bold ? 'bold' : 'regular'}`;

/** Begins a file with typefaces for all letters of a text. */
export async function openPdf(title: string, text: string): Promise<OpenedPdf> {
  const pdf = new PdfKit({
    size: [paper.width, paper.height],
    margin: 0,
    autoFirstPage: false,
    tagged: true,
    displayTitle: title !== '',
    pdfVersion: '1.7',
    lang: 'ko-KR',
    info: { Creator: PROGRAM, Producer: PROGRAM, ...(title === '' ? {} : { Title: title }) },
  });
  /** A typeface as the library holds it, beside its types. */
  const opened = (face: string) => {
    pdf.font(face);
    return (pdf as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font.font;
  };
  for (const face of Object.keys(faces) as Face[]) pdf.registerFont(face, faces[face]());
  const first = opened('regular');
  const has = (codePoint: number) => first.hasGlyphForCodePoint(codePoint);
  const spareOf = new Map<string, string>();
  for (const { name, family, letters, files } of await openSpareFaces(lettersBeyond(text, has))) {
    for (const weight of ['regular', 'bold'] as const) {
      const face = spareName(name, weight === 'bold');
      pdf.registerFont(face, files[weight]);
      const font = opened(face);
      // By the name of its typeface readers know bold text; a variable one is named for its thinnest shapes.
      Object.defineProperty(font, 'postscriptName', { value: `${family}-${weight === 'bold' ? 'Bold' : 'Regular'}` });
      for (const letter of letters)
        if (font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)) spareOf.set(letter, name);
    }
  }
  return { pdf, letters: createLetters(has, spareOf) };
}

/** Pages that text, lines and pictures are put on, from top to bottom, with notes at their foot. */
export class Sheet implements Measure {
  readonly pdf: Pdf;
  readonly letters: Letters;
  readonly #options: SheetOptions;
  readonly #chunks: Uint8Array[] = [];
  #pages = 0;
  #y: number = paper.top;
  readonly #notes: PageNotes;

  constructor({ pdf, letters }: OpenedPdf, options: SheetOptions) {
    this.#options = options;
    this.#notes = new PageNotes(options.noteLines, TEXT_HEIGHT / 2);
    this.pdf = pdf;
    this.letters = letters;
    this.pdf.on('data', (chunk: Uint8Array) => this.#chunks.push(chunk));
    this.addPage();
  }

  mark(note: string): string | null {
    return this.#options.mark(note);
  }

  #take({ bold, script, size, spare }: Look): number {
    const own = script === undefined ? size : size * SCRIPT_SHARE;
    this.pdf.font(spare === undefined ? (bold ? 'bold' : 'regular') : spareName(spare, bold)).fontSize(own);
    return own;
  }

  widthOf(text: string, look: Look): number {
    const size = this.#take(look);
    return boxes.has(text) ? size : this.pdf.widthOfString(text);
  }

  get y(): number {
    return this.#y;
  }

  /** Room on this page, above its notes. */
  get room(): number {
    return this.roomBeside(0);
  }

  /** The same where notes of such a height come to them. */
  roomBeside(notes: number): number {
    return paper.height - paper.bottom - this.#y - this.#notes.footWith(notes);
  }

  /** Height of the notes that lines refer to for the first time. */
  noteHeight(lines: readonly TextLine[]): number {
    return this.#notes.heightIn(lines);
  }

  get isFresh(): boolean {
    return this.#y === paper.top;
  }

  skip(height: number): void {
    if (!this.isFresh) this.#y += height;
  }

  /** Begins a new page. Throws ParseError `TOO_LARGE`. */
  addPage(): void {
    this.#finishPage();
    if (++this.#pages > MAX_PAGES)
      throw new ParseError('TOO_LARGE', `A document may have ${MAX_PAGES} pages at most. Split it and try again.`);
    this.pdf.addPage();
    this.#y = paper.top;
  }

  /** Goes on on a new page where so much is not left of this one, beside notes that come to it. */
  need(height: number, notes = 0): void {
    if (height > this.roomBeside(notes) && !this.isFresh) this.addPage();
  }

  /** What is no text of the document, such as numbers of pages and lines of tables. */
  artifact(draw: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.pdf.endMarkedContent();
  }

  #finishPage(): void {
    if (this.#pages === 0) return;
    const { pdf } = this;
    const here = this.#notes.take(paper.height - paper.bottom - this.#y);
    let y = paper.height - paper.bottom - heightOf(here);
    if (here.length > 0) {
      this.artifact(() =>
        pdf
          .lineWidth(0.5)
          .strokeColor('#000')
          .moveTo(paper.left, y - 4)
          .lineTo(paper.left + 150, y - 4)
          .stroke(),
      );
      const note = pdf.struct('Note');
      pdf.addStructure(note);
      for (const line of here) {
        this.drawLine(line, { x: paper.left, y, element: note, tag: 'Note' });
        y += line.height;
      }
      note.end();
    }
    if (!this.#options.pageNumbers) return;
    const number = `- ${this.#pages} -`;
    this.artifact(() => {
      const width = this.widthOf(number, { size: 9 });
      pdf.fillColor('#000').text(number, (paper.width - width) / 2, paper.height - paper.foot, {
        lineBreak: false,
        baseline: 'alphabetic',
      });
    });
  }

  #drawBox(text: string, x: number, base: number, size: number): void {
    const side = BOX_EM * size;
    const [left, top] = [x + (size - side) / 2, base - side + 0.08 * size];
    const { pdf } = this;
    pdf.lineWidth(0.6).strokeColor('#000').rect(left, top, side, side).stroke();
    const at = (across: number, down: number) => [left + across * side, top + down * side] as const;
    if (text === '☑')
      pdf
        .lineWidth(1.1)
        .moveTo(...at(0.15, 0.5))
        .lineTo(...at(0.42, 0.8))
        .lineTo(...at(0.88, 0.15))
        .stroke();
    if (text === '☒')
      pdf
        .moveTo(...at(0.15, 0.15))
        .lineTo(...at(0.85, 0.85))
        .moveTo(...at(0.85, 0.15))
        .lineTo(...at(0.15, 0.85))
        .stroke();
    if (text === '◪')
      pdf
        .fillColor('#000')
        .moveTo(...at(1, 0))
        .lineTo(...at(1, 1))
        .lineTo(...at(0, 1))
        .fill();
  }

  #drawPiece({ text, width, look }: Piece, x: number, base: number): void {
    const { pdf } = this;
    const size = this.#take(look);
    if (boxes.has(text)) {
      pdf.markContent('Span', { actual: text });
      this.#drawBox(text, x, base, size);
      pdf.endMarkedContent();
      return;
    }
    const shift = look.script === 'super' ? -0.35 * look.size : look.script === 'sub' ? 0.12 * look.size : 0;
    const colour = look.link === undefined ? '#000' : LINK_COLOUR;
    pdf.fillColor(colour).text(text, x, base + shift, {
      lineBreak: false,
      baseline: 'alphabetic',
      ...(look.italic ? { oblique: true } : {}),
    });
    const bare = this.pdf.widthOfString(text.trimEnd());
    const ruled = (y: number) =>
      pdf
        .lineWidth(0.5)
        .strokeColor(colour)
        .moveTo(x, y)
        .lineTo(x + bare, y)
        .stroke();
    if (look.strike) ruled(base - 0.3 * size);
    if (look.link !== undefined) {
      ruled(base + 0.12 * size);
      pdf.link(x, base - size, Math.min(bare, width), 1.2 * size, look.link);
    }
  }

  /** Draws a line with its upper left corner at a place, as a part of an element. */
  drawLine(
    { pieces, base }: TextLine,
    { x, y, element, tag }: { readonly x: number; readonly y: number; readonly element: Element; readonly tag: string },
  ): void {
    if (pieces.length === 0) return;
    element.add(this.pdf.markStructureContent(tag));
    for (const piece of pieces) this.#drawPiece(piece, x + piece.x, y + base);
    this.pdf.endMarkedContent();
  }

  /** Keeps the notes of lines for the foot of this page, and what they take there. */
  keepNotes(lines: readonly TextLine[]): void {
    this.#notes.keep(lines);
  }

  /** Puts a line below what is there, on the page on which there is room for its notes too. */
  putLine(line: TextLine, place: { readonly x: number; readonly element: Element; readonly tag: string }): void {
    this.need(line.height, Math.min(this.noteHeight([line]), TEXT_HEIGHT / 3));
    this.keepNotes([line]);
    this.drawLine(line, { ...place, y: this.#y });
    this.#y += line.height;
  }

  advance(height: number): void {
    this.#y += height;
  }

  /** The file. */
  async end(): Promise<Uint8Array> {
    this.#finishPage();
    while (this.#notes.areWaiting) {
      this.pdf.addPage();
      this.#pages++;
      this.#y = paper.top;
      this.#finishPage();
    }
    const ended = new Promise((resolve) => this.pdf.once('end', resolve));
    this.pdf.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }
}
