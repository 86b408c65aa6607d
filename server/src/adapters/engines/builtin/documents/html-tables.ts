/** Tables with merged cells come as HTML, as Markdown has no such cells. They are read as rows between strokes. */

interface Cell {
  readonly text: string;
  readonly paragraphs: readonly string[];
  readonly columns: number;
  readonly rows: number;
}
interface Row {
  readonly cells: Cell[];
  readonly isHead: boolean;
}

const MAX_SPAN = 100;
/** Cells of a text that spans may add: more than any document has, and an end for one that is made to grow. */
const MAX_ADDED = 100_000;
/** Rows of heads that name columns. */
const MAX_HEADS = 8;
/** Cells longer than this hold text that only stands in a frame. */
const MAX_CELL_LENGTH = 200;
const TAG = /<(\/?)(table|thead|tr|t[hd]|aside|sup|p|br|li)\b([^<>]{0,300})>/gi;

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' };
const plain = (html: string) =>
  html
    .replace(/<\/?[a-zA-Z][^<>]{0,300}>/g, '')
    .replace(/&(lt|gt|amp|quot|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Syllables that were set apart to fill a line: "합   계". */
export const closed = (text: string): string =>
  /^[가-힣](?:\s+[가-힣]){1,30}$/.test(text) ? text.replace(/\s+/g, '') : text;

const span = (attributes: string, name: string) => {
  const found = new RegExp(`\\b${name}\\s*=\\s*"?(\\d{1,4})`, 'i').exec(attributes)?.[1];
  return Math.max(1, Math.min(Number(found ?? 1), MAX_SPAN));
};

/** Rows of a table, with what each cell says; notes within cells are left out. */
function rowsOf(html: string): Row[] {
  const rows: Row[] = [];
  let [inHead, hidden, from] = [false, 0, 0];
  let open: { columns: number; rows: number; paragraphs: string[] } | null = null;
  const take = (to: number) => {
    const text = hidden > 0 ? '' : closed(plain(html.slice(from, to)));
    if (open && text !== '') open.paragraphs.push(text);
  };
  const close = () => {
    if (!open) return;
    const { columns, rows: down, paragraphs } = open;
    rows.at(-1)?.cells.push({ text: paragraphs.join(' ').replaceAll('|', '/'), paragraphs, columns, rows: down });
    open = null;
  };
  for (const match of html.matchAll(TAG)) {
    const [whole, slash = '', tag = '', attributes = ''] = match;
    const name = tag.toLowerCase();
    const ends = slash !== '';
    take(match.index);
    from = match.index + whole.length;
    if (name === 'aside' || name === 'sup') hidden = Math.max(0, hidden + (ends ? -1 : 1));
    else if (name === 'thead') inHead = !ends;
    else if (name === 'tr') {
      close();
      if (!ends) rows.push({ cells: [], isHead: inHead });
    } else if (name === 'td' || name === 'th') {
      close();
      if (!ends) open = { columns: span(attributes, 'colspan'), rows: span(attributes, 'rowspan'), paragraphs: [] };
    }
  }
  // What a table without an end has last.
  take(html.length);
  close();
  return rows;
}

/** How many cells spans may still add. */
interface Room {
  added: number;
}

/** Texts in their places; a cell that reaches over several rows stands in each of them, as long as there is room. */
function placed(rows: readonly Row[], room: Room): string[][] {
  const below = new Map<number, { text: string; rows: number }>();
  return rows.map(({ cells }) => {
    const line: string[] = [];
    const fill = () => {
      for (let above = below.get(line.length); above && room.added > 0; above = below.get(line.length)) {
        room.added--;
        if (above.rows > 1) below.set(line.length, { ...above, rows: above.rows - 1 });
        else below.delete(line.length);
        line.push(above.text);
      }
    };
    for (const cell of cells) {
      fill();
      for (let column = 0; column < cell.columns; column++) {
        if (column > 0 && --room.added < 0) break;
        const text = column === 0 ? cell.text : '';
        if (cell.rows > 1) below.set(line.length, { text, rows: cell.rows - 1 });
        line.push(text);
      }
    }
    fill();
    return line;
  });
}

const rowLine = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;

/** One table as lines. What only stands in a frame becomes paragraphs again. */
function linesOf(html: string, room: Room): string {
  const rows = rowsOf(html);
  const texts = placed(rows, room);
  const heads = texts.slice(0, Math.min(MAX_HEADS, rows.filter(({ isHead }) => isHead).length));
  const lines: string[] = [];
  if (heads.length > 0) {
    const width = texts.reduce((most, { length }) => Math.max(most, length), 0);
    const names = Array.from({ length: width }, (_, column) =>
      [...new Set(heads.map((line) => line[column] ?? ''))].join(' ').trim(),
    );
    lines.push(rowLine(names), `|${' --- |'.repeat(width)}`);
  }
  for (const [at, { cells, isHead }] of rows.entries()) {
    if (isHead) continue;
    const filled = cells.filter(({ text }) => text !== '');
    if (filled.length === 1 || filled.some(({ text }) => text.length > MAX_CELL_LENGTH))
      lines.push('', filled.flatMap(({ paragraphs }) => paragraphs).join('\n'), '');
    else if (filled.length > 1) lines.push(rowLine(texts[at] ?? []));
  }
  return `\n${lines.join('\n')}\n`;
}

/** A text whose HTML tables are rows between strokes. Linear in its length. */
export function tablesAsRows(text: string): string {
  const parts: string[] = [];
  const room: Room = { added: MAX_ADDED };
  let at = 0;
  let from: number | null = null;
  for (const { index, 0: tag } of text.matchAll(/<table\b|<\/table>/gi)) {
    const ends = tag.startsWith('</');
    if (!ends) from ??= index;
    if (!ends || from === null) continue;
    parts.push(text.slice(at, from), linesOf(text.slice(from, index + tag.length), room));
    at = index + tag.length;
    from = null;
  }
  // One without an end goes on to the end of the text.
  if (from !== null) return [...parts, text.slice(at, from), linesOf(text.slice(from), room)].join('');
  parts.push(text.slice(at));
  return parts.join('');
}
