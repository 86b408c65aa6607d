import { type Block, textOf } from '../src/document.ts';

/** Blocks as short lines, for what is only about their kind and their words. */
export const brief = (blocks: readonly Block[]): readonly string[] =>
  blocks.flatMap((block) => {
    switch (block.type) {
      case 'heading':
        return [`h${block.level} ${textOf(block.spans)}`];
      case 'paragraph':
        return [`${block.role ?? 'p'} ${textOf(block.spans)}`];
      case 'list':
        return block.items.map(({ level, marker, spans }) => `l${level} ${marker} ${textOf(spans)}`);
      case 'table':
        return [`t ${block.cells.map((one) => brief(one.blocks).join(' / ')).join(' | ')}`];
      case 'equation':
        return [`e ${block.latex}`];
      case 'code':
        return [`c ${block.text}`];
      case 'image':
        return [`i ${block.alt ?? ''}`];
      case 'footnote':
        return [`${block.kind} ${block.marker ?? ''} ${brief(block.blocks).join(' / ')}`];
      case 'header':
      case 'footer':
        return [`${block.type} ${brief(block.blocks).join(' / ')}`];
    }
  });
