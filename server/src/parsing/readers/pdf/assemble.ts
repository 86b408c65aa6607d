import type { Block, ListItem, Note, Span, Table, TableCell } from '../../document.ts';
import { type Candidate, headingLevels, isContentsTitle, markerOf } from '../../text/korean-headings.ts';
import type { CellEntry, Edge, Entry, PageContent, TableEntry, TextEntry } from './content.ts';
import { around, boxOf } from './geometry.ts';
import { marginsOf } from './margins.ts';
import type { Bookmark } from './marks.ts';
import { isContents, itemMark } from './paragraphs.ts';

/** An entry with its page. */
interface Placed<Kind extends Entry = Entry> {
  readonly page: number;
  readonly entry: Kind;
}

const isText = (one: Placed | undefined): one is Placed<TextEntry> => one?.entry.kind === 'text';
const isTable = (one: Placed | undefined): one is Placed<TableEntry> => one?.entry.kind === 'table';

/** Size of the letters of most of the text, in points. */
function bodySize(pages: readonly PageContent[]): number {
  const counts = new Map<number, number>();
  const add = (entry: Entry) => {
    if (entry.kind !== 'text' || entry.hidden) return;
    const size = Math.round(entry.size * 2) / 2;
    counts.set(size, (counts.get(size) ?? 0) + entry.text.length);
  };
  for (const page of pages)
    for (const entry of [...page.top.paragraphs, ...page.entries, ...page.bottom.paragraphs]) add(entry);
  // Forms and tables have little text outside of their cells.
  const running = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (running < 200)
    for (const page of pages)
      for (const entry of page.entries)
        if (entry.kind === 'table') for (const cell of entry.cells) for (const inner of cell.entries) add(inner);
  let [best, most] = [0, 0];
  for (const [size, count] of counts) if (count > most) [best, most] = [size, count];
  return best === 0 ? 10 : best;
}

const cellText = (cell: CellEntry): string =>
  cell.entries.map((entry) => (entry.kind === 'text' ? entry.text : '')).join(' ');

/** A table that goes on at the top of the next page, put together; headings that it repeats are left out. */
function continued(upper: TableEntry, lower: TableEntry): TableEntry | null {
  if (upper.columns !== lower.columns || upper.xs.length === 0 || upper.xs.length !== lower.xs.length) return null;
  if (upper.xs.some((x, at) => Math.abs(x - lower.xs[at]!) > 3)) return null;
  const headOf = (table: TableEntry, rows: number) =>
    table.cells
      .filter(({ row }) => row < rows)
      .map((cell) => `${cell.row} ${cell.column} ${cellText(cell)}`)
      .join('\n');
  // A heading left alone at the foot of a page.
  const rows = upper.rows === 1 && upper.headerRows === 0 && lower.headerRows === 0 ? 1 : upper.headerRows;
  const repeated = rows > 0 && rows < lower.rows && headOf(upper, rows) === headOf(lower, rows);
  const skipped = repeated ? rows : 0;
  const head = upper.cells.map((cell) => (cell.row < rows ? { ...cell, header: true } : cell));
  const tail = lower.cells.filter(({ row }) => row >= skipped);
  const split = isSplitRow(upper, tail, skipped);
  const moved = upper.rows - skipped - (split ? 1 : 0);
  const cells = split
    ? head.map((cell) => {
        const rest = tail.find(({ row, column }) => row === skipped && column === cell.column);
        return cell.row === upper.rows - 1 && rest !== undefined
          ? { ...cell, entries: [...cell.entries, ...rest.entries] }
          : cell;
      })
    : head;
  return {
    ...upper,
    headerRows: rows,
    rows: moved + lower.rows,
    cells: [
      ...cells,
      ...tail
        .filter(({ row }) => !split || row > skipped)
        .map((cell) => ({ ...cell, row: cell.row + moved, header: false })),
    ],
  };
}

