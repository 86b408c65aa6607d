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

const MOST_SPAN = 100;
/** Cells longer than this hold text that only stands in a frame. */
const LONGEST_CELL = 200;
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
  return Math.max(1, Math.min(Number(found ?? 1), MOST_SPAN));
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
  close();
  return rows;
}

/** Texts in their places; a cell that reaches over several rows stands in each of them. */
function placed(rows: readonly Row[]): string[][] {
  const below = new Map<number, { text: string; rows: number }>();
  return rows.map(({ cells }) => {
    const line: string[] = [];
    const fill = () => {
      for (let above = below.get(line.length); above; above = below.get(line.length)) {
        if (above.rows > 1) below.set(line.length, { ...above, rows: above.rows - 1 });
        else below.delete(line.length);
        line.push(above.text);
      }
    };
    for (const cell of cells) {
      fill();
      for (let column = 0; column < cell.columns; column++) {
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
function linesOf(html: string): string {
  const rows = rowsOf(html);
  const texts = placed(rows);
  const heads = rows.filter(({ isHead }) => isHead).length;
  const lines: string[] = [];
  if (heads > 0) {
    const width = Math.max(...texts.map(({ length }) => length));
    const names = Array.from({ length: width }, (_, column) =>
      [...new Set(texts.slice(0, heads).map((line) => line[column] ?? ''))].join(' ').trim(),
    );
    lines.push(rowLine(names), `|${' --- |'.repeat(width)}`);
  }
  for (const [at, { cells, isHead }] of rows.entries()) {
    if (isHead) continue;
    const filled = cells.filter(({ text }) => text !== '');
    if (filled.length === 1 || filled.some(({ text }) => text.length > LONGEST_CELL))
      lines.push('', ...filled.flatMap(({ paragraphs }) => paragraphs), '');
    else if (filled.length > 1) lines.push(rowLine(texts[at] ?? []));
  }
  return `\n${lines.join('\n')}\n`;
}

/** A text whose HTML tables are rows between strokes. Linear in its length. */
export function tablesAsRows(text: string): string {
  if (!/<table\b/i.test(text)) return text;
  const lower = text.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  for (let from = lower.indexOf('<table'); from >= 0; from = lower.indexOf('<table', at)) {
    const end = lower.indexOf('</table>', from);
    const to = end < 0 ? text.length : end + '</table>'.length;
    parts.push(text.slice(at, from), linesOf(text.slice(from, to)));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
