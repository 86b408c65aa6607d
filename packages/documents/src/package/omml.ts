import { attributeOf, childOf, childrenOf, type XmlElement } from './xml.ts';

// Office's mathematics to LaTeX. Source: ECMA-376 part 1, 22.1.

const signs: Readonly<Record<string, string>> = {
  α: '\\alpha',
  β: '\\beta',
  γ: '\\gamma',
  δ: '\\delta',
  ε: '\\epsilon',
  ζ: '\\zeta',
  η: '\\eta',
  θ: '\\theta',
  ι: '\\iota',
  κ: '\\kappa',
  λ: '\\lambda',
  μ: '\\mu',
  ν: '\\nu',
  ξ: '\\xi',
  π: '\\pi',
  ρ: '\\rho',
  σ: '\\sigma',
  τ: '\\tau',
  υ: '\\upsilon',
  φ: '\\phi',
  ϕ: '\\phi',
  χ: '\\chi',
  ψ: '\\psi',
  ω: '\\omega',
  Γ: '\\Gamma',
  Δ: '\\Delta',
  Θ: '\\Theta',
  Λ: '\\Lambda',
  Ξ: '\\Xi',
  Π: '\\Pi',
  Σ: '\\Sigma',
  Φ: '\\Phi',
  Ψ: '\\Psi',
  Ω: '\\Omega',
  '×': '\\times',
  '÷': '\\div',
  '±': '\\pm',
  '∓': '\\mp',
  '·': '\\cdot',
  '⋅': '\\cdot',
  '≤': '\\le',
  '≥': '\\ge',
  '≠': '\\ne',
  '≈': '\\approx',
  '≡': '\\equiv',
  '∞': '\\infty',
  '∂': '\\partial',
  '∇': '\\nabla',
  '∈': '\\in',
  '∉': '\\notin',
  '⊂': '\\subset',
  '⊆': '\\subseteq',
  '∪': '\\cup',
  '∩': '\\cap',
  '∀': '\\forall',
  '∃': '\\exists',
  '→': '\\to',
  '←': '\\leftarrow',
  '⇒': '\\Rightarrow',
  '⇔': '\\Leftrightarrow',
  '↔': '\\leftrightarrow',
  '…': '\\dots',
  '⋯': '\\cdots',
  '∝': '\\propto',
  '∘': '\\circ',
  '√': '\\surd',
  '∫': '\\int',
  '∑': '\\sum',
  '∏': '\\prod',
  '−': '-',
  '′': "'",
  '∅': '\\emptyset',
  '∧': '\\wedge',
  '∨': '\\vee',
  '¬': '\\neg',
  '⊕': '\\oplus',
  '⊗': '\\otimes',
  '∥': '\\parallel',
  '⊥': '\\perp',
  '∠': '\\angle',
  '\u00a0': ' ',
  '\u2061': '',
  '\u200b': '',
};
const operators: Readonly<Record<string, string>> = {
  '∑': '\\sum',
  '∏': '\\prod',
  '∐': '\\coprod',
  '∫': '\\int',
  '∬': '\\iint',
  '∭': '\\iiint',
  '∮': '\\oint',
  '⋃': '\\bigcup',
  '⋂': '\\bigcap',
  '⋁': '\\bigvee',
  '⋀': '\\bigwedge',
};
const accents: Readonly<Record<string, string>> = {
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u20d7': '\\vec',
  '\u0301': '\\acute',
  '\u0300': '\\grave',
  '\u030c': '\\check',
  '\u0306': '\\breve',
};
const functions = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);
const fences: Readonly<Record<string, string>> = {
  '{': '\\{',
  '}': '\\}',
  '⟨': '\\langle',
  '⟩': '\\rangle',
  '〈': '\\langle',
  '〉': '\\rangle',
  '⌊': '\\lfloor',
  '⌋': '\\rfloor',
  '⌈': '\\lceil',
  '⌉': '\\rceil',
  '|': '|',
  '‖': '\\|',
  '': '.',
};

/** Letters and signs of a run; commands are kept apart from the letters behind them. */
function latexText(text: string): string {
  return text.replaceAll(/./gsu, (sign) => {
    const known = signs[sign];
    if (known !== undefined) return known.startsWith('\\') ? `${known} ` : known;
    if (/[#$%&_{}]/.test(sign)) return `\\${sign}`;
    if (sign === '\\') return '\\backslash ';
    if (sign === '^') return '\\hat{}';
    if (sign === '~') return '\\sim ';
    return sign;
  });
}

const value = (properties: XmlElement | undefined, name: string): string | undefined =>
  attributeOf(childOf(properties, name), 'm:val');
const isOn = (properties: XmlElement | undefined, name: string): boolean => {
  const element = childOf(properties, name);
  return element !== undefined && !/^(?:0|off|false)$/.test(attributeOf(element, 'm:val') ?? '1');
};

const group = (latex: string): string => `{${latex.trim()}}`;
const child = (element: XmlElement, name: string): string => inside(childOf(element, name));
const arg = (element: XmlElement, name: string): string => group(child(element, name));

function run(element: XmlElement): string {
  const text = [...childrenOf(element)]
    .filter(({ name }) => name === 'm:t' || name === 'w:t')
    .flatMap(({ children }) => children.filter((one) => typeof one === 'string'))
    .join('');
  const properties = childOf(element, 'm:rPr');
  if (isOn(properties, 'm:nor')) return text === '' ? '' : `\\text{${text.replaceAll(/[\\{}]/g, '')}}`;
  const bare = text.trim();
  if (functions.has(bare)) return `\\${bare} `;
  const latex = latexText(text);
  // Words of other scripts are text in LaTeX.
  const words = latex.replaceAll(/[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]+(?:\s+[\uac00-\ud7a3]+)*/g, '\\text{$&}');
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
