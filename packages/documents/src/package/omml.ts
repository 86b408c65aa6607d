import { attributeOf, childOf, childrenOf, type XmlElement } from './xml.ts';
import { accents, asText, fences, functions, group, koreanAsText, latexText, operators } from './latex.ts';

// Office's mathematics to LaTeX. Source: ECMA-376 part 1, 22.1.

const value = (properties: XmlElement | undefined, name: string): string | undefined =>
  attributeOf(childOf(properties, name), 'm:val');
const isOn = (properties: XmlElement | undefined, name: string): boolean => {
  const element = childOf(properties, name);
  return element !== undefined && !/^(?:0|off|false)$/.test(attributeOf(element, 'm:val') ?? '1');
};

const child = (element: XmlElement, name: string): string => inside(childOf(element, name));
const arg = (element: XmlElement, name: string): string => group(child(element, name));

function run(element: XmlElement): string {
  const text = [...childrenOf(element)]
    .filter(({ name }) => name === 'm:t' || name === 'w:t')
    .flatMap(({ children }) => children.filter((one) => typeof one === 'string'))
    .join('');
  const properties = childOf(element, 'm:rPr');
  if (isOn(properties, 'm:nor')) return asText(text);
  const bare = text.trim();
  if (functions.has(bare)) return `\\${bare} `;
  const words = koreanAsText(latexText(text));
  const style = value(properties, 'm:scr');
  if (style === 'double-struck') return `\\mathbb{${words}}`;
  if (style === 'script') return `\\mathcal{${words}}`;
  return value(properties, 'm:sty') === 'b' ? `\\mathbf{${words}}` : words;
}

function fenced(element: XmlElement): string {
  const properties = childOf(element, 'm:dPr');
  const open = value(properties, 'm:begChr') ?? '(';
  const close = value(properties, 'm:endChr') ?? ')';
  const between = value(properties, 'm:sepChr') ?? '|';
  const parts = [...childrenOf(element, 'm:e')].map((one) => inside(one).trim());
  const fence = (sign: string): string => fences[sign] ?? sign;
  return `\\left${fence(open)} ${parts.join(` ${between} `)} \\right${fence(close)}`;
}

function operator(element: XmlElement): string {
  const properties = childOf(element, 'm:naryPr');
  const sign = value(properties, 'm:chr') ?? '∫';
  const sub = isOn(properties, 'm:subHide') ? '' : child(element, 'm:sub').trim();
  const sup = isOn(properties, 'm:supHide') ? '' : child(element, 'm:sup').trim();
  const command = operators[sign] ?? latexText(sign).trim();
  return `${command}${sub === '' ? '' : `_{${sub}}`}${sup === '' ? '' : `^{${sup}}`} ${child(element, 'm:e').trim()}`;
}

function matrix(element: XmlElement): string {
  const rows = [...childrenOf(element, 'm:mr')].map((row) =>
    [...childrenOf(row, 'm:e')].map((cell) => inside(cell).trim()).join(' & '),
  );
  return `\\begin{matrix} ${rows.join(' \\\\ ')} \\end{matrix}`;
}

function root(element: XmlElement): string {
  const degree = isOn(childOf(element, 'm:radPr'), 'm:degHide') ? '' : child(element, 'm:deg').trim();
  return `\\sqrt${degree === '' ? '' : `[${degree}]`}${arg(element, 'm:e')}`;
}

function fraction(element: XmlElement): string {
  const type = value(childOf(element, 'm:fPr'), 'm:type');
  if (type === 'lin') return `${arg(element, 'm:num')}/${arg(element, 'm:den')}`;
  if (type === 'noBar') return `\\genfrac{}{}{0pt}{}${arg(element, 'm:num')}${arg(element, 'm:den')}`;
  return `\\frac${arg(element, 'm:num')}${arg(element, 'm:den')}`;
}

const isTop = (element: XmlElement, properties: string): boolean =>
  value(childOf(element, properties), 'm:pos') === 'top';

const elements: Readonly<Record<string, (element: XmlElement) => string>> = {
  'm:r': run,
  'm:f': fraction,
  'm:rad': root,
  'm:d': fenced,
  'm:nary': operator,
  'm:m': matrix,
  'm:sSup': (element) => `${arg(element, 'm:e')}^${arg(element, 'm:sup')}`,
  'm:sSub': (element) => `${arg(element, 'm:e')}_${arg(element, 'm:sub')}`,
  'm:sSubSup': (element) => `${arg(element, 'm:e')}_${arg(element, 'm:sub')}^${arg(element, 'm:sup')}`,
  'm:sPre': (element) => `{}_${arg(element, 'm:sub')}^${arg(element, 'm:sup')}${arg(element, 'm:e')}`,
  'm:func': (element) => `${child(element, 'm:fName').trim()} ${child(element, 'm:e')}`,
  'm:acc': (element) =>
    `${accents[value(childOf(element, 'm:accPr'), 'm:chr') ?? '\u0302'] ?? '\\hat'}${arg(element, 'm:e')}`,
  'm:bar': (element) => `${isTop(element, 'm:barPr') ? '\\overline' : '\\underline'}${arg(element, 'm:e')}`,
  'm:groupChr': (element) => `${isTop(element, 'm:groupChrPr') ? '\\overbrace' : '\\underbrace'}${arg(element, 'm:e')}`,
  'm:limLow': (element) => `${child(element, 'm:e').trim()}_${arg(element, 'm:lim')}`,
  'm:limUpp': (element) => `${child(element, 'm:e').trim()}^${arg(element, 'm:lim')}`,
  'm:borderBox': (element) => `\\boxed${arg(element, 'm:e')}`,
  'm:phant': (element) =>
    isOn(childOf(element, 'm:phantPr'), 'm:show') ? child(element, 'm:e') : `\\phantom${arg(element, 'm:e')}`,
  'm:eqArr': (element) =>
    `\\begin{aligned} ${[...childrenOf(element, 'm:e')].map((line) => inside(line).trim()).join(' \\\\ ')} \\end{aligned}`,
};

/** Text that was deleted stands in no formula. */
const skipped = new Set(['w:del', 'w:moveFrom', 'm:ctrlPr', 'w:rPr', 'm:rPr']);

function inside(element: XmlElement | undefined): string {
  let latex = '';
  for (const node of childrenOf(element)) {
    if (skipped.has(node.name) || node.name.endsWith('Pr')) continue;
    latex += (elements[node.name] ?? inside)(node);
  }
  return latex;
}

/** LaTeX of `m:oMath`; empty where there is nothing in it. */
export const latexOf = (element: XmlElement): string => inside(element).replaceAll(/ {2,}/g, ' ').trim();
