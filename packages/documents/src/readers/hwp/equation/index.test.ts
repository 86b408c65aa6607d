import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { equationToLatex } from './index.ts';

describe('scripts of equations as LaTeX', () => {
  it.each([
    ['1 over 2', '\\frac{1}{2}'],
    ['{a+b} over {a-b}', '\\frac{a+b}{a-b}'],
    ['10a^3 over b^2 times c', '\\frac{10a^{3}}{b^{2}} \\times c'],
    ['x = -b +- sqrt{b^2 -4ac} over 2a', 'x = -b \\pm \\frac{\\sqrt{b^{2} -4ac}}{2a}'],
    ['^3sqrt{x^2 +1}', '\\sqrt[3]{x^{2} +1}'],
    ['root 3 of {x}', '\\sqrt[3]{x}'],
    ['int from 0 to 3 f(x)dx', '\\int_{0}^{3} f(x)dx'],
    ['sum_n=1^N', '\\sum_{n=1}^{N}'],
    ['lim _{x -> 0} {{1} over {x}}', '\\lim_{x \\rightarrow 0} {\\frac{1}{x}}'],
    ['LEFT ( x over 2 RIGHT )', '\\left( \\frac{x}{2} \\right)'],
    ['left { x right .', '\\left\\{ x \\right.'],
    ['bmatrix{a & b # c & d}', '\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}'],
    ['dmatrix{col{a # b} col{c # d}}', '\\begin{vmatrix} a & c \\\\ b & d \\end{vmatrix}'],
    ['cases {2x=4 # y=1}', '\\begin{cases} 2x=4 \\\\ y=1 \\end{cases}'],
    ['a = b # c = d', '\\begin{aligned} a = b \\\\ c = d \\end{aligned}'],
    ['n CHOOSE r', '\\binom{n}{r}'],
    ['x atop y', '\\genfrac{}{}{0pt}{}{x}{y}'],
    ['A REL <-> {+2} {-5} B', 'A \\overset{+2}{\\underset{-5}{\\leftrightarrow}} B'],
    ['not = , not in', '\\neq , \\notin'],
    ['hat AB + vec a + bar{x}', '\\widehat{AB} + \\vec{a} + \\bar{x}'],
    ['alpha Gamma OMEGA vartheta', '\\alpha \\Gamma \\Omega \\vartheta'],
    ['larrow LARROW', '\\leftarrow \\Leftarrow'],
    ['logx+sinx', '\\log x+\\sin x'],
    ['rm 2H_2 O it x', '2\\mathrm{H}_{2} \\mathrm{O}  x'],
    ['{rm A}B', '{\\mathrm{A}}B'],
    ['rmCO _{2} itaq', '\\mathrm{CO}_{2} aq'],
    ['C`_{1}` + log` _2 x`', 'C_{1}\\, + \\log_{2} x'],
    ['x LSUB 2', '{}_{2}x'],
    ['속력 = 거리 over 시간', '\\text{속력} = \\frac{\\text{거리}}{\\text{시간}}'],
    ['"x_1 & y" 100%', '\\text{x\\_1 \\& y} 100\\%'],
    ['LONGDIV {6}{4}{24#0}', '\\begin{array}{r} 4 \\\\ 6\\overline{)24} \\\\ 0 \\end{array}'],
    ['{COLOR {255,0,0} {3}} over 4', '\\frac{{3}}{4}'],
  ])('%s', (script, latex) => {
    expect(equationToLatex(script)).toBe(latex);
  });

  it.each(['', '}', '{', '^', 'over', 'left', 'matrix', '#&', 'constructor', '"'])(
    'comes to something for %j',
    (script) => {
      expect(typeof equationToLatex(script)).toBe('string');
    },
  );

  it('comes to balanced brackets, whatever is written', () => {
    const words = [
      'over',
      'sqrt',
      '{',
      '}',
      '^',
      '_',
      'left (',
      'right )',
      'matrix',
      '#',
      '&',
      'a',
      '12',
      ' ',
      'sum',
      'from',
      'hat',
      'rm',
      'col',
      '한',
      '~',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...words), { maxLength: 60 }),
        fc.constantFrom('', ' '),
        (parts, between) => {
          let depth = 0;
          // `\\\\` ends a line; a bracket after it is one.
          for (const sign of equationToLatex(parts.join(between)).replaceAll(/\\[\\{}]/gu, '')) {
            depth += sign === '{' ? 1 : sign === '}' ? -1 : 0;
            expect(depth).toBeGreaterThanOrEqual(0);
          }
          expect(depth).toBe(0);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is not led astray by deep or long scripts', () => {
    expect(equationToLatex('{'.repeat(15_000)).length).toBeLessThan(40_000);
    expect(equationToLatex('x'.repeat(30_000))).toContain('\\text{');
  });
});