/** Whether the first row of what goes on belongs to the last one before it: its first cell is empty then. */
function isSplitRow(upper: TableEntry, tail: readonly CellEntry[], first: number): boolean {
  const last = upper.cells.filter(({ row, rowSpan }) => row + rowSpan === upper.rows);
  const next = tail.filter(({ row }) => row === first);
  const simple = [...last, ...next].every(({ rowSpan, columnSpan }) => rowSpan === 1 && columnSpan === 1);
  if (!simple || last.length !== upper.columns || next.length !== upper.columns) return false;
  return cellText(next[0]!).trim() === '' && cellText(last[0]!).trim() !== '';
}

function joinTables(flow: readonly Placed[]): Placed[] {
  const result: Placed[] = [];
  for (const one of flow) {
    const last = result.at(-1);
    if (isTable(one) && isTable(last)) {
      const lastPage = Math.max(last.page, last.entry.cells.at(-1)?.page ?? 0);
      const whole = one.page === lastPage + 1 ? continued(last.entry, one.entry) : null;
      if (whole !== null) {
        result[result.length - 1] = { page: last.page, entry: whole };
        continue;
      }
    }
    // A paragraph that goes on over the end of a page.
    if (isText(one) && isText(last) && goesOn(last, one)) {
      result[result.length - 1] = { page: last.page, entry: joinEntries(last.entry, one.entry) };
      continue;
    }
    result.push(one);
  }
  return result;
}

/** Titles that take more than one line: large letters below each other, without a number of their own. */
function joinTitles(flow: readonly Placed[], body: number): Placed[] {
  const result: Placed[] = [];
  for (const one of flow) {
    const last = result.at(-1);
    if (isText(one) && isText(last) && one.page === last.page && isSecondLine(last.entry, one.entry, body)) {
      const whole = joinEntries(last.entry, one.entry);
      const { x0, y0, x1, y1 } = around([last.entry, one.entry]);
      result[result.length - 1] = { page: last.page, entry: { ...whole, x0, y0, x1, y1 } };
    } else result.push(one);
  }
  return result;
}

function isSecondLine(upper: TextEntry, lower: TextEntry, body: number): boolean {
  const { size } = upper;
  if (size < 1.15 * body || Math.abs(size - lower.size) > 0.03 * size || upper.bold !== lower.bold) return false;
  if (upper.lines > 2 || lower.lines > 1 || upper.text.length + lower.text.length > 100) return false;
  if (upper.hidden || lower.hidden || upper.aside === true || lower.aside === true || upper.banner || lower.banner)
    return false;
  if (itemMark(lower.text) !== null || markerOf(lower.text) !== null || /[.!?:]$/.test(upper.text)) return false;
  const aligned =
    Math.abs(upper.x0 - lower.x0) < 0.5 * size || Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) < size;
  return aligned && lower.y0 - upper.y1 < 0.6 * size && lower.y0 > upper.y0;
}

function goesOn(upper: Placed<TextEntry>, lower: Placed<TextEntry>): boolean {
  const [above, below] = [upper.entry, lower.entry];
  const elsewhere = lower.page === upper.page + 1 || (lower.page === upper.page && below.y1 < above.y0);
  if (!elsewhere || above.hidden || below.hidden || above.aside === true || below.aside === true) return false;
  if (above.code !== null || below.code !== null || above.lines < 2 || above.bold !== below.bold) return false;
  if (Math.abs(above.size - below.size) > 0.3 || above.note !== undefined || below.note !== undefined) return false;
  if (itemMark(below.text) !== null) return false;
  if (/[\p{Ll},-]$/u.test(above.text) && /^\p{Ll}/u.test(below.text)) return true;
  return above.full && /[가-힣,]$/.test(above.text) && !/[다요음함임]$/.test(above.text) && /^[가-힣]/.test(below.text);
}

function joinEntries(upper: TextEntry, lower: TextEntry): TextEntry {
  const hyphen = /\p{Ll}-$/u.test(upper.text) && /^\p{Ll}/u.test(lower.text);
  const between = hyphen || (/[가-힣]$/.test(upper.text) && !upper.openEnd) ? '' : ' ';
  const last = upper.spans.at(-1)!;
  const end = { ...last, text: (hyphen ? last.text.slice(0, -1) : last.text) + between };
  return {
    ...upper,
    text: (hyphen ? upper.text.slice(0, -1) : upper.text) + between + lower.text,
    spans: [...upper.spans.slice(0, -1), end, ...lower.spans],
    lines: upper.lines + lower.lines,
  };
}

