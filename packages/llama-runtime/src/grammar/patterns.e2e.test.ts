import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { accepts } from './accepts.fixture.ts';
import { areDisjoint, createSearch, textBody } from './patterns.ts';
import { inJson } from './regex-text.ts';
import { UnsupportedPattern } from './regex.ts';
import { Rules } from './rules.ts';

/** Expressions of small parts. */
const expression = fc.letrec<{ any: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', 'c', '.', '\\d', '\\w', '[ab]', '[^a]', '[b-d]', '가', '[^가$|]', '\\$', '"'),
    tie('any').map((inner) => `(${inner})`),
  ),
  any: fc
    .array(fc.tuple(tie('atom'), fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,3}?')), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.map((part) => part.join('')).join(''))
    .chain((first) => fc.constantFrom(first, `${first}|b`, `a|${first}`)),
})).any;
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '1', '가', '"', '$', ' '), maxLength: 7 });

const grammarOf = (rules: Parameters<typeof textBody>[1]): string | null => {
  const all = new Rules();
  const walk = { reserve: (name: string) => all.reserve(name), budget: { left: 20_000 }, write: inJson };
  const body = textBody(walk, rules);
  return body === null ? null : all.text(`"\\"" ${all.rule('text', body)} "\\""`);
};
/** Few expressions of so many make too large a machine. */
function grammarOrSkip(rules: Parameters<typeof textBody>[1]): string | null {
  try {
    return grammarOf(rules);
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
    fc.pre(false);
    throw error;
  }
}
const takes = (grammar: string | null, text: string) => grammar !== null && accepts(grammar, JSON.stringify(text));

describe('regular expressions', () => {
  it('take as a whole what those of the language take', () => {
    fc.assert(
      fc.property(expression, fc.array(word, { minLength: 8, maxLength: 8 }), (source, words) => {
        const grammar = grammarOf({ patterns: [`^(${source})$`], formats: [], min: 0, max: null });
        const expected = new RegExp(`^(${source})$`, 'u');
        for (const text of words)
          expect([source, text, takes(grammar, text)]).toEqual([source, text, expected.test(text)]);
      }),
      { numRuns: 400 },
    );
  });

  it('are found where those of the language are found', () => {
    fc.assert(
      fc.property(
        expression,
        fc.constantFrom('', '^'),
        fc.constantFrom('', '$'),
        fc.array(word, { minLength: 8, maxLength: 8 }),
        (inner, begin, end, words) => {
          const source = `${begin}${inner}${end}`;
          const search = createSearch(source);
          const expected = new RegExp(source, 'u');
          for (const text of words) expect([source, text, search(text)]).toEqual([source, text, expected.test(text)]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('joined with others and with a length take what each takes', () => {
    const rules = fc.record({
      patterns: fc.array(expression, { minLength: 1, maxLength: 2 }).map((all) => all.map((source) => `^(${source})$`)),
      notPatterns: fc.array(expression, { maxLength: 1 }),
      notTexts: fc.array(word, { maxLength: 2 }),
      min: fc.integer({ min: 0, max: 3 }),
      max: fc.option(fc.integer({ min: 3, max: 6 })),
    });
    let taken = 0;
    fc.assert(
      fc.property(
        rules,
        fc.array(word, { minLength: 12, maxLength: 12 }),
        ({ patterns, notPatterns, notTexts, min, max }, words) => {
          const grammar = grammarOrSkip({ patterns, notPatterns, notTexts, formats: [], min, max });
          for (const text of words) {
            const { length } = [...text];
            const expected =
              patterns.every((source) => new RegExp(source, 'u').test(text)) &&
              !notPatterns.some((source) => new RegExp(source, 'u').test(text)) &&
              !notTexts.includes(text) &&
              length >= min &&
              length <= (max ?? length);
            if (expected) taken++;
            expect([text, takes(grammar, text)]).toEqual([text, expected]);
          }
        },
      ),
      { numRuns: times(100, 2_000) },
    );
    // Chance decides how many; none at all would try nothing.
    expect(taken).toBeGreaterThan(0);
  });

  it('that are disjoint have no text in common', () => {
    const budget = { left: 10_000 };
    expect(areDisjoint('^a', '^b', budget)).toBe(true);
    expect(areDisjoint('^[a-m]+$', '^[n-z]+$', budget)).toBe(true);
    expect(areDisjoint('a', 'b', budget)).toBe(false);
    expect(areDisjoint('^a*$', '^b*$', budget)).toBe(false);
  });
});
