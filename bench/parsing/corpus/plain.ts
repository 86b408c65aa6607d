import { type Block, type Table, textOf, blockText } from '@ai-studio/documents';
import type { Content } from './contents.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const bytesOf = (text: string) => Buffer.from(text, 'utf8');
export const cellText = (cell: Table['cells'][number]) => cell.blocks.map(blockText).join(' ');

function htmlTable({ rows, cells, caption, headerRows }: Table): string {
  const line = (row: number) =>
    cells
      .filter((cell) => cell.row === row)
      .map((cell) => {
        const tag = row < headerRows ? 'th' : 'td';
        return `<${tag} rowspan="${cell.rowSpan}" colspan="${cell.columnSpan}">${escaped(cellText(cell))}</${tag}>`;
      })
      .join('');
  const body = Array.from({ length: rows }, (_, row) => `<tr>${line(row)}</tr>`).join('\n');
  return `<table><caption>${escaped(textOf(caption ?? []))}</caption>${body}</table>`;
}

function html(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${escaped(textOf(block.spans))}</h${block.level}>`;
    case 'paragraph':
      return `<p>${escaped(textOf(block.spans.filter(({ note }) => note === undefined)))}</p>`;
    case 'list': {
      const tag = block.items[0]?.ordered ? 'ol' : 'ul';
      return `<${tag}>${block.items.map(({ spans }) => `<li>${escaped(textOf(spans))}</li>`).join('')}</${tag}>`;
    }
    case 'table':
      return htmlTable(block);
    case 'footnote':
      return `<aside><p>${escaped(block.blocks.map(blockText).join(' '))}</p></aside>`;
    default:
      return '';
  }
}

/** A page of a site: the content among links that lead elsewhere. */
export const writeHtml = ({ language, header, footer, blocks }: Content): Buffer =>
  bytesOf(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escaped(header)}</title>` +
      '<style>p { margin: 0 }</style></head><body><nav><a href="/">Home</a> <a href="/a">Archive</a></nav>' +
      `<main>${blocks.map(html).join('\n')}</main><footer>${escaped(footer)}</footer></body></html>`,
  );

/** Plain text with an empty line between paragraphs; what has rows is left to other formats. */
export const writeText = ({ blocks }: Content): Buffer => bytesOf(blocks.map(blockText).join('\n\n'));

/** Values of a table between commas, the commas in them quoted. */
export function writeCsv({ rows, columns, cells }: Table): Buffer {
  const lines = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ''));
  for (const cell of cells) lines[cell.row]![cell.column] = cellText(cell);
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return bytesOf(lines.map((line) => line.map(quoted).join(',')).join('\r\n'));
}
