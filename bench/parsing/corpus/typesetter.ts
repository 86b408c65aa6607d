import { type Block, type Table, textOf, blockText } from '@ai-studio/documents';
import { type PdfPage, PdfWriter, textWidth } from '@ai-studio/documents/test/pdf.ts';
import type { Content } from './contents.ts';
import { cellText } from './plain.ts';

const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 56;
const TOP = 90;
const BOTTOM = 770;
const GAP = 20;
const BODY = 10;
const SMALL = 8;
const PITCH = 1.5;
const PADDING = 4;
/** Sizes of headings by level. */
const SIZES = [16, 13, 11];

/** Lines no wider than there is room, broken at blanks. */
function wrapped(text: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, size) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Sets a content on pages of one or more columns, with notes at the foot of columns. */
class Typesetter {
  readonly pdf = new PdfWriter();
  readonly #content: Content;
  readonly #columns: number;
  readonly #width: number;
  #page: PdfPage;
  #pages = 0;
  #column = 0;
  #y = TOP;
  #foot = BOTTOM;

  constructor(content: Content, columns: number) {
    this.#content = content;
    this.#columns = columns;
    this.#width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns;
    this.#page = this.#turn();
  }

  get #x(): number {
    return MARGIN + this.#column * (this.#width + GAP);
  }

  #turn(): PdfPage {
    this.#pages++;
    this.#page = this.pdf.page({ width: WIDTH, height: HEIGHT });
    this.#page.text(MARGIN, 50, this.#content.header, { size: SMALL });
    this.#page.text(MARGIN, 800, this.#content.footer, { size: SMALL });
    this.#page.text(WIDTH / 2 - 10, 800, `- ${this.#pages} -`, { size: SMALL });
    return this.#page;
  }

  /** Goes on to the next column or page where there is no room of that height. */
  #room(height: number): void {
    if (this.#y + height <= this.#foot) return;
    this.#column = (this.#column + 1) % this.#columns;
    if (this.#column === 0) this.#turn();
    [this.#y, this.#foot] = [TOP, BOTTOM];
  }

  #lines(lines: readonly string[], size: number, { bold = false, indent = 0 } = {}): void {
    for (const text of lines) {
      this.#room(size * PITCH);
      this.#y += size * PITCH;
      this.#page.text(this.#x + indent, this.#y, text, { size, bold });
    }
  }

  #note(mark: string, text: string): void {
    const lines = wrapped(`${mark} ${text}`, this.#width, SMALL);
    this.#foot -= lines.length * SMALL * PITCH + 8;
    this.#page.line(this.#x, this.#foot + 4, this.#x + 100, this.#foot + 4);
    this.#page.lines(this.#x, this.#foot + 16, lines, { size: SMALL, pitch: SMALL * PITCH });
  }

  #table(table: Table): void {
    const caption = textOf(table.caption ?? []);
    const size = this.#columns === 1 ? BODY : SMALL;
    const height = size * 2;
    this.#room(height * (table.rows + 2));
    this.#lines([caption], size);
    this.#y += 6;
    const widest = Array.from({ length: table.columns }, (_, column) =>
      Math.max(
        ...table.cells
          .filter((cell) => cell.column === column && cell.columnSpan === 1)
          .map((cell) => textWidth(cellText(cell), size) + 2 * PADDING),
      ),
    );
    const xs = [this.#x];
    for (const width of widest) xs.push((xs.at(-1) ?? 0) + width + 6);
    for (const cell of table.cells) {
      const [left = 0, right = 0] = [xs[cell.column], xs[cell.column + cell.columnSpan]];
      const top = this.#y + cell.row * height;
      const bottom = top + cell.rowSpan * height;
      this.#page.line(left, top, right, top).line(left, bottom, right, bottom);
      this.#page.line(left, top, left, bottom).line(right, top, right, bottom);
      const base = (top + bottom) / 2 + size * 0.35;
      this.#page.text(left + PADDING, base, cellText(cell), { size, bold: cell.header === true });
    }
    this.#y += table.rows * height + BODY;
  }

  add(block: Block): void {
    switch (block.type) {
      case 'heading': {
        const size = SIZES[block.level - 1] ?? BODY;
        this.#y += size;
        this.#room(size * PITCH + 2 * BODY * PITCH);
        this.#lines(wrapped(textOf(block.spans), this.#width, size), size, { bold: true });
        this.#y += 4;
        break;
      }
      case 'paragraph': {
        const note = block.spans.find((span) => span.note !== undefined);
        const text = textOf(block.spans.filter((span) => span !== note));
        this.#lines(wrapped(text, this.#width - 20, BODY), BODY);
        if (note !== undefined) {
          const last = wrapped(text, this.#width - 20, BODY).at(-1) ?? '';
          this.#page.text(this.#x + textWidth(last, BODY), this.#y - 4, note.text, { size: 6 });
        }
        this.#y += BODY * 0.8;
        break;
      }
      case 'list':
        for (const { marker, spans } of block.items)
          this.#lines(wrapped(`${marker} ${textOf(spans)}`, this.#width - 30, BODY), BODY, { indent: 10 });
        this.#y += BODY * 0.8;
        break;
      case 'table':
        this.#table(block);
        break;
      case 'footnote':
        this.#note(block.marker ?? '', block.blocks.map(blockText).join(' '));
        break;
      default:
    }
  }
}

/** A PDF file of pages with so many columns. */
export function writePages(content: Content, columns: number): Buffer {
  const setter = new Typesetter(content, columns);
  for (const block of content.blocks) setter.add(block);
  return setter.pdf.bytes();
}
