import type { Budget } from './budget.ts';
import { toJson } from './json.ts';
import { pairsOf, pathOf } from './members.ts';
import { formatted } from './printf.ts';
import { centered, replaced, stripped } from './strings.ts';
import { testOf } from './tests.ts';
import {
  Float,
  type Keywords,
  Namespace,
  Tuple,
  type Value,
  compare,
  equal,
  floatOf,
  isFloat,
  isNumber,
  isTrue,
  itemsOf,
  numberOf,
  textOf,
  typeName,
} from './values.ts';

// Source: Jinja, "Template Designer Documentation", List of Builtin Filters; `tojson` as Hugging Face Transformers replaces it.

/** What a filter was given beside its value. */
export interface FilterInput {
  readonly args: readonly Value[];
  readonly keywords: Keywords;
  readonly budget: Budget;
}

type Filter = (value: Value, input: FilterInput) => Value;

/** An argument by its place or its name. */
const argument = ({ args, keywords }: FilterInput, at: number, name: string): Value => args[at] ?? keywords.get(name);

function nameOf(value: Value): string {
  if (typeof value === 'string') return value;
  throw new Error(`a text is wanted, not ${typeName(value)}`);
}

function wholeOf(value: Value, otherwise: number): number {
  return isNumber(value) ? Math.trunc(numberOf(value)) : otherwise;
}

const text =
  (make: (text: string, input: FilterInput) => string): Filter =>
  (value, input) => {
    const made = make(textOf(value, input.budget), input);
    input.budget.text(made.length);
    return made;
  };

const list = (items: readonly Value[], { budget }: FilterInput): Value[] => {
  budget.list(items.length, true);
  return [...items];
};

/** What values are compared by: an attribute, and texts without regard to upper and lower case. */
function keyOf(input: FilterInput, caseAt: number, attributeAt: number): (value: Value) => Value {
  const isExact = isTrue(argument(input, caseAt, 'case_sensitive'));
  const attribute = argument(input, attributeAt, 'attribute');
  return (value) => {
    const key = attribute === undefined || attribute === null ? value : pathOf(value, attribute, input.budget);
    return !isExact && typeof key === 'string' ? key.toLowerCase() : key;
  };
}

const sorted: Filter = (value, input) => {
  const key = keyOf(input, 1, 2);
  const sign = isTrue(argument(input, 0, 'reverse')) ? -1 : 1;
  return list(itemsOf(value, input.budget), input).sort((a, b) => sign * compare(key(a), key(b)));
};

const extreme =
  (sign: 1 | -1): Filter =>
  (value, input) => {
    const key = keyOf(input, 0, 1);
    const [first, ...rest] = itemsOf(value, input.budget);
    return rest.reduce((best, one) => (sign * compare(key(one), key(best)) > 0 ? one : best), first);
  };

const dictsort: Filter = (value, input) => {
  if (!(value instanceof Map)) throw new Error(`dictsort takes a mapping, not ${typeName(value)}`);
  const at = argument(input, 1, 'by') === 'value' ? 1 : 0;
  const isExact = isTrue(argument(input, 0, 'case_sensitive'));
  const sign = isTrue(argument(input, 2, 'reverse')) ? -1 : 1;
  const key = (pair: Value) => {
    const one = (pair as Tuple).items[at];
    return !isExact && typeof one === 'string' ? one.toLowerCase() : one;
  };
  return pairsOf(value, input.budget).sort((a, b) => sign * compare(key(a), key(b)));
};

/** What `select`, `map` and their kin go through: nothing where the value is none, empty or 0. */
const someOf = (value: Value, { budget }: FilterInput): readonly Value[] =>
  isTrue(value) ? itemsOf(value, budget) : [];

/** `select` and `reject`, of values or of attributes of theirs. */
const chosen =
  (wanted: boolean, byAttribute: boolean): Filter =>
  (value, input) => {
    const [attribute, ...more] = byAttribute ? input.args : [undefined, ...input.args];
    const [name, other] = more;
    const test = name === undefined ? null : testOf(nameOf(name));
    const fits = (one: Value) => {
      const seen = byAttribute ? pathOf(one, attribute, input.budget) : one;
      return (test ? test(seen, other) : isTrue(seen)) === wanted;
    };
    return list(someOf(value, input).filter(fits), input);
  };

const mapped: Filter = (value, input) => {
  const items = someOf(value, input);
  const attribute = input.keywords.get('attribute');
  if (attribute !== undefined) {
    const otherwise = input.keywords.get('default');
    return list(
      items.map((one) => pathOf(one, attribute, input.budget) ?? otherwise),
      input,
    );
  }
  const [name, ...args] = input.args;
  const filter = filterOf(nameOf(name));
  return list(
    items.map((one) => filter(one, { ...input, args })),
    input,
  );
};

