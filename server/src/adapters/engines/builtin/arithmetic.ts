/** A calculation found in a text, with the steps that lead to its result. */
export interface Calculation {
  readonly expression: string;
  readonly result: number;
  readonly steps: readonly string[];
}

const spoken: readonly [RegExp, string][] = [
  [/(\d+(?:\.\d+)?)\s*(?:%|퍼센트|percent)\s*(?:of|의)\s*(\d+(?:\.\d+)?)/gi, '($1 / 100 * $2)'],
  [/(\d+(?:\.\d+)?)\s*의\s*(\d+(?:\.\d+)?)\s*(?:%|퍼센트)/g, '($1 * $2 / 100)'],
  [/더하기|플러스|\bplus\b/gi, '+'],
  [/빼기|마이너스|\bminus\b/gi, '-'],
  [/곱하기|×|\btimes\b|\bmultiplied by\b/gi, '*'],
  [/나누기|÷|\bdivided by\b/gi, '/'],
  [/(?<=\d)\s*[x×]\s*(?=\d)/gi, '*'],
];

const LONGEST_EXPRESSION = 200;
const show = (n: number) => String(Math.round(n * 1e10) / 1e10);

/** A parser by descent: sum of products of powers of atoms. */
class Parser {
  readonly steps: string[] = [];
  private at = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  whole(): number | null {
    const value = this.sum();
    return this.at === this.tokens.length && Number.isFinite(value) ? value : null;
  }

  private take(...wanted: string[]): string | null {
    const token = this.tokens[this.at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.at++;
    return token;
  }

  private note(left: number, sign: string, right: number, result: number): number {
    this.steps.push(`${show(left)} ${sign} ${show(right)} = ${show(result)}`);
    return result;
  }

  private sum(): number {
    let left = this.product();
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-')) {
      const right = this.product();
      left = this.note(left, sign, right, sign === '+' ? left + right : left - right);
    }
    return left;
  }

  private product(): number {
    let left = this.power();
    for (let sign = this.take('*', '/'); sign; sign = this.take('*', '/')) {
      const right = this.power();
      left = this.note(left, sign === '*' ? '×' : '÷', right, sign === '*' ? left * right : left / right);
    }
    return left;
  }

  private power(): number {
    const base = this.atom();
    if (!this.take('^')) return base;
    const exponent = this.power();
    return this.note(base, '^', exponent, base ** exponent);
  }

  private atom(): number {
    if (this.take('-')) return -this.atom();
    if (this.take('(')) {
      const inner = this.sum();
      return this.take(')') ? inner : Number.NaN;
    }
    const token = this.tokens[this.at++];
    return token !== undefined && /^\d/.test(token) ? Number(token) : Number.NaN;
  }
}

/** Calculates the first expression in a text, if it holds one. */
export function calculate(text: string): Calculation | null {
  let plain = text.slice(-2_000).replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  for (const [pattern, sign] of spoken) plain = plain.replace(pattern, sign);
  for (const [found] of plain.matchAll(/[-(\d][\d\s.+\-*/^()]*[\d)]/g)) {
    const expression = found.trim();
    if (expression.length > LONGEST_EXPRESSION || !/\d\s*[-+*/^]\s*[-(\d]|\)\s*[-+*/^]/.test(expression)) continue;
    // Dates, telephone numbers and ranges are no sums.
    if (/^\d+(?:-\d+)+$/.test(expression) && (expression.match(/-/g)?.length !== 1 || /^0|\d{5}/.test(expression))) continue;
    const parser = new Parser(expression.match(/\d+(?:\.\d+)?|[-+*/^()]/g) ?? []);
    const result = parser.whole();
    if (result !== null) return { expression: expression.replaceAll('*', '×').replaceAll('/', '÷'), result, steps: parser.steps };
  }
  return null;
}

export { show as showNumber };
