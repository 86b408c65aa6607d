/** Tables with merged cells come as HTML, as Markdown has no such cells. They are read as rows between strokes. */

const TABLE_TAG = /<(\/?)(table|thead|tr|t[hd])\b([^<>]{0,300})>/gi;
/** Columns that a cell may span, so that a table cannot grow without end. */
const MAX_SPAN = 20;

const plain = (html: string) =>
  html
    .replace(/<(aside|sup)\b[^<>]{0,300}>[^]{0,300}?<\/\1>/gi, '')
    .replace(/<\/?(?:p|br|li)\b[^<>]{0,300}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, ' ')
    .replace(/&(?:nbsp|lt|gt|amp|quot);/g, ' ')
    .replaceAll('|', '/')
    .replace(/[^\S\n]+/g, ' ')
    .trim();

/** A text whose HTML tables are rows between strokes; a row of one cell is a paragraph. Linear in its length. */
export function tablesAsRows(text: string): string {
  const lines: string[] = [];
  let [at, inHead, inTable] = [0, false, false];
  let row: string[] = [];
  let span: number | null = null;
  const endCell = (to: number) => {
    if (span !== null) row.push(plain(text.slice(at, to)), ...Array.from({ length: span - 1 }, () => ''));
    span = null;
  };
  const endRow = () => {
    const isRow = row.filter((cell) => cell !== '').length > 1;
    if (row.length > 0) lines.push(isRow ? `| ${row.join(' | ').replace(/\s*\n\s*/g, ' ')} |` : `\n${row.join('')}\n`);
    if (inHead && isRow) lines.push(`|${' --- |'.repeat(row.length)}`);
    row = [];
  };
  for (const { 0: tag, 1: slash, 2: name = '', 3: attributes = '', index } of text.matchAll(TABLE_TAG)) {
    const kind = name.toLowerCase();
    const ends = slash === '/';
    if (!inTable && (kind !== 'table' || ends)) continue;
    if (!inTable) lines.push(text.slice(at, index));
    endCell(index);
    if (kind !== 'td' && kind !== 'th') endRow();
    else if (!ends) span = Math.min(Number(/colspan\s*=\s*"?(\d{1,4})/i.exec(attributes)?.[1] ?? 1), MAX_SPAN) || 1;
    if (kind === 'thead') inHead = !ends;
    if (kind === 'table') inTable = !ends;
    at = index + tag.length;
  }
  endCell(text.length);
  endRow();
  return [...lines, inTable ? '' : text.slice(at)].join('\n');
}
