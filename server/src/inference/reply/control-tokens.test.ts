import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import { ControlTokenFilter } from './control-tokens.ts';

const tokens = ['<|im_end|>', '<｜끝｜>', '[|stop|]'];

/** What is left of a text that comes in pieces, those that pass undecoded as they are. */
function clean(pieces: readonly string[]): string {
  const filter = new ControlTokenFilter(tokens);
  let out = '';
  for (const json of pieces.map(toJsonText))
    out += filter.passes(json) ? fromJsonText(json) : filter.push(fromJsonText(json));
  return out + filter.end();
}

describe('control tokens', () => {
  it.each([
    ['a<|im_end|>b', 'ab'],
    ['<｜끝｜>a [1] <b>', 'a [1] <b>'],
    ['a<|im', 'a<|im'],
    [`${'긴 글 <b> [1] '.repeat(100)}<|im_end|>`, '긴 글 <b> [1] '.repeat(100)],
    [`${'<p>글</p>'.repeat(200)}<｜끝｜>x`, `${'<p>글</p>'.repeat(200)}x`],
    [`${'<p>글</p>'.repeat(200)}<｜끝`, `${'<p>글</p>'.repeat(200)}<｜끝`],
  ])('are taken out of %j wherever it is cut', (text, wanted) => {
    expect(clean([text])).toBe(wanted);
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 5 }), (places) => {
        const at = [0, ...places.toSorted((a, b) => a - b), text.length];
        expect(clean(at.slice(1).map((to, i) => text.slice(at[i], to)))).toBe(wanted);
      }),
      { numRuns: 200 },
    );
  });

  it('cost a text without any nothing but a look', () => {
    const passes = (text: string) => new ControlTokenFilter(tokens).passes(toJsonText(text));
    expect(passes('글 <b>')).toBe(false);
    expect(passes('글')).toBe(true);
    expect(passes('<p>글</p>'.repeat(200))).toBe(true);
    expect(passes(`${'<p>글</p>'.repeat(200)}<`)).toBe(false);
    expect(new ControlTokenFilter([]).passes(toJsonText('<b>'))).toBe(true);
  });
});
