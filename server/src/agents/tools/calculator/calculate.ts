import {
  CalculationError,
  type Rational,
  add,
  compare,
  divide,
  floor,
  fromNumber,
  modulo,
  multiply,
  negate,
  power,
  rational,
  readNumber,
  round,
  squareRoot,
  subtract,
  toNumber,
  formatNumber,
} from './rational.ts';

export { CalculationError } from './rational.ts';

const MAX_EXPRESSION_LENGTH = 1_000;
const MAX_DEPTH = 50;

const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([a-z][a-z0-9]*)|(\*\*|[-+*/%^(),×÷·−]))/iy;
const signs: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '**': '^' };

interface Token {
  readonly kind: 'number' | 'name' | 'sign';
  readonly text: string;
}

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  const text = expression.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found)
      throw new CalculationError(
        `it holds ${JSON.stringify(Array.from(text.slice(at).trimStart())[0])}, which is no part of a calculation`,
      );
    const [, number, name, sign = ''] = found;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase() });
    else tokens.push({ kind: 'sign', text: signs[sign] ?? sign });
  }
  return tokens;
}

const whole = (value: Rational) => floor(value);
const ceiling = (value: Rational) => negate(floor(negate(value)));
const smaller = (a: Rational, b: Rational) => (compare(a, b) <= 0 ? a : b);
const larger = (a: Rational, b: Rational) => (compare(a, b) >= 0 ? a : b);
const total = (all: readonly Rational[]) => all.reduce(add);
const rounded = (work: (value: number) => number) => (value: Rational) => fromNumber(work(toNumber(value)));

interface FunctionSpec {
  readonly minArguments: number;
  readonly maxArguments: number;
  readonly run: (first: Rational, second: Rational | undefined, all: readonly Rational[]) => Rational;
}
const unary = (run: (value: Rational) => Rational): FunctionSpec => ({ minArguments: 1, maxArguments: 1, run });
const variadic = (run: (all: readonly Rational[]) => Rational): FunctionSpec => ({
  minArguments: 1,
  maxArguments: 200,
  run: (_first, _second, all) => run(all),
});

const functions: Readonly<Record<string, FunctionSpec>> = {
  abs: unary((value) => (value.numerator < 0n ? negate(value) : value)),
  floor: unary(whole),
  ceil: unary(ceiling),
  sqrt: unary(squareRoot),
  ln: unary(rounded(Math.log)),
  log: unary(rounded(Math.log10)),
  log10: unary(rounded(Math.log10)),
  log2: unary(rounded(Math.log2)),
  exp: unary(rounded(Math.exp)),
  sin: unary(rounded(Math.sin)),
  cos: unary(rounded(Math.cos)),
  tan: unary(rounded(Math.tan)),
  round: {
    minArguments: 1,
    maxArguments: 2,
    run: (value, digits) => round(value, digits === undefined ? 0 : toNumber(digits)),
  },
  mod: { minArguments: 2, maxArguments: 2, run: (value, by) => modulo(value, by ?? value) },
  pow: { minArguments: 2, maxArguments: 2, run: (value, by) => power(value, by ?? value) },
  min: variadic((all) => all.reduce(smaller)),
  max: variadic((all) => all.reduce(larger)),
  sum: variadic(total),
  avg: variadic((all) => divide(total(all), rational(BigInt(all.length), 1n))),
};

const constants: Readonly<Record<string, Rational>> = {
  pi: { ...readNumber('3.14159265358979323846264338327950288'), exact: false },
  e: { ...readNumber('2.71828182845904523536028747135266250'), exact: false },
};

const hundred = rational(100n, 1n);

/** Reads and calculates at once, by recursive descent. */
class Reader {
  #at = 0;
  readonly #tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  all(): Rational {
    if (this.#tokens.length === 0) throw new CalculationError('it is empty');
    const value = this.#sum(0);
    const left = this.#tokens[this.#at];
    if (left !== undefined)
      throw new CalculationError(
        left.text === ','
          ? 'it holds a comma; write numbers without commas between their digits'
          : `${JSON.stringify(left.text)} stands where an operator is needed`,
      );
    return value;
  }