const captionStart =
  /^[<[〈《【(]?\s*(?:(?:표|그림|사진|도표|도식|차트|별표)\s*\d+(?:[-.]\d+)*|(?:Table|Figure|Fig\.?|Chart|Listing|Exhibit)\s+(?:\d+|[IVX]+)(?:[-.]\d+)*)(?=[\s.:>\]〉》】)]|$)/i;
const LONGEST_CAPTION = 600;

const isCaption = (one: Placed | undefined): one is Placed<TextEntry> =>
  isText(one) && one.entry.text.length <= LONGEST_CAPTION && captionStart.test(one.entry.text);

/** Captions by the table or picture that they stand beside: above a table and below a picture first. */
function captionsOf(flow: readonly Placed[]): Map<Placed, Placed<TextEntry>> {
  const captions = new Map<Placed, Placed<TextEntry>>();
  const used = new Set<Placed>();
  for (const [at, one] of flow.entries()) {
    if (one.entry.kind === 'text') continue;
    const [before, after] = [flow[at - 1], flow[at + 1]];
    const wanted = one.entry.kind === 'table' ? [before, after] : [after, before];
    const pictured = (text: string) => /^\W*(?:그림|사진|fig)/i.test(text);
    const found = wanted.find(
      (other): other is Placed<TextEntry> =>
        isCaption(other) &&
        other.page === one.page &&
        !used.has(other) &&
        pictured(other.entry.text) === (one.entry.kind === 'picture'),
    );
    if (found === undefined) continue;
    captions.set(one, found);
    used.add(found);
  }
  return captions;
}

/** Entries of lists of contents: leaders, or what follows their title and ends with a number. */
function contentsOf(flow: readonly Placed[]): Set<Placed> {
  const found = new Set<Placed>();
  let within = false;
  for (const one of flow) {
    if (!isText(one)) {
      within = false;
      continue;
    }
    const { text } = one.entry;
    if (isContentsTitle(text)) {
      within = true;
      found.add(one);
    } else if (isContents(text) || (within && /\s\d{1,4}$/.test(text) && text.length < 150)) found.add(one);
    else within = false;
  }
  return found;
}

const key = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Level that the outline gives to a text on a page. */
function outlineLevels(bookmarks: readonly Bookmark[]): (text: string, page: number) => number | undefined {
  const byText = new Map<string, Bookmark[]>();
  for (const mark of bookmarks) {
    const name = key(mark.title);
    if (name.length < 2) continue;
    const list = byText.get(name);
    if (list === undefined) byText.set(name, [mark]);
    else list.push(mark);
  }
  return (text, page) =>
    byText.get(key(text))?.find((mark) => mark.page <= 0 || Math.abs(mark.page - page) <= 1)?.level;
}

const MOST_HEADING_LINES = 3;

/** A line alone in slanted letters whose words begin with capitals, above text that is upright. */
function isItalicTitle({ spans, text, lines }: TextEntry, next: Placed | undefined): boolean {
  const slanted = (some: readonly Span[]) => some.every((span) => span.italic === true || span.text.trim() === '');
  if (lines > 1 || text.length > 60 || !isText(next) || next.entry.lines < 2) return false;
  const capitals = text.split(/\s+/).every((word) => word.length < 4 || /^\P{Ll}/u.test(word));
  return capitals && slanted(spans) && !slanted(next.entry.spans);
}

/** Items that follow each other under one kind of mark are a list and no headings, unless they stand out. */
function listed(flow: readonly Placed[], body: number): Set<Placed> {
  const found = new Set<Placed>();
  const styleOf = (one: Placed | undefined): string | null => {
    if (!isText(one)) return null;
    const { text, bold, size } = one.entry;
    const marker = markerOf(text);
    if (bold || size > 1.08 * body || marker?.always === true) return null;
    return marker?.style ?? (itemMark(text) === null ? null : 'item');
  };
  for (let at = 0; at < flow.length; at++) {
    const style = styleOf(flow[at]);
    if (style === null) continue;
    // Items of inner lists may stand between.
    if ([flow[at - 1], flow[at + 1], flow[at + 2]].some((other) => styleOf(other) === style)) found.add(flow[at]!);
  }
  return found;
}

