import { type Block, type ListItem, type Note, type Table, textOf } from '../document.ts';

/** How a place of a list is shown: its mark, and two blanks for every level. */
export const itemText = ({ level, marker, spans }: ListItem): string =>
  `${'  '.repeat(level)}${marker === '' ? '' : `${marker} `}${textOf(spans)}`;

/** What people call a note in the text: its mark, else its id. */
export const noteMark = ({ marker, id }: Note): string => marker ?? id;

/** Rows of cells as text; cells that reach over several places stand in the first. */
export function rowTexts({ rows, columns, cells }: Table, from = 0, to = rows): string[] {
  const lines = Array.from({ length: to - from }, () => Array.from({ length: columns }, () => ''));
  for (const { row, column, blocks } of cells) {
    const line = lines[row - from];
    if (row >= from && row < to && line !== undefined && column < columns)
      line[column] = blocks.map(blockText).join(' ').replaceAll(/\s+/g, ' ').trim();
  }
  return lines.map((line) => line.join('\t').trimEnd());
}

/** The text of a block as a person would read it aloud; empty for what has none. */
export function blockText(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return textOf(block.spans);
    case 'list':
      return block.items.map(itemText).join('\n');
    case 'table':
      return [textOf(block.caption ?? []), ...rowTexts(block)].filter((line) => line !== '').join('\n');
    case 'image':
      return [textOf(block.caption ?? []), block.alt ?? '', block.text ?? ''].filter((line) => line !== '').join('\n');
    case 'equation':
      return block.latex;
    case 'code':
      return block.text;
    case 'footnote':
      return `${noteMark(block)} ${block.blocks.map(blockText).join('\n')}`;
    case 'header':
    case 'footer':
      return block.blocks.map(blockText).join('\n');
  }
}

/** Blocks of the running text: what stands at the edges of pages, and what is hidden, is left out. */
export const isRunning = (block: Block): boolean =>
  block.type !== 'header' && block.type !== 'footer' && block.hidden !== true;

/** What of a document is written. */
export interface TextOptions {
  /** Headers and footers of pages too, once each, where they were first found. */
  readonly margins?: boolean;
}

/** The blocks that are written, in their order. */
export const shownBlocks = (blocks: readonly Block[], { margins = false }: TextOptions = {}): readonly Block[] =>
  blocks.filter((block) => (margins ? block.hidden !== true : isRunning(block)));

/** Plain text: blocks parted by an empty line. */
export const renderText = (blocks: readonly Block[], options?: TextOptions): string =>
  shownBlocks(blocks, options)
    .map(blockText)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
