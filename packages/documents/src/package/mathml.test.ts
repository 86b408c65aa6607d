import { expect, test } from 'vitest';
import { mathmlLatex } from './mathml.ts';
import { parseXml } from './xml.ts';

const namespaces = { 'http://www.w3.org/1998/Math/MathML': 'math' };
const latex = (inner: string): string =>
  mathmlLatex(
    parseXml(Buffer.from(`<math xmlns="http://www.w3.org/1998/Math/MathML">${inner}</math>`), {
      namespaces,
      depth: 100,
      part: 'formula',
    }),
  );
const x = '<mi>x</mi>';
const y = '<mi>y</mi>';
const two = '<mn>2</mn>';

test.each([
  ['indices and powers', `<msub>${x}<mn>0</mn></msub><msup><mi>λ</mi>${two}</msup>`, String.raw`x_{0}\lambda^{2}`],
  ['both', `<msubsup><mrow>${x}<mo>+</mo>${y}</mrow><mi>i</mi>${two}</msubsup>`, '{x+y}_{i}^{2}'],
  [
    'an index of an index',
    `<msub><msub><mrow>${x}<mo>+</mo>${y}</mrow><mi>i</mi></msub><mi>j</mi></msub>`,
    '{{x+y}_{i}}_{j}',
  ],
  ['a fraction', `<mfrac>${x}<mrow>${y}<mo>−</mo><mn>1</mn></mrow></mfrac>`, String.raw`\frac{x}{y-1}`],
  ['a binomial', `<mfrac linethickness="0pt">${x}${y}</mfrac>`, String.raw`\genfrac{}{}{0pt}{}{x}{y}`],
  ['roots', `<msqrt>${x}<mo>+</mo>${y}</msqrt><mroot>${x}<mn>3</mn></mroot>`, String.raw`\sqrt{x+y}\sqrt[3]{x}`],
  [
    'a sum with its limits',
    `<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>${x}`,
    String.raw`\sum_{i=1}^{n} x`,
  ],
  ['a limit', `<munder><mi>lim</mi><mrow>${x}<mo>→</mo><mn>0</mn></mrow></munder>${y}`, String.raw`\lim_{x\to 0} y`],
  ['something above', `<mover>${x}<mo>def</mo></mover>`, String.raw`\overset{\text{ def }}{x}`],
  ['accents', `<mover accent="true">${x}<mo>^</mo></mover><mover>${y}<mo>→</mo></mover>`, String.raw`\hat{x}\vec{y}`],
  ['a line below', `<munder>${x}<mo>_</mo></munder>`, String.raw`\underline{x}`],
  [
    'a matrix in brackets',
    `<mfenced open="[" close="]"><mtable><mtr><mtd><mn>1</mn></mtd><mtd>${two}</mtd></mtr><mtr><mtd>${x}</mtd><mtd>${y}</mtd></mtr></mtable></mfenced>`,
    String.raw`\left[ \begin{matrix} 1 & 2 \\ x & y \end{matrix} \right]`,
  ],
  ['cases', `<mfenced open="{" close="">${x}${y}</mfenced>`, String.raw`\left\{ x, y \right.`],
  ['fences that are signs', `<mo fence="true">{</mo>${x}<mo fence="true">}</mo>`, String.raw`\{x\}`],
  ['fences without a sign', `<mfenced open="" close="">${x}</mfenced>`, 'x'],
  [
    'names of functions and of more than a letter',
    '<mi>sin</mi><mi>θ</mi><mi>speed</mi>',
    String.raw`\sin \theta \mathrm{speed}`,
  ],
  ['faces', '<mi mathvariant="double-struck">R</mi><mi mathvariant="bold">v</mi>', String.raw`\mathbb{R}\mathbf{v}`],
  [
    'Korean words',
    '<mi>속도</mi><mo>≤</mo><mn>5</mn><mtext>이면 참</mtext>',
    String.raw`\text{속도}\le 5\text{이면 참}`,
  ],
  ['words with signs that LaTeX has for itself', '<mtext>5% of {a_b}</mtext>', String.raw`\text{5\% of a\_b}`],
  ['a set of signs', '<mn>50</mn><mo>%</mo><mo>⟨</mo>', String.raw`50\%\langle`],
  [
    'indices before',
    `<mmultiscripts>${x}<mi>a</mi><none/><mprescripts/><mi>b</mi>${two}</mmultiscripts>`,
    '{}_{b}^{2}x_{a}',
  ],
  ['a box', `<menclose notation="box">${x}</menclose>`, String.raw`\boxed{x}`],
  [
    'what is shown, not how it was typed',
    `<semantics><mrow>${x}<mo>=</mo>${y}</mrow><annotation encoding="StarMath 5.0">x = y</annotation></semantics>`,
    'x=y',
  ],
  [
    'the LaTeX of the author',
    `<semantics>${x}<annotation encoding="application/x-tex">\\pi r^2</annotation></semantics>`,
    String.raw`\pi r^2`,
  ],
  ['elements of no standard', `<mfancy>${x}</mfancy>`, 'x'],
  ['nothing', '', ''],
  [
    'parts that are missing',
    '<mfrac/><msub/><msqrt/><munderover/><mtable/>',
    String.raw`\frac{}{}{}\sqrt{}\begin{matrix} \end{matrix}`,
  ],
])('MathML writes %s', (_, inner, expected) => {
  expect(latex(inner)).toBe(expected);
});
