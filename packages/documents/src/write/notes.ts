import type { Block, Note, Span } from '../document.ts';

/** Notes of a document: those that its text refers to hang there, the rest stands at its end. */
export interface Notes {
  /** Of a document without its notes. */
  readonly blocks: readonly Block[];
  /** The note that is referred to, once: a second reference to it is its mark alone. Null where there is none. */
  take(id: string): Note | null;
}

const spansOf = (block: Block): readonly Span[] => {
  if ('spans' in block) return block.spans;
  if (block.type === 'list') return block.items.flatMap(({ spans }) => spans);
  if (block.type === 'table') return block.cells.flatMap(({ blocks }) => blocks.flatMap(spansOf));
  return 'blocks' in block ? block.blocks.flatMap(spansOf) : [];
};

/** Takes the notes out of the blocks. No word is lost: those that nothing refers to become text. */
export function notesOf(blocks: readonly Block[]): Notes {
  const notes = new Map<string, Note>();
  for (const block of blocks) if (block.type === 'footnote') notes.set(block.id, block);
  const running = blocks.filter(({ type }) => type !== 'footnote');
  const meant = new Set(running.flatMap(spansOf).flatMap(({ note }) => (note === undefined ? [] : [note])));
  const rest = [...notes.values()].filter(({ id }) => !meant.has(id));
  return {
    blocks: [...running, ...rest.flatMap(({ blocks: own }) => own)],
    take(id) {
      const found = notes.get(id) ?? null;
      notes.delete(id);
      return found;
    },
  };
}
