import type { Block, List, ListItem, Note, Span, Table } from '../document.ts';
import { tableHtml } from './html.ts';
import { largest } from '../package/extremes.ts';
import { labelNotes } from './note-labels.ts';
import { shownBlocks, type TextOptions } from './text.ts';

/** Signs that would mean something within a line. */
const escapeInline = (text: string) =>
  text
    .replaceAll(/[\\`*[\]<~]|&(?=[a-z#])/gi, String.raw`\$&`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`);
/** Signs that would mean something at the beginning of a line. */
const escapeStart = (line: string) =>
  line
    .replace(/^(\s*)(>|(?:[#+-]|={3,})(?=\s|$|[#=-]))/, String.raw`$1\$2`)
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`);

/** Code with as many ticks around it as it needs. */
function inlineCode(text: string): string {
  const longest = Math.max(0, largest([...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)));
  const ticks = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${text.replaceAll('\n', ' ')}${pad}${ticks}`;
}

/** Marks stand beside letters: blanks at the ends of what they enclose go outside. */
function enclosed(text: string, mark: string): string {
  const inner = text.trim();
  if (inner === '') return text;
  const from = text.length - text.trimStart().length;
  return `${text.slice(0, from)}${mark}${inner}${mark}${text.slice(from + inner.length)}`;
}

/** Marks of looks that go on over spans, the outermost first. */
const looksMarks = [
  ['strike', '~~'],
  ['italic', '*'],
  ['bold', '**'],
] as const;

/** `from`: the first of the looks that are not around it yet. */
function spanMarkdown(span: Span, from: number): string {
  if (span.note !== undefined) return `[^${span.note}]`;
  if (span.math) return `$${span.text}$`;
  let text = span.code ? inlineCode(span.text) : escapeInline(span.text);
  for (const [look, mark] of looksMarks.slice(from).toReversed()) if (span[look] === true) text = enclosed(text, mark);
  if (span.script === 'sub') text = `<sub>${text}</sub>`;
  if (span.script === 'super') text = `<sup>${text}</sup>`;
  if (span.link !== undefined && /^(?:https?:|mailto:|tel:|#|\/|\.)/i.test(span.link))
    text = `[${text}](<${span.link.replaceAll(/[<>\n]/g, encodeURIComponent)}>)`;
  return text;
}

/** Spans that have a look in common are enclosed together: marks of two looks right after one another would be others. */
function spansMarkdown(spans: readonly Span[], from = 0): string {
  const [look, mark] = looksMarks[from] ?? [];
  if (spans.length === 1 || look === undefined) return spans.map((span) => spanMarkdown(span, from)).join('');
  const parts: string[] = [];
  for (let at = 0; at < spans.length;) {
    const has = spans[at]?.[look] === true;
    let end = at + 1;
    while (end < spans.length && (spans[end]?.[look] === true) === has) end++;
    const group = spans.slice(at, end);
    // Of one alone the marks stand within its link.
    const isShared = has && group.length > 1;
    const text = spansMarkdown(group, isShared || !has ? from + 1 : from);
    parts.push(isShared ? enclosed(text, mark) : text);
    at = end;
  }
  return parts.join('');
}
/** A line break within a paragraph. */
const LINE_BREAK = '  \n';

const linesMarkdown = (spans: readonly Span[]) =>
  spansMarkdown(spans)
    .split('\n')
    .map((line) => escapeStart(line.trimEnd()))
    .join(LINE_BREAK);

/** `level`: of its list as it stands here, which may begin deeper than what it went on from. */
function itemMarkdown({ marker, ordered, spans }: ListItem, level: number): string {
  const number = /^(\d{1,9})[.)]?$/.exec(marker)?.[1];
  const mark = ordered && number !== undefined ? `${number}.` : '-';
  const kept = (ordered && number !== undefined) || /^[-•*]?$/.test(marker) ? '' : `${escapeInline(marker)} `;
  const indent = '    '.repeat(level);
  return `${indent}${mark} ${kept}${spansMarkdown(spans).replaceAll('\n', `${LINE_BREAK}${indent}  `)}`;
}

/** The items of a list, each as it stands among the others. */
export function listItemTexts({ items }: List): string[] {
  let above = -1;
  return items.map((item) => {
    above = Math.min(item.level, above + 1);
    return itemMarkdown(item, above);
  });
}

const listMarkdown = (list: List): string => listItemTexts(list).join('\n');

/** A table that Markdown can write: one line a cell, no cell over several places, one row of headings at most. */
const isPlain = ({ cells, headerRows }: Table) =>
  headerRows <= 1 &&
  cells.every(
    ({ rowSpan, columnSpan, blocks }) =>
      rowSpan === 1 && columnSpan === 1 && blocks.length <= 1 && blocks.every(({ type }) => type === 'paragraph'),
  );

/** The figures of a chart, its first row as headings. */
function figuresMarkdown(figures: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = figures.map((row) =>
    row.map((text) =>
      escapeInline(text)
        .replaceAll('|', String.raw`\|`)
        .replaceAll('\n', '<br>'),
    ),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
}

function tableMarkdown(table: Table, from: number, to: number): string {
  const grid = Array.from({ length: to - from }, () => Array.from({ length: table.columns }, () => ''));
  for (const { row, column, blocks } of table.cells) {
    const [block] = blocks;
    const line = grid[row - from];
    if (row < from || row >= to || line === undefined) continue;
    if (block?.type === 'paragraph')
      line[column] = spansMarkdown(block.spans)
        .replaceAll('|', String.raw`\|`)
        .replaceAll('\n', '<br>');
  }
  const headed = table.headerRows > 0 && from === 0;
  const [head = [], ...rest] = headed ? grid : [Array.from({ length: table.columns }, () => ''), ...grid];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rest.map(line)].join('\n');
}

/** Some rows of a table, with its caption before them. */
export function tableRows(table: Table, from = 0, to = table.rows): string {
  if (!isPlain(table)) return tableHtml(table, from, to);
  const caption = table.caption === undefined ? '' : `${linesMarkdown(table.caption)}\n\n`;
  return caption + tableMarkdown(table, from, to);
}

function fenced(text: string, language: string): string {
  const longest = Math.max(2, largest([...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length)));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function noteMarkdown({ id, blocks }: Note): string {
  const text = blocks.map(blockMarkdown).join('\n\n');
  return `[^${id}]: ${text.replaceAll('\n', '\n    ')}`;
}

/** Markdown of one block. */
export function blockMarkdown(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${spansMarkdown(block.spans).replaceAll('\n', ' ')}`;
    case 'paragraph': {
      const text = linesMarkdown(block.spans);
      return block.role === 'quote' ? `> ${text.replaceAll('\n', '\n> ')}` : text;
    }
    case 'list':
      return listMarkdown(block);
    case 'table':
      return tableRows(block);
    case 'image': {
      const caption = block.caption === undefined ? '' : linesMarkdown(block.caption);
      const { alt, text: own, figures } = block;
      const words = [alt, figures === undefined ? own : '']
        .filter((text) => text !== undefined && text !== '')
        .join('\n');
      const shown = words === '' ? '' : linesMarkdown([{ text: words }]);
      const table = figures === undefined ? '' : figuresMarkdown(figures);
      return [shown, table, caption].filter((text) => text !== '').join('\n\n');
    }
    case 'equation':
      return `$$\n${block.latex}\n$$`;
    case 'code':
      return fenced(block.text, block.language ?? '');
    case 'footnote':
      return noteMarkdown(block);
    case 'header':
    case 'footer':
      return block.blocks.map(blockMarkdown).join('\n\n');
  }
}

/**
 * Markdown (GFM) of the running text; tables with cells over several places are written as HTML. A note has its mark in the text as its
 * label (`[^1]`); one that nothing refers to is a paragraph, since programs leave such a note out.
 */
export const renderMarkdown = (blocks: readonly Block[], options?: TextOptions): string =>
  labelNotes(shownBlocks(blocks, options))
    .map(blockMarkdown)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
