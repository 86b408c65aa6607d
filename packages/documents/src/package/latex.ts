// Words of LaTeX that formulas of all formats are written with.

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
  '⋮': '\\vdots',
  '⋱': '\\ddots',
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
  '\u2062': '',
  '\u2063': '',
  '\u2064': '',
  '\u200b': '',
};
export const operators: Readonly<Record<string, string>> = {
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
export const accents: Readonly<Record<string, string>> = {
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
export const functions = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);
export const fences: Readonly<Record<string, string>> = {
  '{': '\\{',
  '}': '\\}',
  '⟨': '\\langle',
  '⟩': '\\rangle',
  '〈': '\\langle',
  '\u2329': '\\langle',
  '〉': '\\rangle',
  '\u232a': '\\rangle',
  '⌊': '\\lfloor',
  '⌋': '\\rfloor',
  '⌈': '\\lceil',
  '⌉': '\\rceil',
  '|': '|',
  '‖': '\\|',
  '': '.',
};

/** Letters and signs; commands are kept apart from the letters behind them. */
export function latexText(text: string): string {
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

/** Korean words of a formula are text in LaTeX. */
export const koreanAsText = (latex: string): string =>
  latex.replaceAll(/[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]+(?:\s+[\uac00-\ud7a3]+)*/g, '\\text{$&}');

/** Words that are no part of the formula; nothing for none. */
export const asText = (text: string): string => {
  const written = text.replaceAll(/[\\{}^~]/g, '').replaceAll(/[#$%&_]/g, String.raw`\$&`);
  return written === '' ? '' : `\\text{${written}}`;
};

/** What a command takes. */
export const group = (latex: string): string => `{${latex.trim()}}`;
