import type { EquationParser } from './types.ts';
import { accents, signOf, symbolOf } from './symbols.ts';

/** Reads a command's arguments and gives it as LaTeX. */
type Command = (parser: EquationParser) => string;

const environment =
  (name: string): Command =>
  (parser) =>
    `\\begin{${name}} ${tableOf(parser)} \\end{${name}}`;

const array = (columns: string, rows: string): string => `\\begin{array}{${columns}} ${rows} \\end{array}`;

const isColumn = (value: string): boolean => /^[lrc]?col$/iu.test(value);

/** Cells of a matrix, which may be written by columns (`col {a # b} col {c # d}`). */
const tableOf = (parser: EquationParser): string => {
  const opens = parser.peek();
  if (opens.value !== '{') return parser.argument();
  const rows = parser.cells();
  return rows.map((row) => row.join(' & ')).join(' \\\\ ');
};

/** Columns beside each other, each with its cells one under the other. */
const column: Command = (parser) => {
  const columns = [parser.cells().map((row) => row.join(' '))];
  for (let next = parser.peek(); isColumn(next.value); next = parser.peek()) {
    parser.take();
    columns.push(parser.cells().map((row) => row.join(' ')));
  }
  const height = columns.reduce((most, cells) => Math.max(most, cells.length), 0);
  return Array.from({ length: height }, (_, row) => columns.map((cells) => cells[row] ?? '').join(' & ')).join(
    ' \\\\ ',
  );
};

const pile =
  (align: string): Command =>
  (parser) =>
    array(align, tableOf(parser));

const fraction =
  (build: (top: string, bottom: string) => string): Command =>
  (parser) => {
    const top = unwrap(parser.before());
    return build(top, unwrap(parser.after()));
  };

/** A group's own brackets say nothing within the brackets of a command. */
const unwrap = (tex: string): string => {
  if (!tex.startsWith('{') || !tex.endsWith('}')) return tex;
  let depth = 0;
  for (let at = 0; at < tex.length - 1; at += 1) {
    if (tex[at] === '\\') at += 1;
    else if (tex[at] === '{') depth += 1;
    else if (tex[at] === '}') depth -= 1;
    if (depth === 0) return tex;
  }
  return tex.slice(1, -1);
};

const delimiters: Readonly<Record<string, string>> = {
  '{': '\\{',
  '}': '\\}',
  '<': '\\langle',
  '>': '\\rangle',
  '|': '|',
  '(': '(',
  ')': ')',
  '[': '[',
  ']': ']',
  '.': '.',
  '/': '/',
};

const delimiter = (parser: EquationParser): string => {
  const { value } = parser.peek();
  const known =
    delimiters[value] ?? (/^[lr]?(?:floor|ceil|angle|brace|vert)$/iu.test(value) ? symbolOf(value) : undefined);
  if (known === undefined) return '.';
  parser.take();
  return known;
};

const left: Command = (parser) => {
  const open = delimiter(parser);
  const inner = parser.sequence();
  const next = parser.peek();
  const closes = next.kind === 'word' && next.value.toLowerCase() === 'right';
  if (closes) parser.take();
  return `\\left${open} ${inner} \\right${closes ? delimiter(parser) : '.'}`;
};

const relation =
  (below: boolean): Command =>
  (parser) => {
    const sign = parser.argument();
    const over = parser.argument();
    const under = below ? parser.argument() : '';
    const core = under === '' ? sign : `\\underset{${under}}{${sign}}`;
    return over === '' ? core : `\\overset{${over}}{${core}}`;
  };

const not: Command = (parser) => {
  const sign = parser.argument();
  if (sign === '=') return '\\neq';
  return sign === '\\in' ? '\\notin' : `\\not${sign.startsWith('\\') ? sign : `{${sign}}`}`;
};

const root: Command = (parser) => {
  const first = parser.argument();
  if (parser.peek().value.toLowerCase() !== 'of') return `\\sqrt{${first}}`;
  parser.take();
  return `\\sqrt[${first}]{${parser.argument()}}`;
};

const big: Command = (parser) => {
  const token = parser.take();
  if (token.kind === 'end') return '';
  return `\\bigg${delimiters[token.value] ?? signOf(token.value) ?? token.value}`;
};

const font =
  (...names: Parameters<EquationParser['setFont']>): Command =>
  (parser) => {
    parser.setFont(...names);
    return '';
  };

/** A small letter to the left of the term before. */
const beside =
  (mark: '_' | '^'): Command =>
  (parser) => {
    const term = parser.before();
    return `{}${mark}{${unwrap(parser.after())}}${term}`;
  };

/** The size of letters says nothing about what they mean. */
const sized: Command = (parser) => {
  parser.argument();
  return '';
};

const longDivision: Command = (parser) => {
  const divisor = parser.argument();
  const quotient = parser.argument();
  const steps = parser.cells().map((row) => row.join(' '));
  const [dividend = '', ...rest] = steps;
  return array('r', [quotient, `${divisor}\\overline{)${dividend}}`, ...rest].join(' \\\\ '));
};

const accented =
  (one: string, many: string): Command =>
  (parser) => {
    const inner = parser.argument();
    const command = /^(?:[A-Za-z0-9]|\\[A-Za-z]+|\\math(?:rm|bf)\{[A-Za-z]\})$/u.test(inner) ? one : many;
    return `${command}{${inner}}`;
  };

/** Commands by their names in small letters. */
export const commands: Readonly<Record<string, Command>> = {
  over: fraction((top, bottom) => `\\frac{${top}}{${bottom}}`),
  atop: fraction((top, bottom) => `\\genfrac{}{}{0pt}{}{${top}}{${bottom}}`),
  choose: fraction((top, bottom) => `\\binom{${top}}{${bottom}}`),
  binom: (parser) => `\\binom{${parser.argument()}}{${parser.argument()}}`,
  sqrt: root,
  root,
  left,
  matrix: environment('matrix'),
  pmatrix: environment('pmatrix'),
  bmatrix: environment('bmatrix'),
  dmatrix: environment('vmatrix'),
  cases: environment('cases'),
  eqalign: environment('aligned'),
  pile: pile('c'),
  lpile: pile('l'),
  rpile: pile('r'),
  col: column,
  ccol: column,
  lcol: column,
  rcol: column,
  rel: relation(true),
  buildrel: relation(false),
  not,
  bigg: big,
  rm: font('rm'),
  it: font('it'),
  bold: font('bold'),
  scale: sized,
  size: sized,
  color: sized,
  lsub: beside('_'),
  lsup: beside('^'),
  ladder: pile('r|rr'),
  sladder: pile('r|rr'),
  longdiv: longDivision,
  ...Object.fromEntries(Object.entries(accents).map(([name, [one, many]]) => [name, accented(one, many)])),
};
