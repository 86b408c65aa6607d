import { type Block, type Note, plain, type Span } from '../document.ts';
import { noteMark } from './text.ts';

/** Calls `each` for all spans and notes of blocks, those within cells, notes and margins too. */
function walk(blocks: readonly Block[], see: { spans: (spans: readonly Span[]) => void; note: (note: Note) => void }) {
  for (const block of blocks) {
    if ('spans' in block) see.spans(block.spans);
    if ('caption' in block && block.caption !== undefined) see.spans(block.caption);
    if (block.type === 'list') for (const { spans } of block.items) see.spans(spans);
    if (block.type === 'table') for (const cell of block.cells) walk(cell.blocks, see);
    if (block.type === 'footnote') see.note(block);
    if ('blocks' in block) walk(block.blocks, see);
  }
}

/** A mark without its brackets, where it can stand in a label. */
const plainMark = ({ marker = '' }: Note): string | null =>
  /^[\p{L}\p{N}*†‡]{1,8}$/u.exec(marker.replaceAll(/[()[\].\s]/gu, ''))?.[0] ?? null;

/** Labels of notes by their ids: the mark where no other note has it, else the mark with a number behind it. */
function labelsOf(notes: readonly Note[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  const labels = new Map<string, string>();
  for (const note of notes) {
    const mark = plainMark(note);
    if (mark === null || labels.has(note.id)) continue;
    const count = (counts.get(mark) ?? 0) + 1;
    counts.set(mark, count);
    labels.set(note.id, count === 1 ? mark : `${mark}-${count}`);
  }
  return labels;
}

const relabelled = (spans: readonly Span[], labels: ReadonlyMap<string, string>): readonly Span[] =>
  spans.some(({ note }) => note !== undefined)
    ? spans.map((span) => (span.note === undefined ? span : { ...span, note: labels.get(span.note) ?? span.note }))
    : spans;

function withLabels(block: Block, labels: ReadonlyMap<string, string>): Block {
  const inner = (blocks: readonly Block[]) => blocks.map((one) => withLabels(one, labels));
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return { ...block, spans: relabelled(block.spans, labels) };
    case 'list':
      return { ...block, items: block.items.map((item) => ({ ...item, spans: relabelled(item.spans, labels) })) };
    case 'table':
      return {
        ...block,
        cells: block.cells.map((cell) => ({ ...cell, blocks: inner(cell.blocks) })),
        ...(block.caption === undefined ? {} : { caption: relabelled(block.caption, labels) }),
      };
    case 'image':
      return block.caption === undefined ? block : { ...block, caption: relabelled(block.caption, labels) };
    case 'footnote':
      return { ...block, id: labels.get(block.id) ?? block.id, blocks: inner(block.blocks) };
    case 'header':
    case 'footer':
      return { ...block, blocks: inner(block.blocks) };
    default:
      return block;
  }
}

/** A note that nothing refers to, as text: its mark before its first paragraph. */
function asText(note: Note): readonly Block[] {
  const mark = note.marker === undefined ? '' : `${noteMark(note)} `;
  const [first, ...rest] = note.blocks;
  if (mark === '' || first?.type !== 'paragraph') return [...plainBlocks(mark, note), ...note.blocks];
  return [{ ...first, spans: [{ text: mark }, ...first.spans] }, ...rest];
}

const plainBlocks = (mark: string, { page }: Note): readonly Block[] =>
  mark === '' ? [] : [{ type: 'paragraph', page, spans: plain(mark.trim()) }];

/**
 * Blocks whose notes bear what stands for them in the text as their id (`1` for the mark `1)`), so that Markdown links `[^1]` to its
 * note. Notes among them that nothing refers to become text.
 */
export function labelNotes(blocks: readonly Block[]): readonly Block[] {
  const notes: Note[] = [];
  const referred = new Set<string>();
  walk(blocks, {
    spans: (spans) => {
      for (const { note } of spans) if (note !== undefined) referred.add(note);
    },
    note: (note) => notes.push(note),
  });
  if (notes.length === 0) return blocks;
  const labels = labelsOf(notes);
  return blocks
    .flatMap((block) => (block.type === 'footnote' && !referred.has(block.id) ? asText(block) : [block]))
    .map((block) => withLabels(block, labels));
}
