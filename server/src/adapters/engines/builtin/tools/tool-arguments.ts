import { calculate } from '../arithmetic.ts';
import type { Suggest } from '../json/json-by-schema.ts';
import { type Schema, isSchema, listOf, typeOf } from '../json/schema.ts';
import { isFunctionWord, stem, terms, words } from '../words.ts';

/** What values can be taken from. */
export interface ValueSource {
  readonly text: string;
  /** Stems of the tool's own words, which are no names of things. */
  readonly known: ReadonlySet<string>;
  /** The thing that this call is about, where the text names several. */
  readonly chosen?: string | undefined;
}

/** Longest text that values are looked for in, in UTF-16 units. */
export const MAX_TEXT = 4_000;

/** Words of a name in any of the usual spellings: `checkInDate`, `check_in-date`. */
export const splitIdentifier = (name: string): string =>
  name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_\-.]+/g, ' ');

const QUOTED = /["“「『]([^"”」』\n]{1,200})["”」』]|(?<![\p{L}\d])['‘]([^'’\n]{1,200})['’](?![\p{L}])/gu;
/** Words of commands and of time, which name nothing. */
const NOT_NAMES =
  '오늘 내일 모레 어제 지금 현재 이번 다음 검색 조회 확인 계산 예약 추가 어때 today tomorrow yesterday now hello hi please thanks monday tuesday wednesday thursday friday saturday sunday';
const notNames = new Set(NOT_NAMES.split(' '));
const COMMAND = /(?:줘|줘요|주세요|십시오|세요|까|까요|나요|야|요|다|해|봐)$/;

/** Whether a word may name a thing: no word of grammar, of commands, or of the tool. */
const isName = (word: string, known: ReadonlySet<string>) =>
  [word, stem(word)].every((one) => !isFunctionWord(one) && !notNames.has(one) && !known.has(one));

/** Named things of a text: in quotation marks if there are any, else words with capitals, then Korean nouns. */
export function namesIn(text: string, known: ReadonlySet<string>): string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '');
  if (quoted.length > 0) return quoted;
  const latin = [...text.matchAll(/\p{Lu}[\p{L}\d'’-]*(?:,? \p{Lu}[\p{L}\d'’-]*)*/gu)].flatMap(([run]) => {
    const own = run.split(' ').filter((word) => isName(word.toLowerCase().replace(/[,'’].*$/, ''), known));
    return own.join(' ').split(/, (?=\p{L}{3})/u);
  });
  const korean = [...text.matchAll(/[가-힣]{2,24}/g)].flatMap(([word]) =>
    !isName(word, known) || (COMMAND.test(word) && stem(word) === word) ? [] : [stem(word)],
  );
  const found = [...latin.map((name) => name.replace(/['’]s$/, '')), ...korean.filter((noun) => noun.length > 1)];
  return [...new Set(found.filter((name) => name !== ''))];
}

/** Numbers of a text, in order. */
const numbersIn = (text: string) =>
  [...text.matchAll(/(?<![\p{L}\d.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.])-?\d+(?:\.\d+)?/gu)]
    .slice(0, 50)
    .map(({ 0: number, index }) => ({ value: Number(number.replaceAll(',', '')), index, end: index + number.length }));

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** "title: Report", "제목은 '보고'", "name=Kim", "age is 42". */
function explicitValue(name: string, text: string): string | undefined {
  if (name.length < 2 || name.length > 80) return undefined;
  const pattern = new RegExp(
    `(?<![\\p{L}\\d])${escapeRegExp(name)}(?:은|는|이|가|\\s{0,3}[:：=]|\\s(?:is|named|called))\\s{0,3}(?:["'“]([^"'”\\n]{1,300})|([^\\s,;，"'][^,;，\\n]{0,200}))`,
    'iu',
  );
  const found = pattern.exec(text);
  return (found?.[1] ?? found?.[2])
    ?.replace(/\s+(?:and|그리고|with)\s.*$/is, '')
    .replace(/[.?!]+$/, '')
    .trim();
}

const formats: Readonly<Record<string, RegExp>> = {
  email: /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/,
  uri: /https?:\/\/[^\s"'<>]{1,2000}/,
  url: /https?:\/\/[^\s"'<>]{1,2000}/,
  date: /\d{4}-\d\d-\d\d/,
  'date-time': /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/,
};
/** Names of strings that take the words of the user whole. */
const WHOLE =
  /\b(?:query|q|question|keywords?|search|content|message|text|body|input|prompt|description)\b|검색어|질의|질문|내용|본문|메시지/i;
/** Commands around what is to be searched for. */
const SEARCHES =
  /^\s*(?:please\s+)?(?:search|look|find)(?:\s+(?:up|for|about))*\s+|\s*(?:을|를|에 대해)?\s*(?:검색|조회|찾아)(?:해|하여)?\s*(?:줘|주세요|봐)?[.!]?\s*$/gi;
const OFF = /\b(?:no|not|don't|without|off|disable|false)\b|없이|말고|제외|빼고|꺼|끄|안 /i;

/** The first of some options that a text names. */
const pickOption = (options: readonly unknown[], text: string) =>
  options.find((option) => {
    const at = text.toLowerCase().indexOf(String(option).toLowerCase());
    return option !== '' && at >= 0 && !/[\p{L}\d]/u.test(text.charAt(at - 1));
  });

/** Takes the number that stands beside a property's name, or the next one where it must have one. */
function takeNumber(left: ReturnType<typeof numbersIn>, about: string, text: string, optional: boolean) {
  const own = new Set(terms(about).filter((word) => word.length > 1));
  const near = left.findIndex(({ index, end }) =>
    terms(text.slice(Math.max(0, index - 16), end + 16)).some((word) => own.has(word)),
  );
  return near < 0 && optional ? undefined : left.splice(Math.max(0, near), 1)[0]?.value;
}

/** Whether a switch is meant on or off; undefined where the text does not speak of it. */
function pickBoolean(about: string, text: string): boolean | undefined {
  const isMeant = /^(?:on|enabled?)$/i.test(about) || words(about).some((word) => text.toLowerCase().includes(word));
  return isMeant ? !OFF.test(text) : undefined;
}

/** Fills the places of a schema from what a text says. Each number and name is used once. */
export function suggestFrom({ text: whole, known, chosen }: ValueSource): Suggest {
  const text = whole.slice(0, MAX_TEXT);
  const names = chosen === undefined ? namesIn(text, known) : [chosen];
  const numbers = numbersIn(text);
  const left = { names: [...names], numbers: [...numbers] };
  const remembered = new Map<string, unknown>();

  const pickString = (about: string, schema: Schema, optional: boolean): string | undefined => {
    const format = schema['format'] ?? /e-?mail|\burl\b/i.exec(about)?.[0].toLowerCase().replace('-', '');
    const shape = typeof format === 'string' ? formats[format] : undefined;
    if (shape) return shape.exec(text)?.[0];
    const stated = explicitValue(about, text);
    if (stated !== undefined) return stated;
    const sum = /expression|formula|수식|계산식/i.test(about) ? calculate(text) : null;
    if (sum) return sum.expression.replaceAll('×', '*').replaceAll('÷', '/');
    if (WHOLE.test(about)) return optional ? undefined : text.replace(SEARCHES, '').trim() || text;
    return left.names.shift() ?? (optional ? undefined : (names.at(-1) ?? text.trim()));
  };

  const pickList = (items: unknown): readonly unknown[] | undefined => {
    const schema = isSchema(items) ? items : {};
    const options = listOf(schema['enum']);
    if (options.length > 0) return options.filter((option) => pickOption([option], text) !== undefined);
    const type = typeOf(schema);
    if (type === 'number' || type === 'integer') return numbers.map(({ value }) => value);
    return type === 'string' ? names : undefined;
  };

  const suggest: Suggest = (path, schema, optional) => {
    const about = splitIdentifier(String(path.findLast((part) => typeof part === 'string') ?? ''));
    if (Array.isArray(schema['enum'])) return pickOption(listOf(schema['enum']), text);
    const type = typeOf(schema);
    if (type === 'boolean') return pickBoolean(about, text);
    if (type === 'number' || type === 'integer') return takeNumber(left.numbers, about, text, optional);
    if (type === 'string') return pickString(about, schema, optional);
    return type === 'array' && !optional ? pickList(schema['items']) : undefined;
  };

  return (path, schema, optional) => {
    // The same place is asked for more than once; it gets the same answer.
    const key = path.join('/');
    if (!remembered.has(key) || (remembered.get(key) === undefined && !optional))
      remembered.set(key, suggest(path, schema, optional));
    return remembered.get(key);
  };
}
