import type { Budget } from './budget.ts';
import { formatFields } from './printf.ts';
import { type Keywords, Tuple, type Value, isNumber, itemsOf, numberOf, typeName } from './values.ts';

// Methods of texts. Source: Python, "Built-in Types", Text Sequence Type.

type Method = (text: string, args: readonly Value[], keywords: Keywords, budget: Budget) => Value;

const SPACE = /[\s\u001c-\u001f\u0085]/;

const stringFor = (value: Value, method: string): string => {
  if (typeof value === 'string') return value;
  throw new Error(`${method}() takes a text, not ${typeName(value)}`);
};
const countFor = (value: Value): number => {
  if (value === undefined || value === null) return -1;
  if (isNumber(value)) return numberOf(value);
  throw new Error(`an integer is required, not ${typeName(value)}`);
};

/** A text without characters at its ends: white space, or any of those given. */
export function stripped(text: string, chars: Value, side: 'left' | 'right' | 'both'): string {
  const set = chars === undefined || chars === null ? null : new Set(Array.from(stringFor(chars, 'strip')));
  const letters = set === null ? null : Array.from(text);
  const drop = (c: string | undefined) => c !== undefined && (set === null ? SPACE.test(c) : set.has(c));
  const all = letters ?? text;
  let from = 0;
  let to = all.length;
  if (side !== 'right') while (from < to && drop(all[from])) from++;
  if (side !== 'left') while (to > from && drop(all[to - 1])) to--;
  return letters === null ? text.slice(from, to) : letters.slice(from, to).join('');
}

function split(text: string, separator: Value, limit: number, budget: Budget): Value[] {
  let parts: string[];
  if (separator === undefined || separator === null) {
    parts = text.split(/\s+/).filter((part) => part !== '');
    if (limit >= 0 && parts.length > limit) parts = splitAtSpace(text, limit);
  } else {
    const mark = stringFor(separator, 'split');
    if (mark === '') throw new Error('empty separator');
    parts = text.split(mark);
    if (limit >= 0 && parts.length > limit + 1) parts.push(parts.splice(limit).join(mark));
  }
  budget.list(parts.length);
  return parts;
}

