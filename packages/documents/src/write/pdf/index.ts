import type { Block, Document, List, Picture, Span } from '../../document.ts';
import { createPictures, type Pictures } from '../pictures.ts';
import { notesOf } from '../notes.ts';
import type { WriteOptions, WrittenFile } from '../options.ts';
import { captionOf, PARAGRAPH_SPACE, setBlock, type SetPart, withSpace } from './blocks.ts';
import { type TextLine } from './lines.ts';
import { openPdf, paper, Sheet, TEXT_WIDTH } from './sheet.ts';
import { drawTable } from './table.ts';
import { isWholePng } from './whole-png.ts';

/** Height of the text of a page, less a caption. */
const MAX_PICTURE_HEIGHT = 600;
/** Room that a heading wants below it. */
const HEADING_ROOM = 40;
/** White between a heading and its text, and around tables. */
const SMALL_SPACE = 6;
const NOTE_SIZE = 9;
/** Pixels of pictures, which are unpacked for it. */
const MAX_PIXELS = 40_000_000;

type Outline = Sheet['pdf']['outline'];

class Writer {
  readonly sheet: Sheet;
  readonly #pictures: Pictures;
  /** Addresses of the pictures that are shown. */
  readonly shown = new Set<string>();
  /** The last heading of each level. */
  readonly #outline: { level: number; item: Outline }[] = [];
  /** Of the block before. */
  #last: Block['type'] | null = null;

  constructor(sheet: Sheet, pictures: Pictures) {
    this.sheet = sheet;
    this.#pictures = pictures;
  }

  #enterOutline(level: number, text: string): void {
    while ((this.#outline.at(-1)?.level ?? 0) >= level) this.#outline.pop();
    const above = this.#outline.at(-1)?.item ?? this.sheet.pdf.outline;
    this.#outline.push({ level, item: above.addItem(text.trim() || '-', { expanded: true }) });
  }

  #ground(ground: SetPart['ground'], height: number): void {
    const { sheet } = this;
    const { pdf, y } = sheet;
    if (ground === 'code')
      sheet.artifact(() => pdf.fillColor('#F2F2F2').rect(paper.left, y, TEXT_WIDTH, height).fill());
    if (ground === 'quote')
      sheet.artifact(() =>
        pdf
          .fillColor('#BFBFBF')
          .rect(paper.left + 3, y, 2, height)
          .fill(),
      );
  }

  #part({ tag, lines, level, ground }: SetPart, parent: ReturnType<Sheet['pdf']['struct']> | null = null): void {
    const { sheet } = this;
    const element = sheet.pdf.struct(tag);
    if (parent === null) sheet.pdf.addStructure(element);
    else parent.add(element);
    const [first] = lines;
    if (level !== undefined && first !== undefined) sheet.need(first.before + first.line.height + HEADING_ROOM);
    for (const [at, { line, x, before }] of lines.entries()) {
      sheet.skip(before);
      sheet.need(line.height);
      if (at === 0 && level !== undefined)
        this.#enterOutline(level, lines.map((one) => one.line.pieces.map(({ text }) => text).join('')).join(' '));
      this.#ground(ground, line.height);
      sheet.putLine(line, { x: paper.left + x, element, tag });
    }
    element.end();
  }

  /** What follows a heading stands nearer to it than to what is above. */
  #spaced(part: SetPart): SetPart {
    const follows = this.#last === 'heading' && part.level === undefined;
    return follows ? { ...part, lines: withSpace(part.lines, SMALL_SPACE) } : part;
  }

  #list(list: List): void {
    const { sheet } = this;
    const element = sheet.pdf.struct('L');
    sheet.pdf.addStructure(element);
    for (const [at, part] of setBlock(list, TEXT_WIDTH, sheet).entries())
      this.#part(at === 0 ? this.#spaced(part) : part, element);
    element.end();
  }

  #picture(block: Picture): void {
    const { sheet } = this;
    const { pdf } = sheet;
    const found = this.#pictures.find(block.address);
    const opened = found === null ? null : openImage(pdf, found);
    if (found === null || opened === null) {
      for (const part of setBlock(block, TEXT_WIDTH, sheet)) this.#part(part);
      return;
    }
    this.shown.add(block.address ?? '');
    sheet.skip(SMALL_SPACE);
    sheet.need(found.height);
    const element = pdf.struct('Figure', { alt: block.alt ?? '' });
    pdf.addStructure(element);
    element.add(pdf.markStructureContent('Figure'));
    const x = paper.left + (TEXT_WIDTH - found.width) / 2;
    pdf.image(opened, x, sheet.y, { width: found.width, height: found.height });
    pdf.endMarkedContent();
    element.end();
    sheet.advance(found.height);
    if (block.caption !== undefined) this.#part(captionOf(block.caption, TEXT_WIDTH, sheet));
  }

  block(block: Block): void {
    this.#put(block);
    this.#last = block.type;
  }

  #put(block: Block): void {
    if (block.type === 'list') this.#list(block);
    else if (block.type === 'image') this.#picture(block);
    else if (block.type === 'table') {
      if (block.cells.length === 0) return;
      if (block.caption !== undefined) this.#part(captionOf(block.caption, TEXT_WIDTH, this.sheet));
      this.sheet.skip(this.#last === 'table' ? PARAGRAPH_SPACE : SMALL_SPACE);
      drawTable(block, this.sheet);
    } else for (const part of setBlock(block, TEXT_WIDTH, this.sheet)) this.#part(this.#spaced(part));
  }
}

