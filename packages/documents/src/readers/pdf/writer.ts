import type { Block, ListItem, Note, Span, Table, TableCell } from '../../document.ts';
import { isTickLine } from '../../text/form-fields.ts';
import { markerOf } from '../../text/korean-headings.ts';
import type { Entry, TableEntry, TextEntry } from './content.ts';
import type { Placed } from './flow.ts';
import { boxOf } from './geometry.ts';
import { letterMark } from './lettered.ts';
import { itemMark } from './paragraphs.ts';
import { type Roles, hasField } from './roles.ts';
import { largest, smallest } from '../../package/extremes.ts';

const withoutStart = (spans: readonly Span[], count: number): Span[] => {
  const result: Span[] = [];
  let left = count;
  for (const span of spans) {
    const cut = Math.min(left, span.text.length);
    left -= cut;
    let text = span.text.slice(cut);
    if (left === 0 && result.length === 0) text = text.trimStart();
    if (text !== '') result.push({ ...span, text });
  }
  return result;
};

const withoutBold = (spans: readonly Span[]): Span[] => spans.map(({ bold: _bold, ...span }) => span);

/** Page, box and whether it is hidden. */
export const baseOf = (entry: Entry, page: number) => ({
  page,
  box: boxOf(entry),
  ...(entry.kind === 'text' && entry.hidden ? { hidden: true } : {}),
});

/** Writes blocks of a flow, gathering lists and code. */
export class Writer {
  readonly blocks: Block[] = [];
  readonly #roles: Roles;
  #items: { item: ListItem; x: number; one: Placed<TextEntry> }[] = [];
  #code: Placed<TextEntry>[] = [];
  #notes = 0;

  constructor(roles: Roles) {
    this.#roles = roles;
  }

  add(one: Placed): void {
    const { entry, page } = one;
    if (entry.kind !== 'text') {
      this.close();
      const caption = this.#roles.captions.get(one)?.entry.spans;
      if (entry.kind === 'table') this.blocks.push(tableBlock(entry, page, caption));
      else {
        const text = entry.words === undefined ? {} : { text: entry.words.join('\n') };
        this.blocks.push({
          type: 'image',
          ...baseOf(entry, page),
          ...text,
          ...(caption === undefined ? {} : { caption }),
        });
      }
      return;
    }
    this.#text({ entry, page }, one);
  }

  #text(one: Placed<TextEntry>, key: Placed): void {
    const { entry, page } = one;
    const level = this.#roles.levels.get(key);
    if (
      entry.code !== null &&
      level === undefined &&
      entry.note === undefined &&
      entry.code.length + this.#code.length > 1
    ) {
      this.#closeList();
      this.#code.push(one);
      return;
    }
    if (level !== undefined) {
      this.close();
      const marker = markerOf(entry.text)?.text;
      this.blocks.push({
        type: 'heading',
        level,
        ...baseOf(entry, page),
        ...(marker === undefined ? {} : { marker }),
        spans: withoutBold(entry.spans),
      });
      return;
    }
    if (entry.note !== undefined) {
      this.#note(one);
      return;
    }
    const isItem = !this.#roles.contents.has(key) && !entry.hidden && !hasField(entry) && !isTickLine(entry.text);
    const lettered = this.#roles.lettered.has(key) ? letterMark(entry.text) : null;
    const mark = isItem ? (itemMark(entry.text) ?? lettered) : null;
    if (mark !== null) {
      this.#closeCode();
      const ordered = /[\p{L}\p{N}]/u.test(mark);
      const spans = withoutStart(entry.spans, mark.length);
      const ticked = /^[☐☑☒]$/u.test(mark) ? { checked: mark !== '☐' } : {};
      this.#items.push({ one, x: entry.x0, item: { level: 0, marker: mark, ordered, ...ticked, spans } });
      return;
    }
    this.close();
    this.blocks.push({
      type: 'paragraph',
      ...baseOf(entry, page),
      spans: entry.spans,
      ...(this.#roles.contents.has(key) ? { role: 'contents' as const } : {}),
    });
  }