interface Roles {
  readonly levels: ReadonlyMap<Placed, number>;
  readonly contents: ReadonlySet<Placed>;
  readonly captions: ReadonlyMap<Placed, Placed<TextEntry>>;
}

function rolesOf(flow: readonly Placed[], bookmarks: readonly Bookmark[], body: number): Roles {
  const captions = captionsOf(flow);
  const captioned = new Set<Placed>(captions.values());
  const contents = contentsOf(flow);
  const items = listed(flow, body);
  const outline = outlineLevels(bookmarks);
  const candidates: (Candidate & { one: Placed })[] = [];
  for (const [at, one] of flow.entries()) {
    if (!isText(one) || captioned.has(one) || contents.has(one)) continue;
    const { text, size, bold, banner, lines, code, hidden, level, note } = one.entry;
    const given = level ?? (lines <= MOST_HEADING_LINES ? outline(text, one.page) : undefined);
    const words = text.trim();
    if (given === undefined) {
      if (
        one.entry.aside === true ||
        hidden ||
        code !== null ||
        note !== undefined ||
        lines > MOST_HEADING_LINES ||
        items.has(one)
      )
        continue;
      if (captionStart.test(words) || !/\p{L}{2}/u.test(words) || size < 0.97 * body) continue;
      // Dashes, circles and what stands at the end of a document head nothing.
      const bullet = itemMark(words);
      if (bullet !== null && markerOf(words) === null) continue;
      if (flow[at + 1] === undefined && size <= body) continue;
    }
    candidates.push({
      one,
      // `1 Introduction`, as papers number: a number with a dot to those who know only these.
      text: words.replace(/^(\d{1,2})\s+(?=\p{Lu})/u, '$1. ').replace(/^[(（](\d{1,2})[)）]\s*(?=\S)/, '$1) '),
      scale: Math.round((size / body) * 100) / 100,
      bold: bold || isItalicTitle(one.entry, flow[at + 1]),
      banner,
      ...(given === undefined ? {} : { given }),
    });
  }
  return { levels: levelsOf(candidates), contents, captions };
}

/**
 * Levels of those that are headings. Where the file gives some, they are counted from 1, and the others stand beside those that
 * are as large as they are.
 */
function levelsOf(candidates: readonly (Candidate & { readonly one: Placed })[]): Map<Placed, number> {
  const steps = [...new Set(candidates.flatMap(({ given }) => given ?? []))].toSorted((a, b) => a - b);
  const found = headingLevels(candidates.map(({ one: _one, ...candidate }) => candidate));
  const given = candidates.flatMap(({ given, scale = 1 }) =>
    given === undefined ? [] : [{ level: Math.min(6, steps.indexOf(given) + 1), scale }],
  );
  const levels = new Map<Placed, number>();
  for (const [at, level] of found.entries()) {
    const candidate = candidates[at]!;
    if (level === null) continue;
    if (candidate.given !== undefined) levels.set(candidate.one, Math.min(6, steps.indexOf(candidate.given) + 1));
    else if (given.length === 0) levels.set(candidate.one, level);
    else {
      const beside = given.filter(({ scale }) => scale <= (candidate.scale ?? 1) + 0.02).map((one) => one.level);
      levels.set(
        candidate.one,
        Math.min(6, beside.length > 0 ? Math.min(...beside) : Math.max(...given.map((one) => one.level)) + 1),
      );
    }
  }
  return levels;
}

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

const unbold = (spans: readonly Span[]): Span[] => spans.map(({ bold: _bold, ...span }) => span);

const baseOf = (entry: Entry, page: number) => ({
  page,
  box: boxOf(entry),
  ...(entry.kind === 'text' && entry.hidden ? { hidden: true } : {}),
});

