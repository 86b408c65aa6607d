import { type Block, type List, type Note, plain, type Span, type Table } from '../../document.ts';
import { columnWidths, gridOf } from '../columns.ts';
import type { Pictures } from '../pictures.ts';
import { borders } from './border-numbers.ts';
import { captionXml, frameXml, pictureXml, subList } from './objects.ts';
import { runOf, spansXml, type RunContext } from './runs.ts';
import { headingStyle, styleNumber, styleOf, type StyleForm, type StyleName } from './styles.ts';
import type { ParagraphLook } from './shapes.ts';

/** What the text is written with. */
export interface BodyContext extends RunContext {
  readonly pictures: Pictures;
  /** Counts what is written, and gives it back. Throws ParseError `TOO_LARGE`. */
  readonly counted: (xml: string) => string;
  /** Style of paragraphs without a role, and how wide they may be. */
  readonly base: StyleName;
  readonly width: number;
}

interface ParagraphForm {
  readonly style: { readonly number: number; readonly form: StyleForm };
  readonly look?: ParagraphLook;
}
const named = (name: StyleName): ParagraphForm['style'] => ({ number: styleNumber(name), form: styleOf(name) });

/** A paragraph of runs; one without any has an empty one. */
function paragraph(runs: string, { style, look = style.form.look }: ParagraphForm, { shapes, id }: RunContext): string {
  const content = runs === '' ? runOf(shapes.letter(style.form.letters), '<hp:t/>') : runs;
  return `<hp:p id="${id()}" paraPrIDRef="${shapes.look(look)}" styleIDRef="${style.number}" pageBreak="0" columnBreak="0" merged="0">${content}</hp:p>`;
}

const textParagraph = (spans: readonly Span[], form: ParagraphForm, context: BodyContext): string =>
  paragraph(spansXml(spans, form.style.form.letters, context), form, context);

/** An object in a paragraph of its own. */
const objectParagraph = (object: string, name: StyleName, context: BodyContext): string => {
  const style = named(name);
  return paragraph(runOf(context.shapes.letter(style.form.letters), `${object}<hp:t/>`), { style }, context);
};

/** How far a level of a list stands in, and its mark before it. */
const LIST_INDENT = 1500;

function listXml({ items }: List, context: BodyContext): string {
  const head = context.shapes.beginList();
  const style = named(context.base);
  return items
    .map((item) => {
      const mark = head(item);
      const look = { ...style.form.look, left: LIST_INDENT * mark.level, after: 200, head: mark };
      return textParagraph(item.spans, { style, look }, context);
    })
    .join('');
}

/** Height of a row as it is stored: the least one. */
const ROW_HEIGHT = 1800;
const CELL_MARGIN = '<hp:cellMargin left="510" right="510" top="141" bottom="141"/>';

function cellXml(cell: Table['cells'][number], width: number, head: boolean, context: BodyContext): string {
  const content = blocksXml(cell.blocks, { ...context, base: 'cell', width });
  const paragraphs = content === '' ? paragraph('', { style: named('cell') }, context) : content;
  return [
    `<hp:tc name="" header="${head ? 1 : 0}" hasMargin="0" protect="0" editable="0" dirty="0" borderFillIDRef="${head ? borders.head : borders.cell}">`,
    subList(paragraphs, 'CENTER'),
    `<hp:cellAddr colAddr="${cell.column}" rowAddr="${cell.row}"/><hp:cellSpan colSpan="${cell.columnSpan}" rowSpan="${cell.rowSpan}"/>`,
    `<hp:cellSz width="${width}" height="${ROW_HEIGHT * cell.rowSpan}"/>${CELL_MARGIN}</hp:tc>`,
  ].join('');
}