const joined: Filter = (value, input) => {
  const separator = textOf(argument(input, 0, 'd'), input.budget);
  const attribute = argument(input, 1, 'attribute');
  const parts = itemsOf(value, input.budget).map((one) =>
    textOf(attribute === undefined ? one : pathOf(one, attribute, input.budget), input.budget),
  );
  input.budget.text(parts.reduce((length, part) => length + part.length + separator.length, 0));
  return parts.join(separator);
};

const indented = text((given, input) => {
  const width = argument(input, 0, 'width') ?? 4;
  const size = typeof width === 'string' ? width.length : wholeOf(width, 4);
  const lines = given.split('\n');
  input.budget.text(given.length + size * lines.length);
  const space = typeof width === 'string' ? width : ' '.repeat(size);
  const isFirst = isTrue(argument(input, 1, 'first'));
  const isBlank = isTrue(argument(input, 2, 'blank'));
  return lines.map((line, i) => ((i === 0 ? isFirst : isBlank || line !== '') ? space + line : line)).join('\n');
});

const json: Filter = (value, input) => {
  const indent = argument(input, 1, 'indent');
  const separators = argument(input, 2, 'separators');
  const pair = separators === undefined || separators === null ? null : itemsOf(separators, input.budget);
  return toJson(
    value,
    {
      indent:
        indent === undefined || indent === null
          ? null
          : typeof indent === 'string'
            ? indent
            : ' '.repeat(Math.min(64, Math.max(0, wholeOf(indent, 0)))),
      asciiOnly: isTrue(argument(input, 0, 'ensure_ascii')),
      sortKeys: isTrue(argument(input, 3, 'sort_keys')),
      separators: pair ? [nameOf(pair[0]), nameOf(pair[1])] : null,
    },
    input.budget,
  );
};

function lengthOf(value: Value): number {
  if (typeof value === 'string') return /[\ud800-\udfff]/.test(value) ? Array.from(value).length : value.length;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Tuple) return value.items.length;
  if (value instanceof Map) return value.size;
  if (value === undefined) return 0;
  throw new Error(`object of type '${typeName(value)}' has no len()`);
}

function parsedNumber(value: Value): number {
  if (isNumber(value)) return numberOf(value);
  if (typeof value !== 'string' || !/^\s*[-+]?(\d[\d_]*\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value)) return NaN;
  return Number(value.replaceAll('_', ''));
}

const unique: Filter = (value, input) => {
  const key = keyOf(input, 0, 1);
  const seen: Value[] = [];
  const isNew = (one: Value) => {
    const own = key(one);
    if (seen.some((other) => equal(other, own))) return false;
    seen.push(own);
    return true;
  };
  return list(itemsOf(value, input.budget).filter(isNew), input);
};

const grouped: Filter = (value, input) => {
  const attribute = argument(input, 0, 'attribute');
  const groups: { readonly key: Value; readonly items: Value[] }[] = [];
  const keyed = itemsOf(value, input.budget).map((one) => [pathOf(one, attribute, input.budget), one] as const);
  for (const [key, one] of keyed.toSorted(([a], [b]) => compare(a, b))) {
    const last = groups.at(-1);
    if (last && equal(last.key, key)) last.items.push(one);
    else groups.push({ key, items: [one] });
  }
  input.budget.list(keyed.length, true);
  return groups.map(({ key, items }) => new Tuple([key, items]));
};

const batched: Filter = (value, input) => {
  const items = itemsOf(value, input.budget);
  const size = Math.max(1, wholeOf(argument(input, 0, 'linecount'), 1));
  const fill = argument(input, 1, 'fill_with');
  input.budget.list(items.length, true);
  const rows = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
  const last = rows.at(-1);
  if (fill !== undefined && fill !== null && last) {
    input.budget.list(size);
    rows[rows.length - 1] = [...last, ...Array.from({ length: size - last.length }, () => fill)];
  }
  return rows;
};

const rounded: Filter = (value, input) => {
  const digits = 10 ** wholeOf(argument(input, 0, 'precision'), 0);
  const method = argument(input, 1, 'method') ?? 'common';
  const scaled = parsedNumber(value) * digits;
  const whole = method === 'ceil' ? Math.ceil(scaled) : method === 'floor' ? Math.floor(scaled) : evenly(scaled);
  return floatOf(whole / digits);
};
/** Python rounds halves to the even number. */
const evenly = (value: number) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

