import { type Block, type ListItem, type Table, renderMarkdown } from '@ai-studio/documents';
import type { Content } from '../parsing/corpus/contents.ts';
import { writeHancom, writeHancomXml } from '../parsing/corpus/hancom.ts';
import { writeSheets, writeSlides, writeWord } from '../parsing/corpus/office.ts';
import { writeCsv, writeHtml, writeText } from '../parsing/corpus/plain.ts';
import { writePages } from '../parsing/corpus/typesetter.ts';
import type { SetDocument } from './set.ts';

const page = null;
const paragraph = (text: string): Block => ({ type: 'paragraph', page, spans: [{ text }] });
const item = (text: string): ListItem => ({ level: 0, marker: '•', ordered: false, spans: [{ text }] });
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((text) => text.trim());

function tableOf(lines: readonly string[]): Table {
  const rows = lines.filter((line) => !/^[|\s-]+$/.test(line)).map(cellsOf);
  return {
    type: 'table',
    page,
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    headerRows: 1,
    cells: rows.flatMap((texts, row) =>
      texts.map((text, column) => ({
        row,
        column,
        rowSpan: 1,
        columnSpan: 1,
        ...(row === 0 ? { header: true } : {}),
        blocks: [paragraph(text)],
      })),
    ),
  };
}

const kindOf = (line: string) => (line.startsWith('|') ? 'row' : line.startsWith('- ') ? 'item' : 'line');

/** Every line is a paragraph, but for those that make a table or a list together. */
function blocksOf(text: string): Block[] {
  const groups: string[][] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const last = groups.at(-1)?.at(-1);
    const kind = kindOf(line);
    if (kind !== 'line' && last !== undefined && kindOf(last) === kind) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups.map((lines): Block => {
    const first = lines[0] ?? '';
    if (first.startsWith('|')) return tableOf(lines);
    if (first.startsWith('- ')) return { type: 'list', page, items: lines.map((line) => item(line.slice(2))) };
    const level = /^#*/.exec(first)?.[0].length ?? 0;
    return level === 0 ? paragraph(first) : { type: 'heading', level, page, spans: [{ text: first.slice(level + 1) }] };
  });
}

const isTable = (block: Block): block is Table => block.type === 'table';

/** The bytes of a document in the format that its name says. */
export function renderSetDocument({ name, text }: SetDocument): Buffer {
  const blocks = blocksOf(text);
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const content: Content = {
    name,
    language: /[가-힣]/.test(text) ? 'ko' : 'en',
    header: '',
    footer: '',
    blocks,
  };
  const tables = blocks.filter(isTable);
  const [table] = tables;
  switch (ending) {
    case 'hwp':
      return writeHancom(content);
    case 'hwpx':
      return writeHancomXml(content);
    case 'docx':
      return writeWord(content);
    case 'pptx':
      return writeSlides(content);
    case 'pdf':
      return writePages(content, 1);
    case 'html':
      return writeHtml(content);
    case 'xlsx':
      return writeSheets(tables);
    case 'csv':
      if (!table) break;
      return writeCsv(table);
    case 'md':
      return Buffer.from(renderMarkdown(blocks));
    case 'txt':
      return writeText(content);
  }
  throw new Error(`${name} can't be written`);
}
