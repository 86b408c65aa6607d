/** A calculation found in a text, with the steps that lead to its result. */
export interface Calculation {
  readonly expression: string;
  /** The result, or why there is none. */
  readonly result: number | 'division_by_zero' | 'too_large';
  readonly steps: readonly string[];
}

const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** Sums in words, turned into signs. The longer forms come first. */
const spoken: readonly [RegExp, string][] = [
  [
    new RegExp(`(${NUMBER})\\s{0,3}(?:%|퍼센트|프로|percent)\\s{0,3}(?:of|의)\\s{0,3}(${NUMBER})`, 'gi'),
    '($1 / 100 * $2)',
  ],
  [new RegExp(`(${NUMBER})의\\s{0,3}(${NUMBER})\\s{0,3}(?:%|퍼센트|프로)`, 'g'), '($1 * $2 / 100)'],
  [
    new RegExp(
      `(?:square root of|sqrt)\\s{0,3}\\(?\\s{0,3}(${NUMBER})\\s{0,3}\\)?|(${NUMBER})의\\s{0,3}제곱근|√\\s{0,3}(${NUMBER})`,
      'gi',
    ),
    '($1$2$3 ^ 0.5)',
  ],
  [new RegExp(`(${NUMBER})의\\s{0,3}(${NUMBER})\\s{0,2}제곱`, 'g'), '($1 ^ $2)'],
  [new RegExp(`(${NUMBER})(?:의\\s{0,3}제곱|\\s{0,3}squared)`, 'gi'), '($1 ^ 2)'],
  [new RegExp(`(${NUMBER})\\s{0,3}cubed`, 'gi'), '($1 ^ 3)'],
  [
    new RegExp(
      `(${NUMBER})(?:와|과|하고|랑|에)\\s{0,3}(${NUMBER})(?:을|를)?\\s{0,3}(?:더하|합치|더한|합하)[가-힣]{0,4}`,
      'g',
    ),
    '($1 + $2)',
  ],
  [new RegExp(`(${NUMBER})(?:와|과)\\s{0,3}(${NUMBER})의\\s{0,3}합`, 'g'), '($1 + $2)'],
  [new RegExp(`(${NUMBER})(?:와|과)\\s{0,3}(${NUMBER})의\\s{0,3}차`, 'g'), '($1 - $2)'],
  [new RegExp(`(${NUMBER})(?:와|과)\\s{0,3}(${NUMBER})의\\s{0,3}곱`, 'g'), '($1 * $2)'],
  [new RegExp(`(${NUMBER})에서\\s{0,3}(${NUMBER})(?:을|를)?\\s{0,3}(?:빼|뺀)[가-힣]{0,4}`, 'g'), '($1 - $2)'],
  [
    new RegExp(`(${NUMBER})(?:와|과|에)\\s{0,3}(${NUMBER})(?:을|를)?\\s{0,3}(?:곱하|곱한)[가-힣]{0,4}`, 'g'),
    '($1 * $2)',
  ],
  [new RegExp(`(${NUMBER})(?:을|를)\\s{0,3}(${NUMBER})(?:으로|로)\\s{0,3}(?:나누|나눈)[가-힣]{0,4}`, 'g'), '($1 / $2)'],
  [new RegExp(`(?:the )?sum of (${NUMBER}) and (${NUMBER})`, 'gi'), '($1 + $2)'],
  [new RegExp(`(?:the )?product of (${NUMBER}) and (${NUMBER})`, 'gi'), '($1 * $2)'],
  [new RegExp(`(?:the )?difference (?:of|between) (${NUMBER}) and (${NUMBER})`, 'gi'), '($1 - $2)'],
  [new RegExp(`add (${NUMBER}) (?:and|to) (${NUMBER})`, 'gi'), '($1 + $2)'],
  [new RegExp(`subtract (${NUMBER}) from (${NUMBER})`, 'gi'), '($2 - $1)'],
  [new RegExp(`multiply (${NUMBER}) (?:and|by) (${NUMBER})`, 'gi'), '($1 * $2)'],
  [new RegExp(`divide (${NUMBER}) by (${NUMBER})`, 'gi'), '($1 / $2)'],
  [/더하기|플러스|\bplus\b/gi, '+'],
  [/빼기|마이너스|\bminus\b|[−–]/gi, '-'],
  [/곱하기|[×·∙]|\btimes\b|\bmultiplied by\b/gi, '*'],
  [/나누기|÷|\bdivided by\b|\bover\b(?= \d)/gi, '/'],
  [/\bto the power of\b|\*\*/gi, '^'],
  [/(\d)\s{0,3}x\s{0,3}(?=[\d(])/gi, '$1*'],
];

/** How much of a text is searched for sums, in UTF-16 units. */
const MAX_TEXT = 2_000;
const MAX_EXPRESSION_LENGTH = 300;
const MAX_DEPTH = 60;

/** A number without the noise of binary fractions. */
export function showNumber(value: number): string {
  const rounded = Number(value.toPrecision(12));
  return String(rounded);
}

/** Ends the reading of what is no sum. */
class NoSum extends Error {}

/** Reads by descent: sum → product → sign → power → number or brackets. */
class Reader {
  readonly steps: string[] = [];
  private at = 0;
  private depth = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  whole(): number {
    const value = this.sum();
    if (this.at < this.tokens.length) throw new NoSum();
    return value;
  }

  private take(...wanted: string[]): string | null {
    const token = this.tokens[this.at];
    if (token === undefined || !wanted.includes(token)) return null;
    this.at++;
    return token;
  }

  private note(left: number, sign: string, right: number, result: number): number {
    this.steps.push(`${showNumber(left)} ${sign} ${showNumber(right)} = ${showNumber(result)}`);
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
    let left = this.signed();
    for (let sign = this.take('*', '/', '%'); sign; sign = this.take('*', '/', '%')) {
      const right = this.signed();
      if (sign !== '*' && right === 0) throw new RangeError('division by zero');
      const result = sign === '*' ? left * right : sign === '/' ? left / right : left % right;
      left = this.note(left, sign === '*' ? '×' : sign === '/' ? '÷' : 'mod', right, result);
    }
    return left;
  }

  private signed(): number {
    if (++this.depth > MAX_DEPTH) throw new NoSum();
    const value = this.take('-') ? -this.signed() : this.take('+') ? this.signed() : this.power();
    this.depth--;
    return value;
  }

  private power(): number {
    const base = this.atom();
    if (!this.take('^')) return base;
    const exponent = this.signed();
    return this.note(base, '^', exponent, base ** exponent);
  }

  private atom(): number {
    if (this.take('(')) {
      const inner = this.sum();
      if (!this.take(')')) throw new NoSum();
      return inner;
    }
    const token = this.tokens[this.at++];
    if (token === undefined || !/^\d/.test(token)) throw new NoSum();
    return Number(token);
  }
}

/** Dates, telephone numbers, versions and ranges hold signs but are no sums. */
const isNoSum = (expression: string, asked: boolean) =>
  !/\d\s*[-+*/^%]\s*[-+(\d]|\)\s*[-+*/^%(]/.test(expression) ||
  (/^\d+(?:-\d+)+$/.test(expression) && (!asked || /^0|\d-\d+-\d|\d{5}/.test(expression))) ||
  (/^\d{1,4}\/\d{1,2}(?:\/\d{1,4})?$/.test(expression) && !asked);

/** Brackets around the whole say nothing. */
const withoutOuterBrackets = (expression: string) =>
  /^\([^()]*\)$/.test(expression) ? expression.slice(1, -1) : expression;

function evaluate(expression: string): Calculation | null {
  const reader = new Reader(expression.match(/\d+(?:\.\d+)?|[-+*/^%()]/g) ?? []);
  const shown = withoutOuterBrackets(expression)
    .replace(/\s{2,}/g, ' ')
    .replaceAll('*', '×')
    .replaceAll('/', '÷');
  try {
    const result = reader.whole();
    return { expression: shown, result: Number.isFinite(result) ? result : 'too_large', steps: reader.steps };
  } catch (error) {
    if (error instanceof RangeError) return { expression: shown, result: 'division_by_zero', steps: reader.steps };
    if (error instanceof NoSum) return null;
    throw error;
  }
}

/** Calculates the first sum in a text, in signs or in words of either language; null where there is none. */
export function calculate(text: string): Calculation | null {
  let plain = text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  // A bare "2024-1" is a sum only where something asks for its value.
  const asked =
    /[=?？]|계산|얼마|값|결과|몇|what|calc|comput|evaluat|solve|how much/i.test(plain) ||
    /^[\d\s.+\-*/^%()x×÷]+$/.test(plain);
  for (const [pattern, sign] of spoken) plain = plain.replace(pattern, sign);
  plain = plain.replace(/\(\s*\(/g, '((');
  for (const [found] of plain.matchAll(/[-+(\d][\d\s.+\-*/^%()]*[\d)]/g)) {
    for (const expression of candidates(found)) {
      if (expression.length > MAX_EXPRESSION_LENGTH || isNoSum(expression, asked)) continue;
      const calculation = evaluate(expression);
      if (calculation) return calculation;
    }
  }
  return null;
}

/** A run of signs and digits, and what is left of it when a number of something else stands before or after it. */
function candidates(found: string): string[] {
  const lines = found
    .split(/\n|\.\s+|\s{3,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const trimmed = lines.flatMap((line) => [
    line,
    line.replace(/^[+)\s]+/, ''),
    line.replace(/^\d+[.)]?\s+(?=[\d(])/, ''),
  ]);
  return [...new Set([found.trim(), ...trimmed])];
}
