import { append } from '../package/append.ts';
import { sentencesOf } from './sentences.ts';
import type { Tokenizer } from './tokens.ts';

/** Cuts texts to pieces that fit: at sentences, else at blanks, else anywhere between letters. Joined, the pieces are the text. */
export function createTextCutter(tokenizer: Pick<Tokenizer, 'count'>) {
  const count = (text: string): number => tokenizer.count(text);

  function cut(text: string, maxTokens: number): string[] {
    if (count(text) <= maxTokens) return [text];
    const parts = sentencesOf(text);
    if (parts.length > 1) return joined(parts, maxTokens);
    const words = text.match(/\S+\s*|\s+/g) ?? [text];
    if (words.length > 1) return joined(words, maxTokens);
    const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
    // A letter may be several tokens; one that is more than fits stays whole.
    if (letters.length === 1) return [text];
    const half = Math.ceil(letters.length / 2);
    return [letters.slice(0, half).join(''), letters.slice(half).join('')].flatMap((part) => cut(part, maxTokens));
  }

  /** As many parts together as fit; a part that does not fit alone is cut. */
  function joined(parts: readonly string[], maxTokens: number): string[] {
    const whole: string[] = [];
    let open = '';
    let tokens = 0;
    for (const part of parts) {
      const more = count(part);
      if (open !== '' && tokens + more > maxTokens) {
        whole.push(open);
        open = '';
        tokens = 0;
      }
      if (more > maxTokens) append(whole, cut(part, maxTokens));
      else {
        open += part;
        tokens += more;
      }
    }
    if (open !== '') whole.push(open);
    return whole;
  }

  return { cut, joined };
}
