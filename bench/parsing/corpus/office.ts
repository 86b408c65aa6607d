import { type Block, type Table, textOf, blockText } from '@ai-studio/documents';
import * as word from '@ai-studio/documents/test/docx.ts';
import { at, line, shape, writePptx } from '@ai-studio/documents/test/pptx.ts';
import { number, rows as sheetRows, text as sheetText, writeXlsx } from '@ai-studio/documents/test/xlsx.ts';
import type { Content } from './contents.ts';
import { cellText } from './plain.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The cell that covers a place. */
const covering = ({ cells }: Table, row: number, column: number) =>
  cells.find(
    (cell) =>
      cell.row <= row &&
      row < cell.row + cell.rowSpan &&
      cell.column <= column &&
      column < cell.column + cell.columnSpan,
  );

function wordTable(table: Table): string {
  const rows = Array.from({ length: table.rows }, (_, row) => {
    const line: string[] = [];
    for (let column = 0; column < table.columns; column++) {
      const one = covering(table, row, column);
      if (one?.column !== column) continue;
      const merged = one.rowSpan === 1 ? '' : `<w:vMerge${one.row === row ? ' w:val="restart"' : ''}/>`;
      const text = one.row === row ? escaped(cellText(one)) : '';
      line.push(word.cell(word.paragraph(text), `<w:gridSpan w:val="${one.columnSpan}"/>${merged}`));
    }
    return `<w:tr>${row < table.headerRows ? '<w:trPr><w:tblHeader/></w:trPr>' : ''}${line.join('')}</w:tr>`;
  });
  const grid = Array.from({ length: table.columns }, () => '<w:gridCol w:w="1000"/>').join('');
  return `<w:tbl><w:tblGrid>${grid}</w:tblGrid>${rows.join('')}</w:tbl>`;
}

function wordBlock(block: Block): string {
  switch (block.type) {
    case 'heading':
      return word.paragraph(escaped(textOf(block.spans)), `<w:pStyle w:val="Heading${block.level}"/>`);
    case 'paragraph':
      return word.paragraph(
        block.spans
          .map(({ text, note }) =>
            note === undefined ? word.run(escaped(text)) : `<w:r><w:footnoteReference w:id="${note}"/></w:r>`,
          )
          .join(''),
      );
    case 'list': {
      const id = block.items[0]?.ordered ? 2 : 1;
      const place = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${id}"/></w:numPr>`;
      return block.items.map(({ spans }) => word.paragraph(escaped(textOf(spans)), place)).join('');
    }
    case 'table':
      return word.paragraph(escaped(textOf(block.caption ?? [])), '<w:pStyle w:val="Caption"/>') + wordTable(block);
    default:
      return '';
  }
}

const level = (format: string, text: string) =>
  `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const style = (id: string, name: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;

/** A Word file with styles, numbered lists, notes, a header and a footer. */
export function writeWord({ header, footer, blocks }: Content): Buffer {
  const notes = blocks.flatMap((block) =>
    block.type === 'footnote'
      ? [
          `<w:footnote w:id="${block.id}">${word.paragraph(escaped(block.blocks.map(blockText).join(' ')))}</w:footnote>`,
        ]
      : [],
  );
  const marker = blocks.flatMap((block) => (block.type === 'list' ? block.items : [])).find(({ ordered }) => !ordered);
  const section =
    '<w:sectPr><w:headerReference w:type="default" r:id="header1"/><w:footerReference w:type="default" r:id="footer1"/></w:sectPr>';
  return word.writeDocx({
    body: blocks.map(wordBlock).join('') + section,
    styles: [style('Heading1', 'heading 1'), style('Heading2', 'heading 2'), style('Caption', 'caption')].join(''),
    numbering:
      `<w:abstractNum w:abstractNumId="1">${level('bullet', marker?.marker ?? '•')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="2">${level('decimal', '%1.')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>',
    footnotes: notes.join(''),
    headers: { header1: word.paragraph(escaped(header)) },
    footers: { footer1: word.paragraph(escaped(footer)) },
  });
}