function splitAtSpace(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text.trimStart();
  while (parts.length < limit && rest !== '') {
    const end = rest.search(/\s/);
    if (end < 0) break;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? parts : [...parts, rest];
}

function splitFromEnd(text: string, separator: Value, limit: number, budget: Budget): Value[] {
  if (separator === undefined || separator === null) {
    const turned = (value: string) => Array.from(value).toReversed().join('');
    return split(turned(text), separator, limit, budget)
      .map((part) => turned(part as string))
      .toReversed();
  }
  const mark = stringFor(separator, 'rsplit');
  const parts = split(text, separator, -1, budget) as string[];
  if (limit < 0 || parts.length <= limit + 1) return parts;
  return [parts.slice(0, parts.length - limit).join(mark), ...parts.slice(parts.length - limit)];
}

/** Replaces a text in another one; `limit` below 0: everywhere. */
export function replaced(text: string, from: string, to: string, limit: number, budget: Budget): string {
  let count = 0;
  const step = from === '' ? 1 : from.length;
  for (let at = text.indexOf(from); at >= 0 && at <= text.length; at = text.indexOf(from, at + step)) {
    if (limit >= 0 && count >= limit) break;
    count++;
    if (at + step > text.length) break;
  }
  budget.text(text.length + count * (to.length - from.length));
  if (from === '') return replacedBetween(text, to, limit);
  if (limit < 0) return text.replaceAll(from, () => to);
  const parts = text.split(from);
  return [parts.slice(0, count + 1).join(to), ...parts.slice(count + 1)].join(from);
}

/** Puts a text before each character and at the end. */
function replacedBetween(text: string, to: string, limit: number): string {
  const letters = Array.from(text);
  const places = limit < 0 ? letters.length + 1 : Math.min(limit, letters.length + 1);
  return letters.map((c, i) => (i < places ? to : '') + c).join('') + (places > letters.length ? to : '');
}

const capital = (text: string) => {
  const [first = '', ...rest] = Array.from(text);
  return first.toUpperCase() + rest.join('').toLowerCase();
};

function begins(method: 'startsWith' | 'endsWith'): Method {
  return (text, [given, start, end]) => {
    const part = start === undefined && end === undefined ? text : text.slice(countFor(start ?? 0), countOrEnd(end));
    const marks = given instanceof Tuple ? given.items : [given];
    return marks.some((mark) => part[method](stringFor(mark, method.toLowerCase())));
  };
}
const countOrEnd = (value: Value) => (value === undefined || value === null ? undefined : countFor(value));

const pad =
  (side: 'padStart' | 'padEnd'): Method =>
  (text, [width, fill = ' '], _keywords, budget) => {
    budget.text(Math.max(text.length, countFor(width)));
    return text[side](countFor(width), stringFor(fill, 'pad'));
  };

const every =
  (pattern: RegExp): Method =>
  (text) =>
    text !== '' && pattern.test(text);

const cut =
  (last: boolean): Method =>
  (text, [given]) => {
    const mark = stringFor(given, 'partition');
    const at = last ? text.lastIndexOf(mark) : text.indexOf(mark);
    if (at < 0) return new Tuple(last ? ['', '', text] : [text, '', '']);
    return new Tuple([text.slice(0, at), mark, text.slice(at + mark.length)]);
  };

const place =
  (last: boolean): Method =>
  (text, [given]) => {
    const mark = stringFor(given, 'find');
    const at = last ? text.lastIndexOf(mark) : text.indexOf(mark);
    // Python counts code points.
    return at < 0 ? -1 : Array.from(text.slice(0, at)).length;
  };

/** A text in the middle of so many characters. */
export function centered(text: string, width: number, budget: Budget): string {
  budget.text(Math.max(text.length, width));
  const missing = Math.max(0, width - text.length);
  const left = Math.floor(missing / 2) + (missing % 2 === 1 && width % 2 === 1 ? 1 : 0);
  return ' '.repeat(left) + text + ' '.repeat(missing - left);
}

const methods: Readonly<Record<string, Method>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.toLowerCase(),
  swapcase: (text) => Array.from(text, (c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join(''),
  capitalize: capital,
  title: (text) => text.replace(/\p{L}+/gu, capital),
  strip: (text, [chars]) => stripped(text, chars, 'both'),
  lstrip: (text, [chars]) => stripped(text, chars, 'left'),
  rstrip: (text, [chars]) => stripped(text, chars, 'right'),
  startswith: begins('startsWith'),
  endswith: begins('endsWith'),
  split: (text, [separator, limit], keywords, budget) =>
    split(text, separator ?? keywords.get('sep'), countFor(limit ?? keywords.get('maxsplit')), budget),
  rsplit: (text, [separator, limit], keywords, budget) =>
    splitFromEnd(text, separator ?? keywords.get('sep'), countFor(limit ?? keywords.get('maxsplit')), budget),
  splitlines: (text, _args, _keywords, budget) => {
    const lines = text.split(/\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/);
    if (lines.at(-1) === '') lines.pop();
    budget.list(lines.length);
    return lines;
  },
  replace: (text, [from, to, limit], keywords, budget) =>
    replaced(
      text,
      stringFor(from, 'replace'),
      stringFor(to, 'replace'),
      countFor(limit ?? keywords.get('count')),
      budget,
    ),
  join: (text, [list], _keywords, budget) => {
    const parts = itemsOf(list, budget).map((part) => stringFor(part, 'join'));
    budget.text(parts.reduce((length, part) => length + part.length + text.length, 0));
    return parts.join(text);
  },
  find: place(false),
  rfind: place(true),
  index: (text, args, keywords, budget) => {
    const at = place(false)(text, args, keywords, budget);
    if (at === -1) throw new Error('substring not found');
    return at;
  },
  count: (text, [mark]) => {
    const given = stringFor(mark, 'count');
    return given === '' ? Array.from(text).length + 1 : text.split(given).length - 1;
  },
  format: (text, args, keywords, budget) => formatFields(text, args, keywords, budget),
  partition: cut(false),
  rpartition: cut(true),
  removeprefix: (text, [mark]) => {
    const given = stringFor(mark, 'removeprefix');
    return text.startsWith(given) ? text.slice(given.length) : text;
  },
  removesuffix: (text, [mark]) => {
    const given = stringFor(mark, 'removesuffix');
    return given !== '' && text.endsWith(given) ? text.slice(0, -given.length) : text;
  },
  ljust: pad('padEnd'),
  rjust: pad('padStart'),
  center: (text, [width], _keywords, budget) => centered(text, countFor(width), budget),
  zfill: (text, [width], _keywords, budget) => {
    budget.text(Math.max(text.length, countFor(width)));
    const sign = /^[-+]/.exec(text)?.[0] ?? '';
    return sign + text.slice(sign.length).padStart(countFor(width) - sign.length, '0');
  },
  isdigit: every(/^\p{Nd}+$/u),
  isdecimal: every(/^\p{Nd}+$/u),
  isnumeric: every(/^\p{N}+$/u),
  isalpha: every(/^\p{L}+$/u),
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isspace: every(/^\s+$/),
  islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
};

/** A method of a text; null where it has none of that name. */
export function stringMethod(text: string, name: string, budget: Budget) {
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method) return null;
  return (args: readonly Value[], keywords: Keywords): Value => {
    const made = method(text, args, keywords, budget);
    if (typeof made === 'string') budget.text(made.length);
    return made;
  };
}
