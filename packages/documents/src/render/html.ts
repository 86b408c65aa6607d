import type { Block, List, ListItem, Span, Table, TableCell } from '../document.ts';
import { noteMark, shownBlocks, type TextOptions } from './text.ts';

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text that is shown as it is. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign);

/** Addresses that may be followed from a page; a script is none. */
const isSafe = (address: string) => /^(?:https?:|mailto:|tel:|#|\/|\.)/i.test(address);

function spanHtml(span: Span): string {
  let html = escapeHtml(span.text).replaceAll('\n', '<br>');
  if (span.math) html = `<code class="math">${html}</code>`;
  else if (span.code) html = `<code>${html}</code>`;
  if (span.bold) html = `<strong>${html}</strong>`;
  if (span.italic) html = `<em>${html}</em>`;
  if (span.strike) html = `<s>${html}</s>`;
  if (span.script === 'sub') html = `<sub>${html}</sub>`;
  if (span.script === 'super') html = `<sup>${html}</sup>`;
  if (span.note !== undefined) html = `<sup><a href="#note-${escapeHtml(span.note)}">${html}</a></sup>`;
  else if (span.link !== undefined && isSafe(span.link)) html = `<a href="${escapeHtml(span.link)}">${html}</a>`;
  return html;
}

/** Spans with their looks. */
export const spansHtml = (spans: readonly Span[]): string => spans.map(spanHtml).join('');

/** Lists within each other, from items that know their level. Marks that are no plain numbers are kept as text. */
function listHtml({ items }: List): string {
  const html: string[] = [];
  const open: string[] = [];
  const close = (level: number) => {
    while (open.length > level) html.push(`</li></${open.pop()}>`);
  };
  for (const item of items) {
    const level = Math.min(item.level + 1, open.length + 1);
    close(level);
    if (open.length === level) html.push('</li>');
    else {
      const name = item.ordered ? 'ol' : 'ul';
      open.push(name);
      html.push(`<${name}>`);
    }
    html.push(`<li${valueOf(item)}>${markOf(item)}${spansHtml(item.spans)}`);
  }
  close(0);
  return html.join('');
}

const plainNumber = /^(\d+)[.)]?$/;
function valueOf({ ordered, marker }: ListItem): string {
  const number = plainNumber.exec(marker)?.[1];
  return ordered && number !== undefined ? ` value="${number}"` : '';
}
const markOf = ({ ordered, marker }: ListItem) =>
  (ordered ? plainNumber.test(marker) : /^[-•*]?$/.test(marker)) ? '' : `${escapeHtml(marker)} `;

function cellHtml(cell: TableCell): string {
  const name = cell.header === true ? 'th' : 'td';
  const spans = `${cell.rowSpan > 1 ? ` rowspan="${cell.rowSpan}"` : ''}${cell.columnSpan > 1 ? ` colspan="${cell.columnSpan}"` : ''}`;
  const [only, ...others] = cell.blocks;
  const inner =
    only?.type === 'paragraph' && others.length === 0 ? spansHtml(only.spans) : cell.blocks.map(blockHtml).join('');
  return `<${name}${spans}>${inner}</${name}>`;
}

/** A table with the cells that reach over several places. */
export function tableHtml(table: Table, from = 0, to = table.rows): string {
  const lines = Array.from({ length: to - from }, (): string[] => []);
  for (const cell of table.cells) {
    const within = cell.row >= from && cell.row < to;
    // Where a table is cut, a cell ends with its part.
    if (within) lines[cell.row - from]?.push(cellHtml({ ...cell, rowSpan: Math.min(cell.rowSpan, to - cell.row) }));
  }
  const rows = lines.map((cells) => `<tr>${cells.join('')}</tr>`);
  const heads = Math.max(0, Math.min(table.headerRows, to) - from);
  const head = heads > 0 ? `<thead>${rows.slice(0, heads).join('')}</thead>` : '';
  const caption = table.caption === undefined ? '' : `<caption>${spansHtml(table.caption)}</caption>`;
  return `<table>${caption}${head}<tbody>${rows.slice(heads).join('')}</tbody></table>`;
}

/** The figures of a chart, its first row and column as headings. */
function figuresHtml(figures: readonly (readonly string[])[] | undefined): string {
  if (figures === undefined) return '';
  const rows = figures.map((row, at) =>
    row.map((text, column) =>
      at === 0 || column === 0 ? `<th>${escapeHtml(text)}</th>` : `<td>${escapeHtml(text)}</td>`,
    ),
  );
  const [head = '', ...rest] = rows.map((cells) => `<tr>${cells.join('')}</tr>`);
  return `<table><thead>${head}</thead><tbody>${rest.join('')}</tbody></table>`;
}

/** HTML of one block. */
export function blockHtml(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${spansHtml(block.spans)}</h${block.level}>`;
    case 'paragraph': {
      const inner = spansHtml(block.spans);
      return block.role === 'quote' ? `<blockquote><p>${inner}</p></blockquote>` : `<p>${inner}</p>`;
    }
    case 'list':
      return listHtml(block);
    case 'table':
      return tableHtml(block);
    case 'image': {
      const caption = block.caption === undefined ? '' : `<figcaption>${spansHtml(block.caption)}</figcaption>`;
      const words = [block.alt, block.figures === undefined ? block.text : '']
        .filter((text) => text !== undefined && text !== '')
        .map((text) => escapeHtml(text ?? ''));
      return `<figure>${words.length > 0 ? `<p>${words.join('<br>')}</p>` : ''}${figuresHtml(block.figures)}${caption}</figure>`;
    }
    case 'equation':
      return `<p><code class="math">${escapeHtml(block.latex)}</code></p>`;
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'footnote':
      return `<aside id="note-${escapeHtml(block.id)}" role="note">${escapeHtml(noteMark(block))} ${block.blocks.map(blockHtml).join('')}</aside>`;
    case 'header':
    case 'footer':
      return `<${block.type}>${block.blocks.map(blockHtml).join('')}</${block.type}>`;
  }
}

/** HTML of the running text: no scripts, no styles, nothing that asks another host. */
export const renderHtml = (blocks: readonly Block[], options?: TextOptions): string =>
  shownBlocks(blocks, options).map(blockHtml).join('\n');
