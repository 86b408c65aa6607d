import { accents, asText, fences, functions, group, koreanAsText, latexText, operators } from './latex.ts';
import { attributeOf, childrenOf, innerText, type XmlElement } from './xml.ts';

// Presentation MathML to LaTeX. Names of elements are `math:…`. Source: MathML 3, chapter 3.

/** An attribute, with the prefix of the older form or without. */
const given = (element: XmlElement, name: string): string | undefined =>
  attributeOf(element, name) ?? attributeOf(element, `math:${name}`);

const at = (element: XmlElement, place: number): string => {
  const child = [...childrenOf(element)][place];
  return child === undefined ? '' : latexOf(child).trim();
};

/** What an index or a power stands at: in braces where it is more than a letter or a command. */
const base = (latex: string): string => (/^(?:.|\\[A-Za-z]+|\{[^{}]*\})?$/u.test(latex) ? latex || '{}' : group(latex));

const textIn = (element: XmlElement): string => innerText(element).replaceAll(/\s+/gu, ' ').trim();

const styles: Readonly<Record<string, string>> = {
  'double-struck': '\\mathbb',
  script: '\\mathcal',
  'bold-script': '\\mathcal',
  fraktur: '\\mathfrak',
  bold: '\\mathbf',
  'bold-italic': '\\mathbf',
};

function identifier(element: XmlElement): string {
  const text = textIn(element);
  if (functions.has(text)) return `\\${text} `;
  const latex = koreanAsText(latexText(text));
  const style = styles[given(element, 'mathvariant') ?? ''];
  if (style !== undefined && latex !== '') return `${style}${group(latex)}`;
  return /^\p{Script=Latin}{2,}$/u.test(text) ? `\\mathrm{${text}}` : latex;
}

function operator(element: XmlElement): string {
  const text = textIn(element);
  const command = operators[text] ?? (text === '' ? undefined : fences[text]);
  if (command !== undefined) return /^\\[A-Za-z]/.test(command) ? `${command} ` : command;
  // Words between signs: `if`, `mod`.
  return /^\p{L}{2,}$/u.test(text) ? (functions.has(text) ? `\\${text} ` : asText(` ${text} `)) : latexText(text);
}

/** Signs above a letter as keyboards have them, or on their own. */
const above: Readonly<Record<string, string>> = {
  ...accents,
  '^': '\\hat',
  ˆ: '\\hat',
  '~': '\\tilde',
  '˜': '\\tilde',
  '¯': '\\bar',
  '‾': '\\overline',
  '→': '\\vec',
  '⃗': '\\vec',
  '˙': '\\dot',
  '¨': '\\ddot',
  '´': '\\acute',
  '`': '\\grave',
  ˇ: '\\check',
  '˘': '\\breve',
  '⏞': '\\overbrace',
};
const below: Readonly<Record<string, string>> = {
  _: '\\underline',
  '̲': '\\underline',
  '‗': '\\underline',
  '⏟': '\\underbrace',
};

/** The one sign that stands over or under something. */
const signAt = (element: XmlElement, place: number): string => {
  const child = [...childrenOf(element)][place];
  return child?.name === 'math:mo' ? textIn(child) : '';
};

const takesLimits = (latex: string): boolean =>
  /^\\(?:sum|prod|coprod|i{0,2}int|oint|big(?:cup|cap|vee|wedge)|lim(?:inf|sup)?|max|min|sup|inf|det|gcd|Pr)$/.test(
    latex,
  );

const index = (mark: '_' | '^', latex: string): string => (latex === '' ? '' : `${mark}${group(latex)}`);

/** Something with what stands under and over it; null for a side that has nothing. */
function stacked(element: XmlElement, under: number | null, over: number | null): string {
  let latex = at(element, 0);
  const [low, high] = [under, over].map((place) => (place === null ? '' : at(element, place)));
  if (takesLimits(latex)) return `${latex}${index('_', low ?? '')}${index('^', high ?? '')} `;
  const [bar, accent] = [
    under === null ? undefined : below[signAt(element, under)],
    over === null ? undefined : above[signAt(element, over)],
  ];
  if (accent !== undefined) latex = `${accent}${group(latex)}`;
  else if (high !== '') latex = `\\overset${group(high ?? '')}${group(latex)}`;
  if (bar !== undefined) return `${bar}${group(latex)}`;
  return low === '' ? latex : `\\underset${group(low ?? '')}${group(latex)}`;
}

