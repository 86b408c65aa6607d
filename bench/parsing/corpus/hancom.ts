import { type Block, type Table, textOf, blockText } from '@ai-studio/documents';
import * as hwp from '@ai-studio/documents/test/hwp-writer/index.ts';
import * as hwpx from '@ai-studio/documents/test/hwpx.ts';
import type { Content } from './contents.ts';
import { cellText } from './plain.ts';

const LARGE = 1;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The note that a paragraph refers to, by what it stands at. */
const notesOf = (blocks: readonly Block[]): ReadonlyMap<string, string> =>
  new Map(
    blocks.flatMap((block) =>
      block.type === 'footnote' ? [[block.id, block.blocks.map(blockText).join(' ')] as const] : [],
    ),
  );

const hwpTable = ({ rows, columns, cells, caption }: Table) =>
  hwp.table({
    rows,
    columns,
    caption: [hwp.paragraph(textOf(caption ?? []))],
    cells: cells.map((cell) => ({
      row: cell.row,
      column: cell.column,
      rowSpan: cell.rowSpan,
      columnSpan: cell.columnSpan,
      header: cell.header === true,
      content: [hwp.paragraph(cellText(cell))],
    })),
  });

/** An HWP file; headings are known by their numbers and their size alone, as most of them are. */
export function writeHancom({ header, footer, blocks }: Content): Buffer {
  const notes = notesOf(blocks);
  const paragraphs = blocks.flatMap((block) => {
    switch (block.type) {
      case 'heading':
        return [hwp.paragraph(textOf(block.spans), { chars: [[0, LARGE]] })];
      case 'paragraph':
        return [
          hwp.paragraph(
            block.spans.map(({ text, note }) =>
              note === undefined ? text : hwp.note('fn  ', Number(note), notes.get(note) ?? ''),
            ),
          ),
        ];
      case 'list':
        return block.items.map(({ marker, spans }) => hwp.paragraph(`${marker} ${textOf(spans)}`));
      case 'table':
        return [hwp.paragraph([hwpTable(block)])];
      default:
        return [];
    }
  });
  return hwp.writeHwp({
    info: { charShapes: [{}, { bold: true, size: 1400 }] },
    sections: [
      [hwp.paragraph([hwp.sectionStart(), hwp.margin('head', header), hwp.margin('foot', footer)]), ...paragraphs],
    ],
  });
}

const hwpxTable = ({ rows, columns, cells, caption }: Table) => {
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = cells
      .filter((cell) => cell.row === row)
      .map((cell) =>
        hwpx.cell(
          hwpx.paragraph(escaped(cellText(cell))),
          [cell.row, cell.column],
          [cell.rowSpan, cell.columnSpan],
          cell.header === true ? 'header="1"' : '',
        ),
      );
    return `<hp:tr>${line.join('')}</hp:tr>`;
  });
  const title = `<hp:caption>${hwpx.list(hwpx.paragraph(escaped(textOf(caption ?? []))))}</hp:caption>`;
  return `<hp:tbl rowCnt="${rows}" colCnt="${columns}">${title}${lines.join('')}</hp:tbl>`;
};

/** The same as an HWPX file. */
export function writeHancomXml({ header, footer, blocks }: Content): Buffer {
  const notes = notesOf(blocks);
  const paragraphs = blocks.flatMap((block) => {
    switch (block.type) {
      case 'heading':
        return [`<hp:p><hp:run charPrIDRef="${LARGE}">${hwpx.text(escaped(textOf(block.spans)))}</hp:run></hp:p>`];
      case 'paragraph':
        return [
          hwpx.paragraph(
            block.spans
              .map(({ text, note }) =>
                note === undefined
                  ? hwpx.text(escaped(text))
                  : `<hp:ctrl><hp:footNote number="${note}">${hwpx.list(hwpx.paragraph(escaped(notes.get(note) ?? '')))}</hp:footNote></hp:ctrl>`,
              )
              .join(''),
          ),
        ];
      case 'list':
        return block.items.map(({ marker, spans }) => hwpx.paragraph(escaped(`${marker} ${textOf(spans)}`)));
      case 'table':
        return [hwpx.paragraph(hwpxTable(block))];
      default:
        return [];
    }
  });
  const margin = (kind: string, text: string) =>
    `<hp:ctrl><hp:${kind}>${hwpx.list(hwpx.paragraph(escaped(text)))}</hp:${kind}></hp:ctrl>`;
  return hwpx.writeHwpx({
    header:
      '<hh:charProperties><hh:charPr id="0" height="1000"/><hh:charPr id="1" height="1400"><hh:bold/></hh:charPr></hh:charProperties>',
    sections: [hwpx.paragraph(margin('header', header) + margin('footer', footer)) + paragraphs.join('')],
  });
}