function slideTable(table: Table): string {
  const rows = Array.from({ length: table.rows }, (_, row) => {
    const line = Array.from({ length: table.columns }, (_unused, column) => {
      const one = covering(table, row, column);
      const begins = one?.row === row && one.column === column;
      const spans = begins
        ? ` rowSpan="${one.rowSpan}" gridSpan="${one.columnSpan}"`
        : `${one?.row === row ? '' : ' vMerge="1"'}${one?.column === column ? '' : ' hMerge="1"'}`;
      const text = begins ? escaped(cellText(one)) : '';
      return `<a:tc${spans}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    });
    return `<a:tr h="1">${line.join('')}</a:tr>`;
  });
  const grid = Array.from({ length: table.columns }, () => '<a:gridCol w="100"/>').join('');
  return `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="t"/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="3810000"/><a:ext cx="7620000" cy="1270000"/></p:xfrm><a:graphic><a:graphicData uri="t"><a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${grid}</a:tblGrid>${rows.join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
}

/** Bodies of slides: what stands under each heading. */
function slidesOf(blocks: readonly Block[]): { title: string; blocks: Block[] }[] {
  const slides: { title: string; blocks: Block[] }[] = [];
  for (const block of blocks)
    if (block.type === 'heading') slides.push({ title: textOf(block.spans), blocks: [] });
    else slides.at(-1)?.blocks.push(block);
  return slides;
}

const plainLine = (text: string) => line(escaped(text), '<a:pPr><a:buNone/></a:pPr>');

/** A presentation of one slide a heading; notes at the foot are notes of the slide. */
export function writeSlides({ blocks }: Content): Buffer {
  const slides = slidesOf(blocks).map(({ title, blocks: body }) => {
    const words = body.flatMap((block) => {
      if (block.type === 'paragraph') return [plainLine(textOf(block.spans.filter(({ note }) => note === undefined)))];
      if (block.type === 'table') return [plainLine(textOf(block.caption ?? []))];
      if (block.type !== 'list') return [];
      return block.items.map(({ ordered, marker, spans }) => {
        const bullet = ordered ? '<a:buAutoNum type="arabicPeriod"/>' : `<a:buChar char="${marker}"/>`;
        return line(escaped(textOf(spans)), `<a:pPr>${bullet}</a:pPr>`);
      });
    });
    const tables = body.flatMap((block) => (block.type === 'table' ? [slideTable(block)] : []));
    const notes = body.flatMap((block) => (block.type === 'footnote' ? block.blocks.map(blockText) : []));
    return {
      shapes:
        shape(line(escaped(title)), { ph: '<p:ph type="title"/>', place: at(30, 20, 600, 60) }) +
        shape(words.join(''), { place: at(30, 100, 600, 180) }) +
        tables.join(''),
      ...(notes.length === 0 ? {} : { notes: escaped(notes.join(' ')) }),
    };
  });
  return writePptx(slides);
}

const letters = 'ABCDEFGHIJ';

/** A workbook of one sheet a table. */
export function writeSheets(tables: readonly Table[]): Buffer {
  return writeXlsx(
    tables.map((table, nth) => {
      const place = (row: number, column: number) => `${letters[column]}${row + 1}`;
      const lines = Array.from({ length: table.rows }, (_, row) =>
        table.cells
          .filter((cell) => cell.row === row)
          .map((cell) => {
            const words = cellText(cell);
            return words === String(Number(words))
              ? number(place(row, cell.column), words)
              : sheetText(place(row, cell.column), escaped(words));
          })
          .join(''),
      );
      const merged = table.cells
        .filter((cell) => cell.rowSpan > 1 || cell.columnSpan > 1)
        .map(
          ({ row, column, rowSpan, columnSpan }) =>
            `<mergeCell ref="${place(row, column)}:${place(row + rowSpan - 1, column + columnSpan - 1)}"/>`,
        );
      const after = merged.length === 0 ? '' : `<mergeCells>${merged.join('')}</mergeCells>`;
      return { name: `Sheet${nth + 1}`, data: sheetRows(...lines), after };
    }),
  );
}
