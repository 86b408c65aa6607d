import { commands } from './commands.ts';
import { largeOf, signOf, symbolOf } from './symbols.ts';
import type { EquationToken } from './tokens.ts';
import type { EquationParser, Font } from './types.ts';
import { append } from '../../../package/append.ts';

/** A part of a term, already LaTeX. */
interface Element {
  readonly tex: string;
  readonly gap: boolean;
  /** Ends a term: `=`, `+` and such. */
  readonly divides: boolean;
  /** Takes a relation under it, as sums do. */
  readonly large: boolean;
}

const endToken: EquationToken = { kind: 'end', value: '', gap: false };
const MAX_GROUP_DEPTH = 48;
const thinSpace = '\\,';
const closing = new Set(['}', '#', '&']);
const dividers = new Set(['=', '+', '-', '<', '>', ',', '(', ')', '[', ']', '|', ':', ';', '±']);
const opening: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** Puts pieces together; a command and a letter after it need a space between. */
export const joinTex = (parts: readonly string[]): string => {
  let text = '';
  for (const part of parts) {
    if (part === '') continue;
    text += /\\[A-Za-z]+$/u.test(text.slice(-24)) && /^[A-Za-z0-9]/u.test(part) ? ` ${part}` : part;
  }
  return text;
};

const escapeText = (text: string): string =>
  text.replaceAll(/[\\{}$%#&_^~]/gu, (sign) => (sign === '\\' ? '\\backslash ' : `\\${sign}`));

const table = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join(' & ')).join(' \\\\ ');

export const createParser = (tokens: readonly EquationToken[]): EquationParser => {
  let at = 0;
  let depth = 0;
  let font: Font = 'it';
  /** Elements of the innermost sequence that is being read. */
  let elements: Element[] = [];

  const peek = (): EquationToken => tokens[at] ?? endToken;
  const take = (): EquationToken => {
    const token = peek();
    at += 1;
    return token;
  };
  const isCommand = (token: EquationToken, name: string): boolean =>
    token.kind === 'word' && token.value.toLowerCase() === name;
  const isSign = (token: EquationToken, sign: string): boolean => token.kind === 'sign' && token.value === sign;
  const endsTerm = (token: EquationToken): boolean =>
    token.kind === 'end' || (token.kind === 'sign' && closing.has(token.value)) || isCommand(token, 'right');

  /** The elements that a function reads, apart from those before them. */
  const elementsOf = (read: () => void): Element[] => {
    const outer = elements;
    const inner: Element[] = [];
    elements = inner;
    read();
    elements = outer;
    return inner;
  };

  const letters = (word: string): string => {
    if (font === 'rm') return `\\mathrm{${word}}`;
    return font === 'bold' ? `\\mathbf{${word}}` : word;
  };

  const push = (tex: string, gap: boolean, facts: { divides?: boolean; large?: boolean } = {}): void => {
    elements.push({ tex, gap, divides: facts.divides ?? false, large: facts.large ?? false });
  };

  /** Takes elements back to the beginning of the term that stands last. */
  const before = (): string => {
    const term: string[] = [];
    for (let last = elements.at(-1); last !== undefined && !last.divides; last = elements.at(-1)) {
      elements.pop();
      term.unshift(last.tex);
      if (last.gap) break;
    }
    return joinTex(term);
  };

  const nested = <T>(read: () => T, otherwise: T): T => {
    if (depth >= MAX_GROUP_DEPTH) {
      at += 1;
      return otherwise;
    }
    depth += 1;
    const kept = font;
    const result = read();
    font = kept;
    depth -= 1;
    return result;
  };

  const sequence = (): string => {
    const read = elementsOf(() => {
      while (!endsTerm(peek())) element();
    });
    return joinTex(read.map(({ tex, gap }, index) => (gap && index > 0 ? ` ${tex}` : tex))).trim();
  };

  /** Rows and cells up to the end of a group. */
  const rows = (): string[][] => {
    let row: string[] = [];
    const found = [row];
    for (;;) {
      row.push(sequence());
      const token = peek();
      if (isSign(token, '&')) at += 1;
      else if (isSign(token, '#')) {
        at += 1;
        row = [];
        found.push(row);
      } else if (isCommand(token, 'right')) at += 1;
      else return found;
    }
  };

  const group = <T>(read: () => T, otherwise: T): T =>
    nested(() => {
      at += 1;
      const result = read();
      if (isSign(peek(), '}')) at += 1;
      return result;
    }, otherwise);

  const rowsToTex = (found: readonly (readonly string[])[]): string => {
    const [[onlyCell, ...otherCells] = [], ...otherRows] = found;
    if (onlyCell !== undefined && otherCells.length === 0 && otherRows.length === 0) return onlyCell;
    return `\\begin{aligned} ${table(found)} \\end{aligned}`;
  };

  const cells = (): string[][] => (isSign(peek(), '{') ? group(rows, []) : [[argument()]]);

  /** One element read apart from the others. */
  const alone = (): string =>
    nested(() => {
      const read = elementsOf(element);
      return joinTex(read.map(({ tex }) => tex));
    }, '');

  const argument = (): string => {
    if (isSign(peek(), '{')) return group(() => rowsToTex(rows()), '');
    return endsTerm(peek()) ? '' : alone();
  };

  /** A pair of brackets with what is between them, where they are closed before the term ends. */
  const bracket = (close: string): string[] => {
    const parts = [take().value];
    while (!endsTerm(peek()) && !isSign(peek(), close)) parts.push(alone());
    if (isSign(peek(), close)) parts.push(take().value);
    return parts;
  };

  const isInfix = (token: EquationToken): boolean =>
    token.kind === 'word' && ['sqrt', 'over', 'atop', 'choose'].includes(token.value.toLowerCase());

  /** What follows without white space: letters and figures; with `relations` also what stands between them. */
  const run = (relations: boolean): string => {
    if (isSign(peek(), '{')) return argument();
    const parts: string[] = [];
    for (let token = peek(); !endsTerm(token) && (parts.length === 0 || !token.gap); token = peek()) {
      const sign = token.kind === 'sign' ? token.value : '';
      if (parts.length > 0 && isInfix(token)) break;
      if (opening[sign] !== undefined) append(parts, bracket(opening[sign]));
      else if (
        sign === '^' ||
        sign === '_' ||
        sign === '`' ||
        sign === '~' ||
        sign === ')' ||
        sign === ']' ||
        sign === ','
      )
        break;
      else if (sign === '' || parts.length === 0 || relations || sign === "'") parts.push(alone());
      else break;
      if (parts.length === 1 && (sign === '-' || sign === '+')) parts.push(run(false));
    }
    return joinTex(parts);
  };

  const script = (sign: string, wide: boolean): void => {
    const mark = sign === '^' || sign === 'sup' || sign === 'to' ? '^' : '_';
    // A little space between a letter and its index is left out.
    while (elements.at(-1)?.tex === thinSpace) elements.pop();
    const gap = elements.length === 0;
    const inner = run(wide);
    // The degree of a root stands as a raised figure before it.
    if (mark === '^' && isCommand(peek(), 'sqrt')) {
      at += 1;
      push(`\\sqrt[${inner}]{${argument()}}`, true);
      return;
    }
    push(gap ? `{}${mark}{${inner}}` : `${mark}{${inner}}`, false, { large: wide });
  };

  const word = (token: EquationToken): void => {
    const name = token.value.toLowerCase();
    if (name === 'sub' || name === 'sup' || name === 'from' || name === 'to') {
      const wide = elements.at(-1)?.large ?? false;
      if (name === 'sub' || name === 'sup' || wide) {
        script(name, wide);
        return;
      }
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) {
      push(command(parser), token.gap);
      return;
    }
    const large = largeOf(token.value) !== undefined || name === 'lim';
    push(symbolOf(token.value) ?? letters(token.value), token.gap, { large });
  };

  const signElement = (token: EquationToken): void => {
    const { value, gap } = token;
    if (value === '{') {
      at -= 1;
      const inner = argument();
      push(`{${inner}}`, gap);
    } else if (value === '^' || value === '_') script(value, elements.at(-1)?.large ?? false);
    else {
      const known = signOf(value);
      const divides =
        dividers.has(value) || (known !== undefined && value.length > 1) || value === '~' || value === '`';
      push(known ?? value, gap, { divides });
    }
  };

  function element(): void {
    const token = take();
    if (token.kind === 'end') return;
    if (token.kind === 'word') word(token);
    else if (token.kind === 'number') push(token.value, token.gap);
    else if (token.kind === 'text') push(`\\text{${escapeText(token.value)}}`, token.gap);
    else signElement(token);
  }

  /** All rows of the equation; brackets that close nothing are passed over. */
  const whole = (): string => {
    const found: string[][] = [];
    while (at < tokens.length) {
      const [first = [], ...more] = rows();
      const last = found.at(-1);
      if (last === undefined) found.push(first);
      else last.push(`${last.pop() ?? ''}${first.shift() ?? ''}`, ...first);
      append(found, more);
      at += 1;
    }
    const tex = found.length === 0 ? '' : rowsToTex(found.filter((row) => row.some((cell) => cell !== '')));
    return tex.replaceAll(/^(?:\\,|~|\s)+|(?:\\,|~|\s)+$/gu, '');
  };

  const after = (): string => {
    const read = elementsOf(() => {
      let brackets = 0;
      for (let token = peek(); !endsTerm(token); token = peek()) {
        const sign = token.kind === 'sign' ? token.value : '';
        const first = elements.length === 0;
        if (!first && brackets === 0 && (token.gap || dividers.has(sign) || isInfix(token))) break;
        if (sign === '`' || sign === '~') break;
        if (sign === '(' || sign === '[') brackets += 1;
        if (sign === ')' || sign === ']') brackets -= 1;
        nested(element, undefined);
        if (elements.length === 0) break;
      }
    });
    return joinTex(read.map(({ tex }) => tex));
  };
  const setFont = (next: Font): void => {
    font = next;
  };
  const parser: EquationParser = { peek, take, argument, cells, sequence, whole, setFont, before, after };
  return parser;
};