function tableXml(table: Table, context: BodyContext): string {
  const widths = columnWidths(table, context.width);
  const rows = gridOf(table).map((places, row) => {
    const cells = places.flatMap(({ cell, begins }) => {
      if (!begins) return [];
      const width = widths.slice(cell.column, cell.column + cell.columnSpan).reduce((sum, one) => sum + one, 0);
      return [cellXml(cell, width, cell.header === true || row < table.headerRows, context)];
    });
    return context.counted(`<hp:tr>${cells.join('')}</hp:tr>`);
  });
  const width = widths.reduce((sum, one) => sum + one, 0);
  const caption =
    table.caption === undefined
      ? ''
      : captionXml(textParagraph(table.caption, { style: named('caption') }, context), width, true);
  return [
    `<hp:tbl id="${context.id()}" zOrder="0" numberingType="TABLE" textWrap="TOP_AND_BOTTOM" textFlow="BOTH_SIDES" lock="0" dropcapstyle="None" pageBreak="CELL" repeatHeader="1" rowCnt="${table.rows}" colCnt="${table.columns}" cellSpacing="0" borderFillIDRef="${borders.cell}" noAdjust="0">`,
    frameXml(width, ROW_HEIGHT * table.rows, false, caption),
    `<hp:inMargin left="510" right="510" top="141" bottom="141"/>${rows.join('')}</hp:tbl>`,
  ].join('');
}

function imageXml(block: Extract<Block, { type: 'image' }>, context: BodyContext): string {
  const style = named('caption');
  const said = block.caption === undefined ? '' : textParagraph(block.caption, { style }, context);
  const found = context.pictures.find(block.address);
  if (found !== null) {
    const caption = said === '' ? '' : captionXml(said, Math.round(found.width * 100), false);
    return objectParagraph(pictureXml(found, block.alt ?? '', caption, context.id()), 'picture', context);
  }
  const words = [block.alt, block.text].filter((text) => text !== undefined && text !== '').join('\n');
  return (words === '' ? '' : textParagraph(plain(words), { style: named(context.base) }, context)) + said;
}

const roleStyles = { title: 'title', subtitle: 'subtitle', quote: 'quote' } as const;

function blockXml(block: Block, context: BodyContext): string {
  switch (block.type) {
    case 'heading':
      return textParagraph(block.spans, { style: headingStyle(block.level) }, context);
    case 'paragraph': {
      const { role } = block;
      const name = role === undefined || role === 'contents' ? context.base : roleStyles[role];
      return textParagraph(block.spans, { style: named(name) }, context);
    }
    case 'list':
      return listXml(block, context);
    case 'table':
      return block.cells.length === 0 ? '' : objectParagraph(tableXml(block, context), context.base, context);
    case 'image':
      return imageXml(block, context);
    case 'equation':
      return textParagraph(plain(block.latex), { style: named(context.base) }, context);
    case 'code':
      return block.text === '' ? '' : textParagraph(plain(block.text), { style: named('code') }, context);
    // Notes hang on what refers to them; heads and feet of pages are not running text.
    case 'footnote':
    case 'header':
    case 'footer':
      return '';
  }
}

/** Blocks as paragraphs. */
export const blocksXml = (blocks: readonly Block[], context: BodyContext): string =>
  blocks.map((block) => context.counted(blockXml(block, context))).join('');

/** A note at the foot of the page as a control, with its number before its text. */
export function noteXml({ blocks }: Note, number: number, context: BodyContext): string {
  const inside: BodyContext = { ...context, base: 'note', note: () => null };
  const format = '<hp:autoNumFormat type="DIGIT" userChar="" prefixChar="" suffixChar=")" supscript="0"/>';
  const mark = runOf(
    context.shapes.letter(styleOf('note').letters),
    `<hp:ctrl><hp:autoNum num="${number}" numType="FOOTNOTE">${format}</hp:autoNum></hp:ctrl><hp:t> </hp:t>`,
  );
  const content = blocksXml(blocks, inside);
  const begin = /^<hp:p [^>]*>/.exec(content)?.[0] ?? '';
  const paragraphs =
    begin === '' ? paragraph(mark, { style: named('note') }, context) : begin + mark + content.slice(begin.length);
  return `<hp:ctrl><hp:footNote number="${number}" suffixChar="41" instId="${context.id()}">${subList(paragraphs)}</hp:footNote></hp:ctrl>`;
}