  #takes(...wanted: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || !wanted.includes(token.text)) return null;
    this.#at++;
    return token.text;
  }

  #sum(depth: number): Rational {
    if (depth > MAX_DEPTH) throw new CalculationError('its brackets are nested too deeply');
    let value = this.#product(depth);
    for (let sign = this.#takes('+', '-'); sign !== null; sign = this.#takes('+', '-')) {
      const next = this.#product(depth);
      value = sign === '+' ? add(value, next) : subtract(value, next);
    }
    return value;
  }

  #product(depth: number): Rational {
    let value = this.#signed(depth);
    for (;;) {
      const sign = this.#takes('*', '/', '%');
      if (sign === null) return value;
      const next = this.#signed(depth);
      if (sign === '*') value = multiply(value, next);
      else value = sign === '/' ? divide(value, next) : modulo(value, next);
    }
  }

  #signed(depth: number): Rational {
    let negative = false;
    for (let sign = this.#takes('+', '-'); sign !== null; sign = this.#takes('+', '-'))
      if (sign === '-') negative = !negative;
    const value = this.#power(depth);
    return negative ? negate(value) : value;
  }

  #power(depth: number): Rational {
    const base = this.#percent(depth);
    if (this.#takes('^') === null) return base;
    if (depth > MAX_DEPTH) throw new CalculationError('its powers are nested too deeply');
    const negative = this.#takes('-') !== null;
    const exponent = this.#power(depth + 1);
    return power(base, negative ? negate(exponent) : exponent);
  }

  /** `10%` is a tenth; `10 % 3` is what is left of a division. */
  #percent(depth: number): Rational {
    let value = this.#single(depth);
    for (;;) {
      const [sign, next] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]];
      if (sign?.text !== '%' || (next !== undefined && (next.kind !== 'sign' || next.text === '('))) return value;
      this.#at++;
      value = divide(value, hundred);
    }
  }

  #single(depth: number): Rational {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw new CalculationError('it ends too early');
    if (token.kind === 'number') return readNumber(token.text);
    if (token.kind === 'name') return this.#named(token.text, depth);
    if (token.text !== '(') throw new CalculationError(`a number is missing before ${JSON.stringify(token.text)}`);
    const value = this.#sum(depth + 1);
    if (this.#takes(')') === null) throw new CalculationError('a closing bracket is missing');
    return value;
  }

  #named(name: string, depth: number): Rational {
    const constant = Object.hasOwn(constants, name) ? constants[name] : undefined;
    if (constant) return constant;
    const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!known)
      throw new CalculationError(
        `it names ${name}; known are ${[...Object.keys(functions), ...Object.keys(constants)].join(', ')}`,
      );
    if (this.#takes('(') === null) throw new CalculationError(`${name} needs its numbers in brackets`);
    const given = [this.#sum(depth + 1)];
    while (this.#takes(',') !== null) given.push(this.#sum(depth + 1));
    if (this.#takes(')') === null) throw new CalculationError('a closing bracket is missing');
    const [first, second] = given;
    if (first === undefined || given.length < known.minArguments || given.length > known.maxArguments)
      throw new CalculationError(`${name} does not take ${given.length} ${given.length === 1 ? 'number' : 'numbers'}`);
    return known.run(first, second, given);
  }
}

/** Calculates, without rounding wherever that can be. Throws CalculationError, which says what is wrong. */
export function calculate(expression: string): { readonly text: string; readonly exact: boolean } {
  if (expression.length > MAX_EXPRESSION_LENGTH)
    throw new CalculationError(`it has more than ${MAX_EXPRESSION_LENGTH} characters`);
  return formatNumber(new Reader(tokensOf(expression)).all());
}
