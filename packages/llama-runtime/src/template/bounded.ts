import { Environment, Interpreter, type Template } from '@huggingface/jinja';

// The package's own declarations name files without their ending, which this module resolution does not follow.
interface Statement {
  readonly type: string;
}
interface Value {
  readonly value: unknown;
}
interface Scope {
  set(name: string, value: unknown): unknown;
}
interface Evaluator {
  evaluate(statement: Statement | undefined, scope: Scope): Value;
  evaluateBlock(statements: readonly Statement[], scope: Scope): Value;
  run(program: unknown): Value;
}
const OpenScope = Environment as unknown as new () => Scope;
const OpenEvaluator = Interpreter as unknown as new (scope: Scope) => Evaluator;

/** Limits of one prompt. No conversation reaches them; a template in an endless loop does within moments. */
export interface RenderLimits {
  /** Characters of a text: of the prompt, and of any that is made on the way to it. */
  readonly text: number;
  /** Characters of all texts together that loops, filters and functions make. */
  readonly texts: number;
  /** Values of a list. */
  readonly list: number;
  /** Values in all lists together that are made. */
  readonly lists: number;
}

export const RENDER_LIMITS: RenderLimits = {
  text: 32 * 1024 * 1024,
  texts: 256 * 1024 * 1024,
  list: 1_000_000,
  lists: 8_000_000,
};

/** A list that holds values of others takes so much less than one of new values. */
const SHARED = 1 / 8;

/** A template that goes beyond its bounds. */
export class RenderLimitExceeded extends Error {
  constructor(what: string) {
    super(`it makes too much of ${what}`);
    this.name = 'RenderLimitExceeded';
  }
}

/** Expressions that make new values. */
const ALLOCATING_EXPRESSIONS: ReadonlySet<string> = new Set(['FilterExpression', 'CallExpression']);
/** Expressions that make new lists of the values that there are. */
const COPYING_EXPRESSIONS: ReadonlySet<string> = new Set(['BinaryExpression', 'MemberExpression']);

/** Evaluates a template and ends it where a value grows too large: a time limit alone lets memory run out first. */
class BoundedEvaluator extends OpenEvaluator {
  readonly #bounds: RenderLimits;
  #texts = 0;
  #values = 0;

  constructor(scope: Scope, bounds: RenderLimits) {
    super(scope);
    this.#bounds = bounds;
  }

  override evaluate(statement: Statement | undefined, scope: Scope): Value {
    const value = super.evaluate(statement, scope);
    const type = statement?.type ?? '';
    if (typeof value.value === 'string') this.#countText(type, value.value.length);
    else if (Array.isArray(value.value)) this.#countValues(type, value.value.length);
    return value;
  }

  /** One turn of a loop, for one thing: what it writes is looked at before the loop is over. */
  override evaluateBlock(statements: readonly Statement[], scope: Scope): Value {
    const value = super.evaluateBlock(statements, scope);
    if (typeof value.value === 'string') this.#addText(value.value.length);
    return value;
  }

  #countText(type: string, length: number): void {
    if (length > this.#bounds.text) throw new RenderLimitExceeded('one text');
    // What is tied together of parts takes no memory of its own.
    if (ALLOCATING_EXPRESSIONS.has(type)) this.#addText(length);
  }

  #addText(length: number): void {
    this.#texts += length;
    if (this.#texts > this.#bounds.texts) throw new RenderLimitExceeded('text');
  }

  #countValues(type: string, length: number): void {
    if (length > this.#bounds.list) throw new RenderLimitExceeded('one list');
    this.#values += length * (ALLOCATING_EXPRESSIONS.has(type) ? 1 : COPYING_EXPRESSIONS.has(type) ? SHARED : 0);
    if (this.#values > this.#bounds.lists) throw new RenderLimitExceeded('lists');
  }
}

/** Python's range. Throws RenderLimitExceeded. */
const rangeOf =
  (maxLength: number) =>
  (first: number, second?: number, step = 1): number[] => {
    const [start, stop] = second === undefined ? [0, first] : [first, second];
    if (step === 0) throw new Error('range() step must not be zero');
    const length = Math.max(0, Math.ceil((stop - start) / step));
    if (length > maxLength) throw new RenderLimitExceeded('one list');
    return Array.from({ length }, (_, i) => start + i * step);
  };

const two = (value: number) => String(value).padStart(2, '0');
const monthOf = (date: Date, form: 'long' | 'short') => date.toLocaleDateString('en', { month: form });
const dayOf = (date: Date, form: 'long' | 'short') => date.toLocaleDateString('en', { weekday: form });

/** The time in the words of C's strftime, as far as templates use it. */
function formatTime(date: Date, format: string): string {
  const parts: Readonly<Record<string, () => string>> = {
    Y: () => String(date.getFullYear()),
    m: () => two(date.getMonth() + 1),
    d: () => two(date.getDate()),
    B: () => monthOf(date, 'long'),
    b: () => monthOf(date, 'short'),
    A: () => dayOf(date, 'long'),
    a: () => dayOf(date, 'short'),
    H: () => two(date.getHours()),
    M: () => two(date.getMinutes()),
    S: () => two(date.getSeconds()),
    '%': () => '%',
  };
  return format.replace(/%(.)/g, (all, letter: string) => parts[letter]?.() ?? all);
}

/** Names that every template knows. Source: Hugging Face Transformers, chat template utilities. */
const globalsOf = (bounds: RenderLimits): Readonly<Record<string, unknown>> => ({
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  raise_exception: (message: unknown) => {
    throw new Error(String(message));
  },
  range: rangeOf(bounds.list),
  strftime_now: (format: string) => formatTime(new Date(), format),
});

/** Renders a template. Throws RenderLimitExceeded, and what the template itself throws. */
export function renderBounded(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  bounds: RenderLimits,
): string {
  const scope = new OpenScope();
  for (const [name, value] of Object.entries({ ...globalsOf(bounds), ...variables })) scope.set(name, value);
  return String(new BoundedEvaluator(scope, bounds).run((template as { readonly parsed: unknown }).parsed).value);
}
