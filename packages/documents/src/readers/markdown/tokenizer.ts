import { dateLine } from '@ai-studio/contract/utilities/date-line.ts';
import { type MarkedOptions, Tokenizer, type Tokens } from 'marked';

// What CommonMark takes for marks and Koreans write as text: dates in lines of their own, ranges, and emphasis that a particle follows.

/** The mark that an item begins with: the sign, or what stands behind its number. */
const ITEM_LINE = /^ {0,3}(?:([*+-])|\d{1,9}([.)]))(?:[ \t]|$)/;
/** Other blocks, which end a list where they stand at its beginning. */
const OTHER_LINE = /^ ?(?:#|>|`{3}|~{3})/;

const markOf = (line: string): string | undefined => {
  const [, sign, behind] = ITEM_LINE.exec(line) ?? [];
  return sign ?? behind;
};

/**
 * Where the first line of a list stands that begins with a date at its own level; the length of the text where there is none. Lines are
 * looked at as far as they may belong to the list, so that all lists of a text take as long as it has lines.
 */
function dateLineIn(text: string, mark: string): number {
  let isBehindBlank = false;
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    if (!/^ {2}/.test(line)) {
      if (dateLine.test(line)) return at;
      const own = markOf(line);
      if (OTHER_LINE.test(line) || (own === undefined ? isBehindBlank && line !== '' : own !== mark)) break;
    }
    isBehindBlank = line.trim() === '';
    if (end < 0) break;
    at = end + 1;
  }
  return text.length;
}

const SYLLABLE = String.raw`[\u3131-\u318E\u3400-\u9FFF\u3040-\u30FF\uAC00-\uD7A3]`;
const endsWithSyllable = new RegExp(`${SYLLABLE}$`, 'u');
/** A syllable behind stars that stand behind the end of a quote, a bracket or a sentence. */
const behindStars = new RegExp(String.raw`(?<=\S[)\]}"'”’」』】》〉>.,!?%:;…]\*{1,3})${SYLLABLE}`, 'gu');

/** The rules of CommonMark but for those that Korean text breaks. */
export class KoreanTokenizer extends Tokenizer {
  /** The text that was looked through last, and the places of syllables behind stars in it. */
  #looked = '';
  #places: readonly number[] = [];

  #syllablesIn(text: string): readonly number[] {
    if (text !== this.#looked) {
      this.#looked = text;
      this.#places = Array.from(text.matchAll(behindStars), ({ index }) => index);
    }
    return this.#places;
  }

  override list(src: string): Tokens.List | undefined {
    const line = src.split('\n', 1)[0] ?? '';
    const mark = markOf(line);
    if (mark === undefined || dateLine.test(line)) return undefined;
    return super.list(src.slice(0, dateLineIn(src, mark)));
  }

  /** One wave is a range (`10~20명`); two strike out. */
  override del(src: string, maskedSrc: string, prevChar?: string): Tokens.Del | undefined {
    return src.startsWith('~~') ? super.del(src, maskedSrc, prevChar) : undefined;
  }

  /**
   * Emphasis may begin before a sign and end behind one where a syllable is on the other side, as in `**"굵게"**는`: Korean has no blank
   * there, which the rule about signs takes for granted. `maskedSrc` only says where marks are.
   */
  override emStrong(src: string, maskedSrc: string, prevChar = ''): Tokens.Em | Tokens.Strong | undefined {
    if (!src.startsWith('*')) return super.emStrong(src, maskedSrc, prevChar);
    const stars = /^\*+/.exec(src)?.[0].length ?? 1;
    // A syllable right behind these stars is what they begin with.
    const inside = maskedSrc.length - src.length + stars + 1;
    let masked = '';
    for (const at of this.#syllablesIn(maskedSrc)) if (at >= inside) masked += `${maskedSrc.slice(masked.length, at)} `;
    return super.emStrong(
      src,
      masked + maskedSrc.slice(masked.length),
      endsWithSyllable.test(prevChar) ? '' : prevChar,
    );
  }
}

/** LaTeX between dollars, as Pandoc finds it: no blank within, and no figure behind. */
const FORMULA_TEXT = /^(?:\$\$[^$]{1,4000}\$\$|\$(?![\s$])[^$\n]{0,1000}[^$\s\\]\$(?!\d))/u;

/** Takes formulas as they are written: none of their signs is a mark. */
export const formulas: NonNullable<MarkedOptions['extensions']> = {
  renderers: {},
  childTokens: {},
  startInline: [(src) => src.indexOf('$')],
  inline: [
    (src) => {
      const [text] = FORMULA_TEXT.exec(src) ?? [];
      return text === undefined ? undefined : { type: 'formula', raw: text, text };
    },
  ],
};
