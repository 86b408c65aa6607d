import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern, MAX_SEARCHED_LENGTH } from './index.ts';
import { times } from '../../../../test/support/long.ts';

describe('patterns', () => {
  test.each([
    ['^A-\\d{3,4}$', ['A-123', 'A-1234'], ['A-12', 'A-12345', 'xA-123']],
    ['연차|휴가', ['내 연차는?', '휴가'], ['연 차']],
    ['(?i)refund', ['REFUND please', 'a Refund'], ['fund']],
    ['[^\\]가-힣]', ['a', '가나!'], ['가나', ']']],
    ['\\bcat\\b', ['a cat.', 'cat'], ['concat', 'cats']],
    ['^$', [''], [' ']],
    ['(?<word>ab)+c?', ['xabab', 'ab'], ['ba']],
    ['^\\p{L}+\\u{1F600}$', ['가😀', 'é😀'], ['1😀']],
    ['a.c', ['abc', 'a😀c'], ['a\nc', 'ac']],
    ['^(a{0}|b{2})$', ['', 'bb'], ['a', 'b']],
    ['x*?y', ['y', 'xxy'], ['x']],
    ['\\/\\.', ['a/.b'], ['/b']],
  ])('%s is found where it stands', (source, found, absent) => {
    const pattern = compilePattern(source);
    expect(found.filter((text) => !pattern.test(text))).toEqual([]);
    expect(absent.filter((text) => pattern.test(text))).toEqual([]);
  });

  test.each(['(a', '[', 'a**', '(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', 'a{600}', '\\', '{'])(
    '%s is refused',
    (source) => {
      expect(() => compilePattern(source)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    },
  );

  test('patterns that run away elsewhere end at once', () => {
    const long = `${'a'.repeat(MAX_SEARCHED_LENGTH - 1)}!`;
    for (const source of ['^(a+)+$', '(a|aa)*$', '(.*a){10}b', '^(a?){30}a{30}b$', '((a*)*)*b'])
      expect(compilePattern(source).test(long)).toBe(source === '(a|aa)*$');
  });

  test('neither size nor depth nor empty groups stop the service', () => {
    expect(() => compilePattern('(((a{99}){99}){99}){99}')).toThrow(/too large/);
    expect(() => compilePattern(`${'('.repeat(400)}a${')'.repeat(400)}`)).toThrow(/deep/);
    expect(() => compilePattern('a'.repeat(1_001))).toThrow(/at most/);
    expect(compilePattern('^(?:){999999999}a').test('a')).toBe(true);
    expect(compilePattern('(){0,99}').test('')).toBe(true);
    expect(() => compilePattern('(?:){0,999999999}')).toThrow(/too large/);
  });

  test('only the beginning of a long text is looked at', () => {
    expect(compilePattern('b').test(`${'a'.repeat(MAX_SEARCHED_LENGTH)}b`)).toBe(false);
  });

  test('any pattern finds what the engine finds', () => {
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '^', '$', '\\b', '\\w', 'é'),
        fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => one + other),
        fc.tuple(tie('expression'), tie('expression')).map(([one, other]) => `(${one}|${other})`),
        fc
          .tuple(tie('expression'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
          .map(([one, sign]) => `(?:${one})${sign}`),
      ),
    }));
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '\n'), maxLength: 8 });
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const native = new RegExp(source, 'u');
        let pattern: ReturnType<typeof compilePattern>;
        try {
          pattern = compilePattern(source);
        } catch {
          return;
        }
        for (const one of texts)
          expect(pattern.test(one), `${source} in ${JSON.stringify(one)}`).toBe(native.test(one));
      }),
      { numRuns: times(400, 2_000) },
    );
  });
});
