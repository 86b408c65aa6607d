import type { Block, Document } from '../document.ts';
import { blockMarkdown } from '../render/markdown.ts';
import { blockText, isRunning } from '../render/text.ts';
import { labelKey } from './labels.ts';
import { cellPlace, type Place, placeOf } from './places.ts';

/** The place of a quotation. */
export type QuotePlace = Place;

/** Letters of a document by which a quotation is found again: models write blanks and signs of their own. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{P}\p{S}]+/gu, '');

const shown = ({ blocks }: Pick<Document, 'blocks'>): readonly Block[] => blocks.filter(isRunning);

/**
 * The passages of a document that a model is shown, in their order, and at most so many UTF-16 units: those first that hold one of these
 * words, then those from the beginning.
 */
export function passagesFor(
  document: Pick<Document, 'blocks'>,
  words: readonly string[],
  maxLength: number,
): { readonly text: string; readonly whole: boolean } {
  const texts = shown(document).map((block) => blockMarkdown(block));
  const keys = words.map(labelKey).filter((key) => key.length > 1);
  const isNamed = texts.map((text) => {
    const letters = keys.length === 0 ? '' : lettersOf(text);
    return keys.some((key) => letters.includes(key));
  });
  const kept = new Set<number>();
  let left = maxLength;
  for (const named of [true, false])
    for (const [at, text] of texts.entries()) {
      if (isNamed[at] !== named || text.length > left) continue;
      kept.add(at);
      left -= text.length + 2;
    }
  return { text: texts.filter((_, at) => kept.has(at)).join('\n\n'), whole: kept.size === texts.length };
}

/** The cell that holds these letters, of those within it the inmost; else the block itself. */
function placeIn(block: Block, letters: string): Place {
  let place = placeOf(block);
  for (let table: Block = block; table.type === 'table';) {
    const cell = table.cells.find(({ blocks }) => lettersOf(blocks.map(blockText).join('\n')).includes(letters));
    if (cell === undefined) break;
    place = cellPlace(cell, place);
    const inner = cell.blocks.find((one) => one.type === 'table' && lettersOf(blockText(one)).includes(letters));
    if (inner === undefined) break;
    table = inner;
  }
  return place;
}

/** Where each of these quotations stands first; null for one that the document does not hold. */
export function placesOf(document: Pick<Document, 'blocks'>, quotes: readonly string[]): (QuotePlace | null)[] {
  const wanted = quotes.map(lettersOf);
  const places: (QuotePlace | null)[] = quotes.map(() => null);
  for (const block of shown(document)) {
    const letters = lettersOf(blockText(block));
    for (const [at, quote] of wanted.entries())
      if (places[at] === null && quote !== '' && letters.includes(quote)) places[at] = placeIn(block, quote);
  }
  return places;
}
