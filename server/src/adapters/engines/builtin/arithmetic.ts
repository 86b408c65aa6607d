/** A calculation found in a text, with the steps that lead to its result. */
export interface Calculation {
  readonly expression: string;
  /** The result, or why there is none. */
  readonly result: number | 'division_by_zero' | 'too_large';
  readonly steps: readonly string[];
}

/** Sums in words, turned into signs; N is a number, _ a blank or none. The longer forms come first. */
const wordForms = (
  [
    ['N_(?:%|퍼센트|프로|percent)_(?:of|의)_N', '($1 / 100 * $2)'],
    ['N의_N_(?:%|퍼센트|프로)', '($1 * $2 / 100)'],
    ['(?:square root of|sqrt|√)_\\(?_N_\\)?', '($1 ^ 0.5)'],
    ['N의_제곱근', '($1 ^ 0.5)'],
    ['N의_N_제곱', '($1 ^ $2)'],
    ['N(?:의_제곱| squared)', '($1 ^ 2)'],
    ['N(?:와|과|하고|랑|에)_N(?:을|를)?_(?:더하|합치|더한|합하)[가-힣]{0,4}', '($1 + $2)'],
    ['N(?:와|과)_N의_합', '($1 + $2)'],
    ['N(?:와|과)_N의_차', '($1 - $2)'],
    ['N(?:와|과)_N의_곱', '($1 * $2)'],
    ['N에서_N(?:을|를)?_(?:빼|뺀)[가-힣]{0,4}', '($1 - $2)'],
    ['N(?:와|과|에)_N(?:을|를)?_(?:곱하|곱한)[가-힣]{0,4}', '($1 * $2)'],
    ['N(?:을|를)_N(?:으로|로)_(?:나누|나눈)[가-힣]{0,4}', '($1 / $2)'],
    ['sum of N and N|add N (?:and|to) N', '($1$3 + $2$4)'],
    ['subtract N from N', '($2 - $1)'],
    ['multiply N (?:and|by) N', '($1 * $2)'],
    ['divide N by N', '($1 / $2)'],
    ['더하기|플러스|\\bplus\\b', '+'],
    ['빼기|마이너스|\\bminus\\b|[−–]', '-'],
    ['곱하기|[×·∙]|\\btimes\\b|\\bmultiplied by\\b', '*'],
    ['나누기|÷|\\bdivided by\\b', '/'],
    ['\\bto the power of\\b|\\*\\*', '^'],
    ['(\\d)_x_(?=[\\d(])', '$1*'],
  ] as const
).map(
  ([words, signs]) =>
    [new RegExp(words.replaceAll('_', '\\s{0,3}').replaceAll('N', '(\\d+(?:\\.\\d+)?)'), 'gi'), signs] as const,
);

/** How much of a text is searched for sums, in UTF-16 units. */
const MAX_TEXT = 2_000;
const MAX_EXPRESSION_LENGTH = 300;
const MAX_DEPTH = 60;

/** A number without the noise of binary fractions. */
export const formatNumber = (value: number): string => String(Number(value.toPrecision(12)));

interface Operator {
  readonly precedence: number;
  readonly sign: string;
  readonly apply: (left: number, right: number) => number;
}
const POWER = 3;
const operators: Readonly<Record<string, Operator>> = {
  '+': { precedence: 1, sign: '+', apply: (a, b) => a + b },
  '-': { precedence: 1, sign: '-', apply: (a, b) => a - b },
  '*': { precedence: 2, sign: '×', apply: (a, b) => a * b },
  '/': { precedence: 2, sign: '÷', apply: (a, b) => a / b },
  '%': { precedence: 2, sign: 'mod', apply: (a, b) => a % b },
  '^': { precedence: POWER, sign: '^', apply: (a, b) => a ** b },
};

/** Evaluates by precedence climbing; null for what is no sum. */
function evaluate(expression: string): Calculation | null {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/^%()]/g) ?? [];
  const steps: string[] = [];
  let at = 0;
  let failure: 'no_sum' | 'division_by_zero' | null = null;
  const operand = (depth: number): number => {
    const token = tokens[at++] ?? '';
    if (/^\d/.test(token)) return Number(token);
    if (depth < MAX_DEPTH && token === '-') return -climb(POWER, depth + 1);
    if (depth < MAX_DEPTH && token === '+') return climb(POWER, depth + 1);
    const inner = depth < MAX_DEPTH && token === '(' ? climb(1, depth + 1) : Number.NaN;
    if (token !== '(' || tokens[at++] !== ')') failure ??= 'no_sum';
    return inner;
  };
  const climb = (least: number, depth: number): number => {
    let left = operand(depth);
    for (;;) {
      const operator = operators[tokens[at] ?? ''];
      if (failure !== null || !operator || operator.precedence < least) return left;
      at++;
      // A power binds to the right: 2 ^ 3 ^ 2 is 2 ^ 9.
      const right = climb(operator.precedence === POWER ? POWER : operator.precedence + 1, depth + 1);
      if ('÷mod'.includes(operator.sign) && right === 0) failure ??= 'division_by_zero';
      const result = operator.apply(left, right);
      if (failure === null)
        steps.push(`${formatNumber(left)} ${operator.sign} ${formatNumber(right)} = ${formatNumber(result)}`);
      left = result;
    }
  };
  const value = climb(1, 0);
  if (failure === 'no_sum' || (failure === null && at < tokens.length)) return null;
  const plain = /^\([^()]*\)$/.test(expression) ? expression.slice(1, -1) : expression;
  return {
    expression: plain
      .replace(/\s{2,}/g, ' ')
      .replaceAll('*', '×')
      .replaceAll('/', '÷'),
    result: failure ?? (Number.isFinite(value) ? value : 'too_large'),
    steps,
  };
}

/** Dates, telephone numbers, versions and ranges hold signs but are no sums. */
const isNoSum = (expression: string, asked: boolean) =>
  !/\d\s*[-+*/^%]\s*[-+(\d]|\)\s*[-+*/^%(]/.test(expression) ||
  (/^\d+(?:-\d+)+$/.test(expression) && (!asked || /^0|\d-\d+-\d|\d{5}/.test(expression))) ||
  (/^\d{1,4}\/\d{1,2}(?:\/\d{1,4})?$/.test(expression) && !asked);

/** Calculates the first sum in a text, in signs or in words of either language; null where there is none. */
export function calculate(text: string): Calculation | null {
  let plain = text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  // A bare "2024-1" is a sum only where something asks for its value.
  const asked =
    /[=?？]|계산|얼마|값|결과|몇|what|calc|comput|evaluat|how much/i.test(plain) ||
    /^[\d\s.+\-*/^%()x×÷]+$/.test(plain);
  for (const [words, signs] of wordForms) plain = plain.replace(words, signs);
  for (const [found] of plain.matchAll(/[-+(\d][\d\s.+\-*/^%()]*[\d)]/g)) {
    // What a list or a sentence puts before the sum is no part of it: "1. 2+3".
    for (const part of [found, ...found.split(/\n|\.\s+|\s{3,}/), found.replace(/^\d+[.)]?\s+(?=[\d(])/, '')]) {
      const expression = part.trim();
      if (expression.length > MAX_EXPRESSION_LENGTH || isNoSum(expression, asked)) continue;
      const calculation = evaluate(expression);
      if (calculation) return calculation;
    }
  }
  return null;
}
