import { expect, test } from 'vitest';
import type { NativeModel } from './native.ts';
import { createTextStream, createVocabulary } from './tokens.ts';

const BPE = 2;
/** Source: llama.h, `llama_token_attr`. */
const NORMAL = 1 << 2;
const BYTE = 1 << 5;

/** A vocabulary of the longest tokens first, as far as the text goes; a fake of the runtime's. */
function vocabularyOf(tokens: readonly string[], writes: (text: string) => string) {
  const model = {
    getVocabularyType: () => BPE,
    getTokenString: (token: number) => tokens[token] ?? '',
    getTokenAttributes: (token: number) => (/^<0x/.test(tokens[token] ?? '') ? BYTE : NORMAL),
    isEogToken: () => false,
    shouldPrependBosToken: () => false,
    shouldAppendEosToken: () => false,
    tokenize(text: string) {
      const found: number[] = [];
      for (let rest = writes(text); rest !== '';) {
        const best = tokens.reduce((a, one) => (rest.startsWith(one) && one.length > a.length ? one : a), '');
        if (best !== '') found.push(tokens.indexOf(best));
        rest = rest.slice(best.length || 1);
      }
      return Uint32Array.from(found);
    },
  } as unknown as NativeModel;
  const vocabulary = createVocabulary(model, { size: tokens.length, bos: null, eos: null, sep: null });
  return (text: string) => {
    const stream = createTextStream(vocabulary);
    return [...vocabulary.tokenizePart(text)].map((token) => stream.push(token)).join('') + stream.end();
  };
}

test('tokens of a vocabulary of texts are these texts, also where each of their letters might stand for a byte', () => {
  const read = vocabularyOf(['▁20', '°', 'C', 'é', 'ü', '¡', '▁', '한', '<0xC3>', '<0xB1>'], (text) =>
    text.replaceAll(' ', '▁'),
  );
  for (const text of [' 20°C', 'é', '¡ü', '한 é']) expect(read(text)).toBe(text);
});

test('tokens of a vocabulary of bytes are bytes', () => {
  // Source: GPT-2, `bytes_to_unicode`: a space is Ġ, the bytes of ° are Â and °, those of é Ã and ©.
  const written = { ' ': 'Ġ', '°': 'Â°', é: 'Ã©' } as Readonly<Record<string, string>>;
  const read = vocabularyOf(['Ġ20', 'Â', '°', 'C', 'Ã©', 'Ã', '©'], (text) =>
    [...text].map((one) => written[one] ?? one).join(''),
  );
  for (const text of [' 20°C', 'é']) expect(read(text)).toBe(text);
});