function fenced(element: XmlElement): string {
  const open = (given(element, 'open') ?? '(').trim();
  const close = (given(element, 'close') ?? ')').trim();
  const separators = (given(element, 'separators') ?? ',').match(/\S/gu) ?? [];
  const parts = [...childrenOf(element)].map((one) => latexOf(one).trim());
  const inner = parts
    .map((part, place) => (place === 0 ? part : `${separators[Math.min(place, separators.length) - 1] ?? ''} ${part}`))
    .join('');
  if (open === '' && close === '') return inner;
  const fence = (sign: string): string => fences[sign] ?? latexText(sign).trim();
  return `\\left${fence(open)} ${inner} \\right${fence(close)}`;
}

function table(element: XmlElement): string {
  const rows = [...childrenOf(element)].map((row) => {
    const cells = [...childrenOf(row)];
    // The first cell of a numbered row is its number.
    const own = row.name === 'math:mlabeledtr' ? cells.slice(1) : cells;
    return own.map((cell) => latexOf(cell).trim()).join(' & ');
  });
  return `\\begin{matrix} ${rows.join(' \\\\ ')} \\end{matrix}`;
}

const PRE = 'math:mprescripts';

/** Indices and powers at both sides: pairs behind, and pairs before. */
function scripts(element: XmlElement): string {
  const [first, ...others] = childrenOf(element);
  if (first === undefined) return '';
  const split = others.findIndex(({ name }) => name === PRE);
  const pairs = (list: readonly XmlElement[]): string =>
    list.map((one, place) => index(place % 2 === 0 ? '_' : '^', latexOf(one).trim())).join('');
  const before = split === -1 ? [] : others.slice(split + 1);
  const behind = split === -1 ? others : others.slice(0, split);
  const own = base(latexOf(first).trim());
  return `${before.length === 0 ? '' : `{}${pairs(before)}`}${own}${pairs(behind)}`;
}

/** What LaTeX the author wrote, beside what is shown; else what is shown. */
function semantics(element: XmlElement): string {
  for (const note of childrenOf(element, 'math:annotation'))
    if (/tex$/i.test(given(note, 'encoding') ?? '')) return textIn(note);
  return at(element, 0);
}

const elements: Readonly<Record<string, (element: XmlElement) => string>> = {
  'math:mi': identifier,
  'math:mn': (element) => latexText(textIn(element)),
  'math:mo': operator,
  'math:mtext': (element) => asText(innerText(element).replaceAll(/\s+/gu, ' ')),
  'math:ms': (element) => asText(textIn(element)),
  'math:mspace': () => ' ',
  'math:semantics': semantics,
  'math:annotation': () => '',
  'math:annotation-xml': () => '',
  'math:maction': (element) => at(element, 0),
  'math:mfrac': (element) =>
    /^0(?:[a-z]+|\.0+)?$/.test(given(element, 'linethickness') ?? '')
      ? `\\genfrac{}{}{0pt}{}${group(at(element, 0))}${group(at(element, 1))}`
      : `\\frac${group(at(element, 0))}${group(at(element, 1))}`,
  'math:msqrt': (element) => `\\sqrt${group(inside(element))}`,
  'math:mroot': (element) => `\\sqrt[${at(element, 1)}]${group(at(element, 0))}`,
  'math:mfenced': fenced,
  'math:msub': (element) => `${base(at(element, 0))}${index('_', at(element, 1))}`,
  'math:msup': (element) => `${base(at(element, 0))}${index('^', at(element, 1))}`,
  'math:msubsup': (element) => `${base(at(element, 0))}${index('_', at(element, 1))}${index('^', at(element, 2))}`,
  'math:munder': (element) => stacked(element, 1, null),
  'math:mover': (element) => stacked(element, null, 1),
  'math:munderover': (element) => stacked(element, 1, 2),
  'math:mmultiscripts': scripts,
  'math:mtable': table,
  'math:mphantom': (element) => `\\phantom${group(inside(element))}`,
  'math:menclose': (element) =>
    /\bbox\b/.test(given(element, 'notation') ?? '') ? `\\boxed${group(inside(element))}` : inside(element),
};

const inside = (element: XmlElement): string => [...childrenOf(element)].map(latexOf).join('');

const latexOf = (element: XmlElement): string => (elements[element.name] ?? inside)(element);

/** LaTeX of `math:math`; empty where there is nothing in it. Recursive: as deep as the element is. */
export const mathmlLatex = (element: XmlElement): string => latexOf(element).replaceAll(/ {2,}/g, ' ').trim();
