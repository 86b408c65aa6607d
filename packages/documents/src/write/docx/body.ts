import type { Block, List, Note, Span, Table } from '../../document.ts';
import { plain } from '../../document.ts';
import { columnWidths, gridOf } from '../columns.ts';
import type { Pictures } from '../pictures.ts';
import type { Lists } from './lists.ts';
import { TEXT_WIDTH } from './names.ts';
import { pictureRun } from './pictures.ts';
import { run, spansXml, type RunContext } from './runs.ts';

/** What the text of a part is written with. */
export interface BodyContext extends RunContext {
  readonly lists: Lists;
  readonly pictures: Pictures;
  /** Id of the relation to a picture of the package. */
  readonly picture: (number: number, ending: string) => string;
  /** Counts what is written, and gives it back. Throws ParseError `TOO_LARGE`. */
  readonly counted: (xml: string) => string;
  /** The next id of a drawing. */
  readonly drawing: () => number;
}

const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
const styled = (style: string): string => `<w:pStyle w:val="${style}"/>`;

const roleStyles = { title: 'Title', subtitle: 'Subtitle', quote: 'Quote', contents: '' } as const;

function listXml({ items }: List, context: BodyContext): string {
  const place = context.lists.begin();
  return items
    .map((item) => {
      const { id, level } = place(item);
      const numbering = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
      return paragraph(spansXml(item.spans, context), styled('ListParagraph') + numbering);
    })
    .join('');
}

function tableXml(table: Table, width: number, context: BodyContext): string {
  const widths = columnWidths(table, width);
  const rows = gridOf(table).map((places, row) => {
    const cells: string[] = [];
    for (let column = 0; column < places.length;) {
      const place = places[column];
      if (place === undefined) break;
      const { cell } = place;
      const span = Math.max(1, Math.min(cell.columnSpan, places.length - column));
      const own = widths.slice(column, column + span).reduce((sum, one) => sum + one, 0);
      const begins = cell.row === row;
      const properties = [
        `<w:tcW w:w="${own}" w:type="dxa"/>`,
        span > 1 ? `<w:gridSpan w:val="${span}"/>` : '',
        cell.rowSpan > 1 ? `<w:vMerge${begins ? ' w:val="restart"' : ''}/>` : '',
        '<w:vAlign w:val="center"/>',
      ].join('');
      const content = begins ? blocksXml(cell.blocks, own, context) : '';
      // A cell ends with a paragraph.
      const end = content === '' || content.endsWith('</w:tbl>') ? paragraph('') : '';
      cells.push(`<w:tc><w:tcPr>${properties}</w:tcPr>${content}${end}</w:tc>`);
      column += span;
    }
    const heads = row < table.headerRows ? '<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>' : '';
    return context.counted(`<w:tr>${heads}${cells.join('')}</w:tr>`);
  });
  const first = table.headerRows > 0 ? 1 : 0;
  return [
    table.caption === undefined ? '' : paragraph(spansXml(table.caption, context), styled('Caption')),
    `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="${width}" w:type="dxa"/><w:tblLayout w:type="fixed"/>`,
    `<w:tblLook w:val="${first === 1 ? '0420' : '0400'}" w:firstRow="${first}" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr>`,
    `<w:tblGrid>${widths.map((one) => `<w:gridCol w:w="${one}"/>`).join('')}</w:tblGrid>${rows.join('')}</w:tbl>`,
  ].join('');
}

function pictureXml(block: Extract<Block, { type: 'image' }>, context: BodyContext): string {
  const found = context.pictures.find(block.address);
  const words = [block.alt, block.text].filter((text) => text !== undefined && text !== '').join('\n');
  const caption = block.caption === undefined ? '' : paragraph(spansXml(block.caption, context), styled('Caption'));
  if (found === null) return (words === '' ? '' : paragraph(run(words))) + caption;
  const relation = context.picture(found.number, found.ending);
  return (
    paragraph(pictureRun(found, relation, block.alt ?? '', context.drawing()), '<w:keepNext/><w:jc w:val="center"/>') +
    caption
  );
}

function blockXml(block: Block, width: number, context: BodyContext): string {
  const text = (spans: readonly Span[], style: string) =>
    paragraph(spansXml(spans, context), style === '' ? '' : styled(style));
  switch (block.type) {
    case 'heading':
      return text(block.spans, `Heading${block.level}`);
    case 'paragraph':
      return text(block.spans, block.role === undefined ? '' : roleStyles[block.role]);
    case 'list':
      return listXml(block, context);
    case 'table':
      return block.cells.length === 0 ? '' : tableXml(block, width, context);
    case 'image':
      return pictureXml(block, context);
    case 'equation':
      return text([{ text: block.latex, math: true }], '');
    case 'code':
      return block.text === '' ? '' : text(plain(block.text), 'SourceCode');
    // Notes hang on what refers to them; heads and feet of pages are not running text.
    case 'footnote':
    case 'header':
    case 'footer':
      return '';
  }
}

/** Blocks as paragraphs and tables. */
export function blocksXml(blocks: readonly Block[], width: number, context: BodyContext): string {
  const parts: string[] = [];
  for (const block of blocks) {
    const part = context.counted(blockXml(block, width, context));
    // Tables that touch become one.
    if (part.startsWith('<w:tbl>') && parts.at(-1)?.endsWith('</w:tbl>')) parts.push(paragraph(''));
    if (part !== '') parts.push(part);
  }
  return parts.join('');
}

/** A note at the foot of the page, with its mark before its text. */
export function noteXml({ blocks }: Note, id: number, context: BodyContext): string {
  const mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>';
  const content = blocksXml(blocks, TEXT_WIDTH, context);
  const first = /^<w:p>(?:<w:pPr>.*?<\/w:pPr>)?/.exec(content);
  const text =
    first === null
      ? paragraph(mark, styled('FootnoteText')) + content
      : `<w:p><w:pPr>${styled('FootnoteText')}</w:pPr>${mark}${run(' ')}${content.slice(first[0].length)}`;
  return `<w:footnote w:id="${id}">${text}</w:footnote>`;
}
