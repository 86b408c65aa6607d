import type { Block } from '@ai-studio/documents';
import { type PdfPage, textWidth } from '@ai-studio/documents/test/pdf.ts';

const page = null;
/** Edges and width of the columns of a page. */
export const LEFT = 56;
export const COLUMN = 232;
export const RIGHT = LEFT + COLUMN + 19;
const WHOLE = RIGHT + COLUMN - LEFT;
const SIZE = 9.5;
const PITCH = 15;

const subjects = ['수출은', '소비는', '고용은', '물가는', '투자는', '금리는', '환율은', '생산은', '임금은', '재정은'];
const causes = [
  '반도체 경기가 살아나면서',
  '서비스업을 중심으로',
  '기저 효과가 사라지면서',
  '국제 유가가 내리면서',
  '주요국의 긴축이 이어지면서',
  '내수 회복이 더뎌지면서',
  '신규 수주가 늘어나면서',
];
const ends = [
  '증가 폭이 커졌다.',
  '완만한 오름세를 보였다.',
  '전월보다 낮아졌다.',
  '시장의 예상을 밑돌았다.',
  '작년 같은 달의 수준을 되찾았다.',
  '당분간 이어질 것으로 보인다.',
];

/** Sentences that nowhere stand twice, as a report has them. */
export class Prose {
  #count: number;

  constructor(start: number) {
    this.#count = start;
  }

  sentence(): string {
    const at = this.#count++;
    const month = `${2015 + (at % 9)}년 ${1 + (at % 12)}월`;
    return `${month} ${subjects[at % 10]} ${causes[at % 7]} ${(at * 7) % 90},${100 + at}건을 기록하여 ${ends[at % 6]}`;
  }

  paragraph(sentences: number): string {
    return Array.from({ length: sentences }, () => this.sentence()).join(' ');
  }
}

const wrapped = (text: string, width: number, size: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, size) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

/** Sets blocks one below the other in a column, and keeps them as the truth. */
export class Column {
  y: number;
  readonly #page: PdfPage;
  readonly #x: number;
  readonly #width: number;
  readonly #truth: Block[];

  constructor(sheet: PdfPage, truth: Block[], { x = LEFT, y = 90, width = WHOLE } = {}) {
    this.#page = sheet;
    this.#truth = truth;
    this.#x = x;
    this.#width = width;
    this.y = y;
  }

  text(text: string): this {
    const lines = wrapped(text, this.#width, SIZE);
    this.#page.lines(this.#x, this.y, lines, { size: SIZE, pitch: PITCH });
    this.y += lines.length * PITCH + 5;
    this.#truth.push({ type: 'paragraph', page, spans: [{ text }] });
    return this;
  }

  heading(level: number, text: string): this {
    const size = level === 1 ? 15 : 11.5;
    this.y += 6;
    this.#page.text(this.#x, this.y, text, { size, bold: true });
    this.y += size + 10;
    this.#truth.push({ type: 'heading', level, page, spans: [{ text }] });
    return this;
  }

  /** A drawing with its caption below it; `draw` is told its upper left corner. */
  figure(caption: string, height: number, draw: (x: number, y: number) => void): this {
    draw(this.#x, this.y);
    this.y += height;
    this.#page.text(this.#x + 20, this.y + 6, caption, { size: 8 });
    this.y += 26;
    this.#truth.push({ type: 'image', page, caption: [{ text: caption }] });
    return this;
  }

  table(caption: string, widths: readonly number[], rows: readonly (readonly string[])[]): this {
    this.#page.text(this.#x, this.y, caption, { size: 9 });
    this.#page.table(this.#x, this.y + 6, widths, rows, 18);
    this.y += 6 + rows.length * 18 + 18;
    const cells = rows.flatMap((texts, row) =>
      texts.map((text, column) => ({
        row,
        column,
        rowSpan: 1,
        columnSpan: 1,
        blocks: [{ type: 'paragraph', page, spans: [{ text }] } as const],
      })),
    );
    this.#truth.push({
      type: 'table',
      page,
      rows: rows.length,
      columns: widths.length,
      headerRows: 1,
      caption: [{ text: caption }],
      cells,
    });
    return this;
  }

  note(mark: string, text: string, y: number): this {
    const lines = wrapped(`${mark} ${text}`, this.#width, 7.5);
    this.#page.line(this.#x, y, this.#x + 90, y).lines(this.#x, y + 12, lines, { size: 7.5, pitch: 11 });
    this.#truth.push({
      type: 'footnote',
      kind: 'footnote',
      page,
      id: mark,
      marker: mark,
      blocks: [{ type: 'paragraph', page, spans: [{ text }] }],
    });
    return this;
  }
}