/** A picture as the library holds it; null for what it can't show: other formats than PNG and JPEG, and what is damaged. */
function openImage(pdf: Sheet['pdf'], { ending, bytes, pixels }: NonNullable<ReturnType<Pictures['find']>>) {
  if ((ending !== 'png' && ending !== 'jpg') || pixels.width * pixels.height > MAX_PIXELS) return null;
  if (ending === 'png' && !isWholePng(bytes)) return null;
  try {
    // Its types leave it out.
    return (pdf as unknown as { openImage(file: Buffer): Buffer }).openImage(Buffer.from(bytes));
  } catch {
    return null;
  }
}

/** Writes PDF (1.7, tagged), with the letters that it shows within it. Source: ISO 32000-1. */
export async function writePdf(
  document: Pick<Document, 'blocks' | 'meta'>,
  options: WriteOptions,
): Promise<WrittenFile> {
  const notes = notesOf(document.blocks);
  const numbers = new Map<string, number>();
  const known = new Set(document.blocks.flatMap((block) => (block.type === 'footnote' ? [block.id] : [])));
  const { title = '' } = options;
  const opened = await openPdf(title, `${title}${JSON.stringify(document.blocks)}`);
  const sheet: Sheet = new Sheet(opened, {
    pageNumbers: options.pageNumbers,
    mark(id) {
      if (!known.has(id)) return null;
      const number = numbers.get(id) ?? numbers.size + 1;
      numbers.set(id, number);
      return `${number})`;
    },
    noteLines(id): readonly TextLine[] {
      const note = notes.take(id);
      if (note === null) return [];
      const [first, ...rest] = note.blocks;
      // Raised, as readers tell notes by it where there is little text to compare with.
      const mark: readonly Span[] = [{ text: `${numbers.get(id) ?? ''})`, script: 'super' }, { text: ' ' }];
      const begun: Block =
        first !== undefined && 'spans' in first
          ? { ...first, spans: [...mark, ...first.spans] }
          : { type: 'paragraph', page: null, spans: mark };
      const all = first !== undefined && 'spans' in first ? [begun, ...rest] : [begun, ...note.blocks];
      return all.flatMap((block) =>
        setBlock(block, TEXT_WIDTH, sheet).flatMap(({ lines }) => lines.map(({ line }) => smaller(line))),
      );
    },
  });
  const pictures = createPictures(options.pictures, { maxWidth: TEXT_WIDTH, maxHeight: MAX_PICTURE_HEIGHT });
  const writer = new Writer(sheet, pictures);
  if (options.title !== undefined) {
    writer.block({ type: 'paragraph', role: 'title', page: null, spans: [{ text: title }] });
    sheet.skip(SMALL_SPACE);
  }
  for (const block of notes.blocks) writer.block(block);
  return { bytes: await sheet.end(), missing: [...sheet.letters.missing], shown: writer.shown };
}

const SHARE = NOTE_SIZE / 10.5;
/** A line of a note: as one of the text, in smaller letters. */
const smaller = (line: TextLine): TextLine => ({
  width: line.width * SHARE,
  height: line.height * SHARE,
  base: line.base * SHARE,
  pieces: line.pieces.map((piece) => ({
    ...piece,
    x: piece.x * SHARE,
    width: piece.width * SHARE,
    look: { ...piece.look, size: piece.look.size * SHARE },
  })),
});