  #note({ entry, page }: Placed<TextEntry>): void {
    this.close();
    const last = this.blocks.at(-1);
    const marker = entry.note!;
    const block: Block = { type: 'paragraph', ...baseOf(entry, page), spans: withoutStart(entry.spans, marker.length) };
    if (marker === '' && last?.type === 'footnote') {
      this.blocks[this.blocks.length - 1] = { ...last, blocks: [...last.blocks, block] };
      return;
    }
    const id = `page-${page}-note-${++this.#notes}`;
    const note: Note = { type: 'footnote', kind: 'footnote', id, marker, ...baseOf(entry, page), blocks: [block] };
    this.#refer(page, marker.replace(/[).]$/, ''), id);
    this.blocks.push(note);
  }

  /** The raised mark on the same page leads to the note. */
  #refer(page: number, mark: string, id: string): void {
    for (let at = this.blocks.length - 1; at >= 0 && (this.blocks[at]!.page ?? page) >= page - 1; at--) {
      const block = this.blocks[at]!;
      if ((block.type !== 'paragraph' && block.type !== 'heading') || block.page !== page) continue;
      const found = block.spans.findIndex(
        (span) => span.script === 'super' && span.note === undefined && span.text.trim().replace(/[).]$/, '') === mark,
      );
      if (found === -1) continue;
      this.blocks[at] = {
        ...block,
        spans: block.spans.map((span, index) => (index === found ? { ...span, note: id } : span)),
      };
      return;
    }
  }

  close(): void {
    this.#closeList();
    this.#closeCode();
  }

  #closeList(): void {
    const [first] = this.#items;
    if (first === undefined) return;
    const edges: number[] = [];
    for (const { x } of this.#items.toSorted((a, b) => a.x - b.x)) if (x - (edges.at(-1) ?? -99) > 5) edges.push(x);
    const items = this.#items.map(({ item, x }) => ({
      ...item,
      level: Math.max(
        0,
        edges.findLastIndex((edge) => x >= edge),
      ),
    }));
    // Items of other pages stand elsewhere: the box is that of the first page.
    const box = this.#items.filter(({ one }) => one.page === first.one.page).map(({ one }) => one.entry);
    const [x0, y0] = [smallest(box.map((rect) => rect.x0)), smallest(box.map((rect) => rect.y0))];
    const [x1, y1] = [largest(box.map((rect) => rect.x1)), largest(box.map((rect) => rect.y1))];
    this.blocks.push({ type: 'list', page: first.one.page, box: boxOf({ x0, y0, x1, y1 }), items });
    this.#items = [];
  }

  #closeCode(): void {
    const [first] = this.#code;
    if (first === undefined) return;
    const text = this.#code.flatMap(({ entry }) => entry.code ?? []).join('\n');
    this.blocks.push({ type: 'code', ...baseOf(first.entry, first.page), text });
    this.#code = [];
  }
}

const noRoles: Roles = { levels: new Map(), contents: new Set(), captions: new Map(), lettered: new Set() };

function cellBlocks(entries: readonly Entry[], page: number): Block[] {
  const writer = new Writer(noRoles);
  for (const entry of entries) {
    // A cell holds text: marks in it are part of that.
    if (entry.kind === 'text') writer.blocks.push({ type: 'paragraph', ...baseOf(entry, page), spans: entry.spans });
    else writer.add({ entry, page });
  }
  return writer.blocks;
}

/** A table with what its cells hold. */
export function tableBlock(entry: TableEntry, page: number, caption?: readonly Span[]): Table {
  const cells = entry.cells
    .map((cell): TableCell => ({
      row: cell.row,
      column: cell.column,
      rowSpan: cell.rowSpan,
      columnSpan: cell.columnSpan,
      ...(cell.header ? { header: true } : {}),
      box: boxOf(cell),
      ...(cell.page === page ? {} : { page: cell.page }),
      blocks: cellBlocks(cell.entries, cell.page),
    }))
    .toSorted((a, b) => a.row - b.row || a.column - b.column);
  return {
    type: 'table',
    ...baseOf(entry, page),
    rows: entry.rows,
    columns: entry.columns,
    headerRows: entry.headerRows,
    cells,
    ...(caption === undefined ? {} : { caption }),
  };
}
