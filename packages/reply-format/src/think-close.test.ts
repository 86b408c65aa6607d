import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CloseFinder } from './think-close.ts';

/** What stands before the end of thinking, and after it; null where it has none. */
function find(pieces: readonly string[], lineEnds: boolean): readonly [string, string] | null {
  const finder = new CloseFinder(lineEnds);
  let before = '';
  let rest = '';
  for (const [i, piece] of [...pieces, ''].entries()) {
    rest += piece;
    const { end, mark } = finder.find(rest, i === pieces.length);
    before += rest.slice(0, end);
    rest = rest.slice(end);
    if (mark !== null) return [before, rest.slice(mark.length) + pieces.slice(i + 1).join('')];
  }
  expect(before + rest).toBe(pieces.join(''));
  return null;
}

describe('the end of thinking whose opening tag stands in the prompt', () => {
  it.each<[string, boolean, readonly [string, string] | null]>([
    ['a</think>b', false, ['a', 'b']],
    ['a</think>', true, ['a', '']],
    ['"a"</think>b', true, ['"a"', 'b']],
    ['a</thought>b', true, ['a', 'b']],
    ['a<|im_end|>\n<|im_start|>assistant\nb', true, ['a', '\nb']],
    ['a[/THINK]b', false, ['a', 'b']],
    ['"</think>" a', true, null],
    ['a `</think>`', true, null],
    ['“</think>”', false, null],
    ['"</think>', true, ['"', '']],
    ['<think>a</think>b', true, null],
    ['<think>a</think>b</think>c', true, ['<think>a</think>b', 'c']],
    ['a <think> b\n</think>c', true, ['a <think> b\n', 'c']],
    ['a <think> b\n</think>c', false, null],
    ['a\n<think>\nb\n</think>c\n</think>d', true, ['a\n<think>\nb\n</think>c\n', 'd']],
    ['a <thought> b</think>c', false, ['a <thought> b', 'c']],
    ['a </think', true, null],
  ])('is found, or not, in %j', (text, lineEnds, wanted) => {
    expect(find([text], lineEnds)).toEqual(wanted);
    expect(find(text.match(/[^]/g) ?? [], lineEnds)).toEqual(wanted);
  });

  it('is found at the same place however the text is cut', () => {
    const part = fc.constantFrom(
      '<think>',
      '</think>',
      '</thought>',
      '"',
      '`',
      '(',
      ')',
      '\n',
      ' ',
      'a',
      '<',
      '</th',
      'ink>',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.boolean(), (parts, lineEnds) => {
        const whole = find([parts.join('')], lineEnds);
        expect(find(parts, lineEnds)).toEqual(whole);
        expect(find([...parts.join('')], lineEnds)).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });
});