/** Writes blocks of a flow, gathering lists and code. */
class Writer {
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
      else this.blocks.push({ type: 'image', ...baseOf(entry, page), ...(caption === undefined ? {} : { caption }) });
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
        spans: unbold(entry.spans),
      });
      return;
    }
    if (entry.note !== undefined) {
      this.#note(one);
      return;
    }
    const mark = this.#roles.contents.has(key) || entry.hidden ? null : itemMark(entry.text);
    if (mark !== null) {
      this.#closeCode();
      const ordered = /[\p{L}\p{N}]/u.test(mark);
      const spans = withoutStart(entry.spans, mark.length);
      this.#items.push({ one, x: entry.x0, item: { level: 0, marker: mark, ordered, spans } });
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
    const [x0, y0] = [Math.min(...box.map((rect) => rect.x0)), Math.min(...box.map((rect) => rect.y0))];
    const [x1, y1] = [Math.max(...box.map((rect) => rect.x1)), Math.max(...box.map((rect) => rect.y1))];
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

const noRoles: Roles = { levels: new Map(), contents: new Set(), captions: new Map() };

function cellBlocks(entries: readonly Entry[], page: number): Block[] {
  const writer = new Writer(noRoles);
  for (const entry of entries) {
    // A cell holds text: marks in it are part of that.
    if (entry.kind === 'text') writer.blocks.push({ type: 'paragraph', ...baseOf(entry, page), spans: entry.spans });
    else writer.add({ entry, page });
  }
  return writer.blocks;
}

function tableBlock(entry: TableEntry, page: number, caption: readonly Span[] | undefined): Table {
  const cells = entry.cells
    .map((cell): TableCell => ({
      row: cell.row,
      column: cell.column,
      rowSpan: cell.rowSpan,
      columnSpan: cell.columnSpan,
      ...(cell.header ? { header: true } : {}),
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

/** Blocks of a document from what its pages hold. */
export function assemble(pages: readonly PageContent[], bookmarks: readonly Bookmark[]): Block[] {
  const margins = marginsOf(pages);
  const flow: Placed[] = [];
  const edges = new Map<number, { header: TextEntry[]; footer: TextEntry[] }>();
  for (const page of pages) {
    const sides = { header: [] as TextEntry[], footer: [] as TextEntry[] };
    const textOfEdge = ({ rows, paragraphs }: Edge) => {
      const rest = rows.filter((entry) => !margins.isMargin(entry));
      return (rest.length === rows.length ? paragraphs : rest).map((entry) => ({ page: page.number, entry }));
    };
    flow.push(...textOfEdge(page.top));
    sides.header.push(...page.top.rows.filter((entry) => margins.isFirst(entry)));
    for (const entry of page.entries) flow.push({ page: page.number, entry });
    const notes = page.entries.findIndex((entry) => entry.kind === 'text' && entry.note !== undefined);
    const rest = textOfEdge(page.bottom);
    if (notes === -1) flow.push(...rest);
    else flow.splice(flow.length - (page.entries.length - notes), 0, ...rest);
    sides.footer.push(...page.bottom.rows.filter((entry) => margins.isFirst(entry)));
    edges.set(page.number, sides);
  }
  const body = bodySize(pages);
  const joined = joinTitles(joinTables(flow), body);
  const roles = rolesOf(joined, bookmarks, body);
  const captioned = new Set<Placed>(roles.captions.values());
  const writer = new Writer(roles);
  const marginBlocks = (type: 'header' | 'footer', page: number) => {
    for (const entry of edges.get(page)?.[type] ?? []) {
      writer.close();
      const paragraph: Block = { type: 'paragraph', ...baseOf(entry, page), spans: entry.spans };
      writer.blocks.push({ type, ...baseOf(entry, page), blocks: [paragraph] });
    }
  };
  let at = 0;
  for (const { number } of pages) {
    marginBlocks('header', number);
    for (; at < joined.length && joined[at]!.page <= number; at++)
      if (!captioned.has(joined[at]!)) writer.add(joined[at]!);
    marginBlocks('footer', number);
  }
  writer.close();
  return writer.blocks;
}