const summed: Filter = (value, input) => {
  const attribute = argument(input, 0, 'attribute');
  const numbers = itemsOf(value, input.budget).map((one) =>
    attribute === undefined ? one : pathOf(one, attribute, input.budget),
  );
  const total = numbers.reduce<number>((all, one) => all + parsedNumber(one), wholeOf(argument(input, 1, 'start'), 0));
  return numbers.some(isFloat) ? floatOf(total) : total;
};

const truncated = text((given, input) => {
  const length = wholeOf(argument(input, 0, 'length'), 255);
  const end = textOf(argument(input, 2, 'end') ?? '...', input.budget);
  const leeway = wholeOf(argument(input, 3, 'leeway'), 5);
  if (given.length <= length + leeway) return given;
  const cut = given.slice(0, length - end.length);
  return (
    (isTrue(argument(input, 1, 'killwords')) ? cut : cut.slice(0, Math.max(0, cut.lastIndexOf(' ')) || cut.length)) +
    end
  );
});

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};
const escaped = text((given) => given.replace(/[&<>"']/g, (c) => entities[c] ?? c));

const otherwise: Filter = (value, input) => {
  const isMissing = value === undefined || (isTrue(argument(input, 1, 'boolean')) && !isTrue(value));
  return isMissing ? (argument(input, 0, 'default_value') ?? '') : value;
};

const filters: Readonly<Record<string, Filter>> = {
  abs: (value) => (isFloat(value) ? floatOf(Math.abs(parsedNumber(value))) : Math.abs(parsedNumber(value))),
  attr: (value, { args: [name] }) =>
    value instanceof Namespace && typeof name === 'string' ? value.fields.get(name) : undefined,
  batch: batched,
  capitalize: text((given) => given.charAt(0).toUpperCase() + given.slice(1).toLowerCase()),
  center: (value, input) =>
    centered(textOf(value, input.budget), wholeOf(argument(input, 0, 'width'), 80), input.budget),
  count: (value) => lengthOf(value),
  d: otherwise,
  default: otherwise,
  dictsort,
  e: escaped,
  escape: escaped,
  first: (value, { budget }) => itemsOf(value, budget)[0],
  float: (value, input) => {
    const number = parsedNumber(value);
    return Number.isNaN(number) ? (argument(input, 0, 'default') ?? new Float(0)) : floatOf(number);
  },
  format: (value, { args, keywords, budget }) =>
    formatted(textOf(value, budget), keywords.size > 0 ? new Map(keywords) : args, budget),
  groupby: grouped,
  indent: indented,
  int: (value, input) => {
    const number = parsedNumber(value);
    return Number.isFinite(number) ? Math.trunc(number) : (argument(input, 0, 'default') ?? 0);
  },
  items: (value, { budget }) => {
    if (value === undefined) return [];
    if (value instanceof Map) return pairsOf(value, budget);
    throw new Error('Can only get item pairs from a mapping.');
  },
  join: joined,
  last: (value, { budget }) => itemsOf(value, budget).at(-1),
  length: (value) => lengthOf(value),
  list: (value, input) => list(itemsOf(value, input.budget), input),
  lower: text((given) => given.toLowerCase()),
  map: mapped,
  max: extreme(1),
  min: extreme(-1),
  pprint: text((given) => given),
  reject: chosen(false, false),
  rejectattr: chosen(false, true),
  replace: text((given, input) =>
    replaced(
      given,
      textOf(argument(input, 0, 'old'), input.budget),
      textOf(argument(input, 1, 'new'), input.budget),
      wholeOf(argument(input, 2, 'count'), -1),
      input.budget,
    ),
  ),
  reverse: (value, input) => {
    const turned = itemsOf(value, input.budget).toReversed();
    return typeof value === 'string' ? (turned as string[]).join('') : list(turned, input);
  },
  round: rounded,
  safe: (value) => value,
  select: chosen(true, false),
  selectattr: chosen(true, true),
  sort: sorted,
  string: text((given) => given),
  sum: summed,
  title: text((given) =>
    given.replace(/[^-\s({[<]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()),
  ),
  tojson: json,
  trim: text((given, input) => stripped(given, argument(input, 0, 'chars'), 'both')),
  truncate: truncated,
  unique,
  upper: text((given) => given.toUpperCase()),
  urlencode: text((given) => encodeURIComponent(given).replaceAll('%2F', '/')),
  wordcount: (value, { budget }) => textOf(value, budget).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0,
};

/** A filter by its name. Throws for one that there is not. */
export function filterOf(name: string): Filter {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (!filter) throw new Error(`No filter named '${name}'`);
  return filter;
}
