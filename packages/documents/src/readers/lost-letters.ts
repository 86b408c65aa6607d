import { type Block, type Span, type Warning, textOf } from '../document.ts';
import { rawRuns, rawText } from './raw-xml.ts';

/** Fewer letters, or a smaller share of them, are left out on purpose somewhere. */
const MIN_LOST_LETTERS = 20;
const MIN_LOST_SHARE = 0.02;

/** Texts whose letters are counted once, however often they stand in a file. */
const MIN_KNOWN_LENGTH = 500;
const MAX_KNOWN = 200;

/** What is not counted: blanks, or all but letters where figures, numbers and marks are written otherwise than they are shown. */
const uncounted = { blanks: /\s+/gu, 'all but letters': /\P{L}+/gu } as const;
type Uncounted = keyof typeof uncounted;

const isLatin = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;
const isSyllable = (code: number) => code >= 0xac00 && code <= 0xd7a3;

/** Units of a text that are counted: one by one where they are those of most texts, in a quarter of the time of a pattern. */
function countUnits(text: string, without: Uncounted): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSyllable(code) || isLatin(code)) count++;
    else if (code > 0x7f) return count + text.slice(at).replaceAll(uncounted[without], '').length;
    else if (without === 'blanks' && code !== 32 && (code < 9 || code > 13)) count++;
  }
  return count;
}

/** Compares the letters that a file holds with those that its reader came to. */
export class LetterCount {
  readonly #without: Uncounted;
  /** Of long texts, which many cells may show. */
  readonly #known = new Map<string, number>();
  #held = 0;
  #seen = 0;

  constructor(without: Uncounted = 'blanks') {
    this.#without = without;
  }

  #count(text: string): number {
    const known = text.length < MIN_KNOWN_LENGTH ? undefined : this.#known.get(text);
    if (known !== undefined) return known;
    const count = countUnits(text, this.#without);
    if (text.length >= MIN_KNOWN_LENGTH && this.#known.size < MAX_KNOWN) this.#known.set(text, count);
    return count;
  }

  /** Text that the file holds. */
  held(text: string): void {
    this.#held += this.#count(text);
  }

  /** Text that was read, also where it is left out for a reason, such as deleted words. */
  seen(text: string): void {
    this.#seen += this.#count(text);
  }

  /** What is to be said where a part of the text was not read. */
  warnings(): readonly Warning[] {
    const lost = this.#held - this.#seen;
    if (this.#held === 0 || lost <= 0) return [];
    const share = lost / this.#held;
    if (this.#seen > 0 && (lost < MIN_LOST_LETTERS || share < MIN_LOST_SHARE)) return [];
    const percent = Math.max(1, Math.round(share * 100));
    return [
      {
        code: 'text_not_read',
        message: `About ${percent} % of the letters that the file holds stand where they are not read; text is missing.`,
      },
    ];
  }
}

/** Counts the letters in the runs of text of an XML part. */
export function countRuns(count: LetterCount, part: Uint8Array): void {
  for (const run of rawRuns(rawText(part) ?? '')) count.held(run);
}

/** Formulas are written otherwise than they are read; fields and marks of notes are shown in the place of other words. */
const wordsOf = (spans: readonly Span[]): string =>
  textOf(spans.filter(({ math, field, note }) => math !== true && field === undefined && note === undefined));

/** Says the words of blocks; not those of headers and footers, which are left out where pages share them. */
function sayWords(blocks: readonly Block[], say: (text: string) => void): void {
  // A cell that the file repeats stands in the table many times and in the file once.
  const cells = new Set<readonly Block[]>();
  const visit = (block: Block): void => {
    if ('caption' in block) say(wordsOf(block.caption ?? []));
    if ('spans' in block) say(wordsOf(block.spans));
    else if (block.type === 'list') for (const { marker, spans } of block.items) say(`${marker} ${wordsOf(spans)}`);
    else if (block.type === 'table') {
      for (const cell of block.cells) {
        if (!cells.has(cell.blocks)) for (const inner of cell.blocks) visit(inner);
        cells.add(cell.blocks);
      }
    } else if (block.type === 'code' || block.type === 'image') say(block.text ?? '');
    else if (block.type === 'footnote') for (const inner of block.blocks) visit(inner);
  };
  for (const block of blocks) visit(block);
}

/** Counts the words of blocks as read. */
export const countBlocks = (count: LetterCount, blocks: readonly Block[]): void =>
  sayWords(blocks, (text) => count.seen(text));

/** Counts the words of blocks as held, whose file has said itself what was not read of it. */
export const countInnerBlocks = (count: LetterCount, blocks: readonly Block[]): void =>
  sayWords(blocks, (text) => count.held(text));
