import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, type Table, renderMarkdown } from '@ai-studio/documents';
import type { Case } from '../cases.ts';
import { factsOf } from '../facts.ts';
import { type Content, contents } from './contents.ts';
import { layouts } from './layouts.ts';
import { writeHancom, writeHancomXml } from './hancom.ts';
import { writeSheets, writeSlides, writeWord } from './office.ts';
import { writeCsv, writeHtml, writeText } from './plain.ts';
import { writePages } from './typesetter.ts';

/** A document of the corpus in one format. */
export interface Written {
  readonly format: string;
  readonly file: string;
  readonly bytes: Uint8Array;
  /** What readers should find. */
  readonly blocks: readonly Block[];
}

const isTable = (block: Block): block is Table => block.type === 'table';

/** Text alone has no tables to be seen as such, and workbooks none of what stands about them. */
function formatsOf(content: Content): Written[] {
  const { name, blocks, header, footer } = content;
  const margins: Block[] = [
    { type: 'header', page: null, blocks: [{ type: 'paragraph', page: null, spans: [{ text: header }] }] },
    { type: 'footer', page: null, blocks: [{ type: 'paragraph', page: null, spans: [{ text: footer }] }] },
  ];
  const paged = [...margins, ...blocks];
  const tables = blocks.filter(isTable).map(({ caption: _caption, ...table }) => table);
  const whole = (format: string, file: string, bytes: Uint8Array, found: readonly Block[] = blocks): Written => ({
    format,
    file,
    bytes,
    blocks: found,
  });
  return [
    whole('hwp', `${name}.hwp`, writeHancom(content), paged),
    whole('hwpx', `${name}.hwpx`, writeHancomXml(content), paged),
    whole('docx', `${name}.docx`, writeWord(content), paged),
    whole('pdf', `${name}.pdf`, writePages(content, 1), paged),
    whole('pdf', `${name}-two-columns.pdf`, writePages(content, 2), paged),
    whole('pptx', `${name}.pptx`, writeSlides(content)),
    whole(
      'xlsx',
      `${name}.xlsx`,
      writeSheets(tables),
      tables.flatMap((table, at): Block[] => [
        { type: 'heading', level: 1, page: null, spans: [{ text: `Sheet${at + 1}` }] },
        table,
      ]),
    ),
    whole('html', `${name}.html`, writeHtml(content)),
    whole('markdown', `${name}.md`, Buffer.from(renderMarkdown(blocks))),
    whole(
      'text',
      `${name}.txt`,
      writeText(content),
      blocks.filter((block) => !isTable(block)),
    ),
    ...tables.map((table, at) => whole('csv', `${name}-${at + 1}.csv`, writeCsv(table), [unmerged(table)])),
  ];
}

/** Values between commas have no merged cells: what reaches over several places stands in the first. */
const unmerged = (table: Table): Table => ({
  ...table,
  cells: table.cells.map((cell) => ({ ...cell, rowSpan: 1, columnSpan: 1 })),
});

/** Every document of the corpus in every format that can hold it, and pages whose layout is hard to read. */
export const writeCorpus = (): Written[] => [
  ...contents.flatMap(formatsOf),
  ...layouts.map(({ name, bytes, blocks }) => ({ format: 'pdf', file: `${name}.pdf`, bytes, blocks })),
];

/** Writes the corpus into a folder. */
export function corpusCases(folder: string): Case[] {
  mkdirSync(folder, { recursive: true });
  return writeCorpus().map(({ format, file, bytes, blocks }) => {
    const path = join(folder, file);
    writeFileSync(path, bytes);
    return { path, name: file, format, truth: { kind: 'known', facts: factsOf({ blocks }) } };
  });
}
