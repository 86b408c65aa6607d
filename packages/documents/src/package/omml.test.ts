import { expect, test } from 'vitest';
import { namespaces } from './office-names.ts';
import { parseXml } from './xml.ts';
import { latexOf } from './omml.ts';

const latex = (inner: string): string =>
  latexOf(parseXml(Buffer.from(`<m:oMath>${inner}</m:oMath>`), { namespaces, depth: 100, part: 'math' }));
const r = (text: string, properties = '') => `<m:r>${properties}<m:t>${text}</m:t></m:r>`;
const e = (inner: string) => `<m:e>${inner}</m:e>`;

test.each([
  ['a fraction', `<m:f><m:num>${r('a')}</m:num><m:den>${r('b')}</m:den></m:f>`, '\\frac{a}{b}'],
  [
    'a binomial',
    `<m:d>${e(`<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${r('n')}</m:num><m:den>${r('k')}</m:den></m:f>`)}</m:d>`,
    '\\left( \\genfrac{}{}{0pt}{}{n}{k} \\right)',
  ],
  ['powers', `<m:sSup>${e(r('x'))}<m:sup>${r('2')}</m:sup></m:sSup>`, '{x}^{2}'],
  ['indices', `<m:sSubSup>${e(r('x'))}<m:sub>${r('i')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>`, '{x}_{i}^{2}'],
  ['a square root', `<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/>${e(r('x'))}</m:rad>`, '\\sqrt{x}'],
  ['a cube root', `<m:rad><m:deg>${r('3')}</m:deg>${e(r('x'))}</m:rad>`, '\\sqrt[3]{x}'],
  [
    'a sum',
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup>${e(r('i'))}</m:nary>`,
    '\\sum_{i=1}^{n} i',
  ],
  [
    'brackets',
    `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(r('x'))}${e(r('y'))}</m:d>`,
    '\\left\\{ x | y \\right.',
  ],
  [
    'a matrix',
    `<m:m><m:mr>${e(r('1'))}${e(r('2'))}</m:mr><m:mr>${e(r('3'))}${e(r('4'))}</m:mr></m:m>`,
    '\\begin{matrix} 1 & 2 \\\\ 3 & 4 \\end{matrix}',
  ],
  ['functions', `<m:func><m:fName>${r('sin')}</m:fName>${e(r('θ'))}</m:func>`, '\\sin \\theta'],
  ['accents', `<m:acc><m:accPr><m:chr m:val="&#x20D7;"/></m:accPr>${e(r('v'))}</m:acc>`, '\\vec{v}'],
  ['limits', `<m:limLow>${e(r('lim'))}<m:lim>${r('x→0')}</m:lim></m:limLow>`, '\\lim_{x\\to 0}'],
  ['Korean words and signs', r('속도≤5%'), '\\text{속도}\\le 5\\%'],
  ['text', r('if x', '<m:rPr><m:nor/></m:rPr>'), '\\text{if x}'],
])('%s', (_, xml, expected) => {
  expect(latex(xml)).toBe(expected);
});
