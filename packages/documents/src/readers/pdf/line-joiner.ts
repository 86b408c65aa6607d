import type { Line } from './lines.ts';

/** The text of a line or a paragraph, as its end is seen from what follows. */
interface Ended {
  readonly text: string;
  /** A blank is kept at its end. */
  readonly openEnd: boolean;
}

/** A syllable alone that ends sentences or marks cases does not begin a word. */
const loneEnding = /^(?:다|요|은|는|이|가|을|를|의|에|로|와|과|도|며|고|게|지|함|음|임|됨|든|던)[.,]?$/;
/** What `나` alone ends: `거나`, `이나`, `하나`. It may be a word of its own elsewhere. */
const beforeLoneNa = /(?:거|이|으|하|되)$/;
/** Words that end so are whole: particles, endings and nouns that stand for others. */
const wholeWord =
  /(?:[은는을를의에로와과도며고서만게지]|에서|으로|부터|까지|하는|되는|있는|없는|한|할|된|될|및|등|수|것)$/;
/** Ends of lines that say how a document parts words: fewer are chance. */
const MIN_WITNESSES = 4;
/** Of the ends whose words stand elsewhere too, so many are within words where lines break at any letter: a half or more of them would be. */
const MIN_BROKEN_SHARE = 0.4;

/** A line with its place, as far as it says how lines end. */
type PlacedLine = Pick<Line, 'text' | 'openEnd' | 'base' | 'x0' | 'size'>;

/** The next line of one column, where the first keeps no blank at its end. */
const isBelow = (above: PlacedLine, below: PlacedLine): boolean =>
  !above.openEnd && below.base > above.base && Math.abs(below.x0 - above.x0) < 3 * above.size;

/** How the language of a document parts its lines, learnt page by page. */
export class LineJoiner {
  readonly #words = new Map<string, number>();
  #open = 0;
  #closed = 0;
  /** Ends of lines that are known to part a word, and those that stand between two. */
  #broken = 0;
  #whole = 0;

  learn(lines: readonly PlacedLine[]): void {
    for (const line of lines) {
      if (!/[가-힣]/.test(line.text)) continue;
      if (line.openEnd) this.#open++;
      else this.#closed++;
      const words = line.text.split(' ');
      if (this.#words.size > 20_000) continue;
      for (const word of words.slice(1, -1)) this.#words.set(word, (this.#words.get(word) ?? 0) + 1);
    }
    for (const [at, line] of lines.entries()) {
      const next = lines[at + 1];
      if (next !== undefined && isBelow(line, next)) this.#witness(line.text, next.text);
    }
  }

  /** Counts an end of a line whose words stand elsewhere too: as one, or as two. */
  #witness(above: string, below: string): void {
    if (!/[가-힣]$/.test(above) || !/^[가-힣]/.test(below)) return;
    const { last, first } = wordsAt(above, below);
    if (this.#words.has(last + first)) this.#broken++;
    else if (this.#words.has(last) && this.#words.has(first)) this.#whole++;
  }

  /** What stands between a line and the next one: nothing, a blank, or null for a hyphen that goes. */
  between(
    above: Ended,
    below: Pick<Ended, 'text'>,
    { ragged, room }: { ragged: boolean; room: boolean },
  ): '' | ' ' | null {
    const [end, start] = [above.text.at(-1) ?? '', below.text.at(0) ?? ''];
    if (/[-\u2010]/.test(end) && /\p{Ll}[-\u2010]$/u.test(above.text) && /^\p{Ll}/u.test(start)) return null;
    // The next word would have had room: the line was ended on purpose.
    if (above.openEnd || room) return ' ';
    if (/[\u3040-\u30FF\u4E00-\u9FFF]/.test(end) && /[\u3040-\u30FF\u4E00-\u9FFF]/.test(start)) return '';
    if (!/[가-힣]/.test(end) || !/[가-힣]/.test(start)) {
      if (/[/_([{「『‘“]$/.test(end) || /^[)\]}」』’”.,]/.test(start)) return '';
      // Where blanks at ends of lines are kept, none means that a word goes on, in Korean text.
      return this.#keepsBlanks && /[\p{L}\p{N}]/u.test(end) && /[\p{L}\p{N}]/u.test(start) ? '' : ' ';
    }
    // No word begins so: it ends the last one of a sentence.
    if (this.#keepsBlanks || /^(?:다|요)[.?!]/.test(below.text)) return '';
    if (ragged && !this.#breaksWords) return ' ';
    return this.#wordGoesOn(above.text, below.text) ? '' : ' ';
  }

  get #keepsBlanks(): boolean {
    return this.#open >= 3 && this.#open > 0.12 * (this.#open + this.#closed);
  }

  /** Lines end at any letter, and not between words. */
  get #breaksWords(): boolean {
    const all = this.#broken + this.#whole;
    return all >= MIN_WITNESSES && this.#broken > MIN_BROKEN_SHARE * all;
  }

  #wordGoesOn(above: string, below: string): boolean {
    const { last, first } = wordsAt(above, below);
    const together = this.#words.get(last + first) ?? 0;
    if (together > 0) return true;
    if ((this.#words.get(last) ?? 0) > 0) return false;
    if (loneEnding.test(first) || (first === '나' && beforeLoneNa.test(last))) return true;
    if (wholeWord.test(last)) return false;
    return last.length === 1 || (this.#breaksWords && !this.#words.has(first));
  }
}

/** The last word of a line and the first of the next one. */
function wordsAt(above: string, below: string): { readonly last: string; readonly first: string } {
  const gap = below.indexOf(' ');
  return { last: above.slice(above.lastIndexOf(' ') + 1), first: gap === -1 ? below : below.slice(0, gap) };
}
