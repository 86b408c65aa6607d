import { calculate } from './arithmetic.ts';
import { findDates, findTime } from './dates.ts';
import { type Entity, entitiesIn, quotedIn } from './entities.ts';
import { type Path, type Schema, type Suggest, isSchema } from './json-by-schema.ts';
import { synonymsOf } from './synonyms.ts';
import { isFunctionWord, stem, terms, words } from './words.ts';

/** What a value can be taken from. */
export interface Words {
  readonly text: string;
  readonly now: Date;
  /** Stems of the tool's own words, which are no names of things. */
  readonly known: ReadonlySet<string>;
  /** The thing that this call is about, where the text names several. */
  readonly chosen?: Entity | undefined;
}

/** Longest text that values are looked for in, in UTF-16 units. */
export const LONGEST_WORDS = 4_000;

/** Words of a name in any of the usual spellings: `checkInDate`, `check_in-date`. */
export const spelledOut = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_\-.]+/g, ' ');

const descriptionOf = (schema: Schema) =>
  typeof schema['description'] === 'string' ? schema['description'].slice(0, 500) : '';

/** Does a text hold a word, or one that means nearly the same? */
function mentions(stems: ReadonlySet<string>, text: string, word: string): boolean {
  const root = stem(word);
  if (stems.has(root) || text.includes(word)) return true;
  for (const synonym of synonymsOf(root))
    if (stems.has(synonym) || (synonym.length > 1 && text.includes(synonym))) return true;
  return false;
}

function pickOption(options: readonly unknown[], text: string): unknown {
  const lower = text.toLowerCase();
  const stems = new Set(terms(text));
  const scored = options.map((option) => {
    if (typeof option === 'number') return holdsWord(lower, String(option)) ? 2 : 0;
    if (typeof option !== 'string' || option === '') return 0;
    const own = option.toLowerCase();
    const plain = words(spelledOut(option));
    const whole = holdsWord(lower, own);
    if (whole) return 10 + own.length;
    if (plain.length > 0 && plain.every((word) => word.length > 1 && mentions(stems, lower, word))) return 5;
    return 0;
  });
  const best = Math.max(0, ...scored);
  return best > 0 ? options[scored.indexOf(best)] : undefined;
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Whether a text holds a word by itself. A Korean particle may follow it, unless it is a single character. */
function holdsWord(text: string, word: string): boolean {
  const after = word.length > 1 ? /[a-z\d]/ : /[\p{L}\d]/u;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\d]/u.test(text.charAt(at - 1)) && !after.test(text.charAt(at + word.length))) return true;
  }
  return false;
}

/** "title: Report", "제목은 '보고'", "name=Kim", "named Kim". */
function explicit(names: readonly string[], text: string): string | null {
  for (const name of names) {
    if (name.length < 2 || name.length > 80) continue;
    const pattern = new RegExp(
      `(?<![\\p{L}\\d])${escapeRegExp(name)}(?:은|는|이|가|을|를)?\\s{0,3}(?:[:：=]|(?<=[은는])|\\b(?:is|as|of|to|named|called)\\b)\\s{0,3}(?:"([^"\\n]{1,300})"|'([^'\\n]{1,300})'|“([^”\\n]{1,300})”|([^\\s,;，"'][^,;，\\n]{0,200}))`,
      'iu',
    );
    const m = pattern.exec(text);
    if (m)
      return (m[1] ?? m[2] ?? m[3] ?? m[4] ?? '')
        .replace(/\s+(?:and|그리고|with)\s.*$/is, '')
        .replace(/[.?!]+$/, '')
        .trim()
        .replace(/(?:으로|로|이고|이며|입니다|이야|야)$/, '');
  }
  return null;
}

/** The names a property goes by: its own, its description's nouns, and what means nearly the same. */
function namesOf(name: string, schema: Schema): string[] {
  const own = spelledOut(name).toLowerCase();
  const parts = words(own).filter((word) => !isFunctionWord(word));
  const described = words(descriptionOf(schema))
    .filter((word) => !isFunctionWord(word) && word.length > 1)
    .slice(0, 12);
  return [
    ...new Set([
      name.toLowerCase(),
      own,
      ...parts.flatMap((word) => [word, ...synonymsOf(stem(word))]),
      ...described.map(stem),
    ]),
  ];
}

interface FoundNumber {
  readonly value: number;
  readonly index: number;
  readonly end: number;
}

function numbersIn(text: string): FoundNumber[] {
  const magnitudes: Readonly<Record<string, number>> = {
    천: 1e3,
    만: 1e4,
    억: 1e8,
    k: 1e3,
    thousand: 1e3,
    million: 1e6,
  };
  return [...text.matchAll(/(?<![\p{L}\d.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.])-?\d+(?:\.\d+)?/gu)]
    .slice(0, 50)
    .map((m) => {
      const end = m.index + m[0].length;
      const unit = /^\s?(천|만|억|k\b|thousand\b|million\b)/i.exec(text.slice(end, end + 10))?.[1]?.toLowerCase();
      return {
        value: Number(m[0].replaceAll(',', '')) * (unit === undefined ? 1 : (magnitudes[unit] ?? 1)),
        index: m.index,
        end,
      };
    });
}

/** Words after a number that tell what it counts. */
const counters: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^\s?(?:명|인|people|persons?|guests?|adults?)/i,
    /people|person|guest|party|adult|attendee|passenger|인원|명|사람/i,
  ],
  [/^\s?(?:박|nights?)/i, /night|stay|박/i],
  [/^\s?(?:일|days?)/i, /day|일수|기간|duration/i],
  [/^\s?(?:분|minutes?|mins?)/i, /minute|min\b|duration|분/i],
  [/^\s?(?:시간|hours?)/i, /hour|duration|시간/i],
  [/^\s?(?:초|seconds?|secs?)/i, /second|sec\b|초/i],
  [/^\s?(?:원|달러|유로|엔|dollars?|usd|krw|won|euros?|eur)/i, /amount|price|cost|budget|money|value|금액|가격|예산/i],
  [/^\s?(?:개|건|items?|results?|pieces?|copies)/i, /count|limit|quantity|number|top|max|size|amount|개수|수량|건수/i],
  [/^\s?(?:%|퍼센트|percent)/i, /percent|rate|ratio|volume|level|brightness|비율|율/i],
  [/^\s?(?:도|degrees?|°)/i, /temp|degree|온도/i],
  [/^\s?(?:km|킬로|kilomet|miles?|m\b|미터)/i, /distance|radius|거리|반경/i],
  [/^\s?(?:살|세|years? old)/i, /age|나이/i],
];

function pickNumber(
  name: string,
  schema: Schema,
  text: string,
  dates: readonly { index: number; text: string }[],
  taken: Set<number>,
  optional: boolean,
  only: boolean,
): number | undefined {
  const about = `${spelledOut(name)} ${descriptionOf(schema)}`;
  const free = numbersIn(text).filter(
    (n) => !taken.has(n.index) && !dates.some((d) => n.index >= d.index && n.index < d.index + d.text.length),
  );
  const near = free.find((n) =>
    counters.some(([counter, wanted]) => counter.test(text.slice(n.end, n.end + 12)) && wanted.test(about)),
  );
  const stems = new Set(namesOf(name, schema).filter((word) => word.length > 1));
  const named = free.find(
    (n) =>
      terms(text.slice(Math.max(0, n.index - 24), n.index))
        .slice(-2)
        .some((word) => stems.has(word)) ||
      terms(text.slice(n.end, n.end + 16))
        .slice(0, 1)
        .some((word) => stems.has(word)),
  );
  // What another unit claims is not taken for a number without a name.
  const unclaimed =
    free.find((n) => !counters.some(([counter]) => counter.test(text.slice(n.end, n.end + 12)))) ?? free[0];
  const found = named ?? near ?? (!optional || only ? unclaimed : undefined);
  if (found === undefined) return undefined;
  taken.add(found.index);
  return found.value;
}

function pickBoolean(name: string, schema: Schema, text: string): boolean | undefined {
  const lower = text.toLowerCase();
  const own = words(spelledOut(name)).filter(
    (word) =>
      !isFunctionWord(word) && !['is', 'has', 'use', 'enable', 'enabled', 'include', 'on', 'state'].includes(word),
  );
  const stems = new Set(terms(text));
  const switches = /^(?:on|enabled?|state|power|status|is_?on)$/i.test(name);
  if (
    !switches &&
    !own.some((word) => mentions(stems, lower, word)) &&
    !terms(descriptionOf(schema))
      .slice(0, 6)
      .some((word) => word.length > (/[가-힣]/.test(word) ? 1 : 2) && stems.has(word))
  )
    return undefined;
  if (switches && !/켜|꺼|끄|turn|switch|enable|disable|\bon\b|\boff\b/i.test(text)) return undefined;
  return !/\b(?:no|not|don't|without|off|disable|false|exclude|never)\b|없이|말고|제외|빼고|꺼|끄|안 |하지 마|아니/i.test(
    lower,
  );
}

/** Kinds of string properties, by their names and descriptions. */
const kinds = {
  email: /e-?mail|이메일|메일 ?주소/i,
  url: /\burl\b|\buri\b|\blink\b|웹 ?주소|링크/i,
  phone: /phone|\btel\b|전화/i,
  dateTime: /date_?time|timestamp|일시/i,
  date: /\bdate\b|\bday\b|_date|Date$|날짜|일자/,
  time: /\btime\b|_time|Time$|시각|시간/,
  expression: /expression|formula|equation|calculation|수식|계산식/i,
  query: /\bquery\b|\bq\b|question|keywords?|search|검색어|질의|질문|키워드/i,
  content: /content|message|\btext\b|\bbody\b|\binput\b|prompt|note|comment|description|내용|본문|메시지|문장/i,
  origin: /^(?:from|origin|source|departure|start)|출발/i,
  destination: /^(?:to|destination|target|arrival|end)|도착|목적지/i,
  currency: /currency|통화/i,
  timezone: /time_?zone/i,
  language: /language|lang\b|언어/i,
  /** Codes and switches that the words of a sentence seldom are. */
  opaque: /\bid\b|_id$|Id$|token|key\b|uuid|format|units?$|sort|order|cursor|mode\b|scheme|단위|형식/i,
} as const;

const COMMAND_END =
  /\s*(?:(?:에 대해|에 대한|에 관해|에 관한)?\s*(?:것을|걸|정보를?|내용을?|자료를?|문서를?|문서에서)?\s*(?:을|를)?\s*(?:좀\s*)?(?:웹에서\s*)?(?:검색|조회|찾아|알려|설명|말|확인)(?:해|하여|서)?\s*(?:봐|보고|줘|주세요|주십시오|줄래|보세요|하세요|주겠니)?\s*(?:알려\s?줘|알려\s?주세요)?)[.!?]*\s*$/;
const COMMAND_START =
  /^\s*(?:please\s+|can you\s+|could you\s+)*(?:search|look|find|google|query|check)(?:\s+(?:up|out))?(?:\s+(?:the\s+)?(?:web|internet|documents?|collection|knowledge base|docs))?(?:\s+(?:for|about|on))?\s+/i;

/** What is to be searched for: the question without the command to search. */
export function queryIn(text: string): string {
  const plain = text.trim().slice(0, LONGEST_WORDS);
  const quoted = quotedIn(plain)[0]?.text;
  if (quoted !== undefined) return quoted;
  const cut = plain
    .replace(COMMAND_START, '')
    .replace(COMMAND_END, '')
    .replace(/(?:에 대해|에 대한|을|를)$/, '')
    .trim();
  return cut.length > 1 ? cut : plain;
}

/** What is to be sent or worked on: quoted, or after the colon, else the whole. */
function contentIn(text: string): string {
  const quoted = quotedIn(text)[0]?.text;
  if (quoted !== undefined) return quoted;
  const colon = /[:：]\s*(?=\S)/.exec(text);
  if (colon) return text.slice(colon.index + colon[0].length).trim();
  return /\b(?:saying|that says)\s+(.{1,500})/is.exec(text)?.[1]?.trim() ?? text.trim();
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/달러|dollars?|\busd\b|\$/i, 'USD'],
  [/유로|euros?|\beur\b|€/i, 'EUR'],
  [/엔화|엔(?![가-힣])|엔을|엔으로|\byen\b|\bjpy\b/i, 'JPY'],
  [/위안|\byuan\b|\bcny\b/i, 'CNY'],
  [/파운드|\bgbp\b|\bpounds?\b|£/i, 'GBP'],
  [/원화|원(?![가-힣])|원으로|원을|\bkrw\b|\bwon\b|₩/i, 'KRW'],
];

function currenciesIn(text: string): string[] {
  return currencies
    .flatMap(([pattern, code]) => {
      const m = pattern.exec(text);
      return m ? [{ code, index: m.index }] : [];
    })
    .sort((a, b) => a.index - b.index)
    .map(({ code }) => code);
}

const languages: readonly (readonly [RegExp, string])[] = [
  [/영어|english/i, 'en'],
  [/한국어|korean/i, 'ko'],
  [/일본어|japanese/i, 'ja'],
  [/중국어|chinese/i, 'zh'],
  [/프랑스어|불어|french/i, 'fr'],
  [/독일어|german/i, 'de'],
  [/스페인어|spanish/i, 'es'],
];

/** Fills the places of a schema from what a text says. Each number and name is used once. */
export function suggestFrom(source: Words): Suggest {
  const text = source.text.slice(0, LONGEST_WORDS);
  const dates = findDates(text, source.now);
  const time = findTime(text);
  const entities = source.chosen ? [source.chosen] : entitiesIn(withoutDates(text, dates), source.known);
  const remembered = new Map<string, unknown>();
  const takenNumbers = new Set<number>();
  const taken = { dates: 0, entities: 0 };

  const suggestString = (path: Path, schema: Schema, optional: boolean): string | undefined => {
    const name = String(path.findLast((part) => typeof part === 'string') ?? '');
    const about = `${name} ${spelledOut(name)}`;
    const wide = `${about} ${descriptionOf(schema)}`;
    const format = schema['format'];
    const given = explicit(namesOf(name, schema).slice(0, 6), text);
    if (format === 'email' || kinds.email.test(about))
      return /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/.exec(text)?.[0];
    if (format === 'uri' || format === 'url' || kinds.url.test(about))
      return /https?:\/\/[^\s"'<>]{1,2000}/.exec(text)?.[0];
    if (kinds.phone.test(about)) return /\+?\d{2,4}[-) ]\d{3,4}[- ]\d{3,4}/.exec(text)?.[0];
    if (format === 'date-time' || kinds.dateTime.test(about)) {
      const day = dates[0]?.iso ?? (time === null ? undefined : source.now.toISOString().slice(0, 10));
      return day === undefined ? undefined : `${day}T${time ?? '00:00'}:00Z`;
    }
    if (format === 'date' || (kinds.date.test(wide) && !kinds.content.test(about) && !kinds.query.test(about))) {
      const found = dates[Math.min(taken.dates++, dates.length - 1)];
      if (found) return found.iso;
      if (format === 'date' || kinds.date.test(about)) return given ?? undefined;
    }
    if (kinds.timezone.test(about)) return /\b[A-Z][a-z]+\/[A-Z][A-Za-z_]+\b|\bUTC\b/.exec(text)?.[0] ?? zoneOf(text);
    if (format === 'time' || kinds.time.test(about))
      return time === null ? undefined : format === 'time' ? `${time}:00Z` : time;
    if (kinds.expression.test(about))
      return calculate(text)?.expression.replaceAll('×', '*').replaceAll('÷', '/') ?? (optional ? undefined : text);
    if (kinds.currency.test(wide)) {
      const codes = currenciesIn(text);
      const code = kinds.destination.test(name) || /to_|target|도착|변환할|into/i.test(about) ? codes.at(-1) : codes[0];
      if (code !== undefined) return code;
    }
    if (kinds.language.test(about)) {
      const found = languages.find(([pattern]) => pattern.test(text));
      return found?.[1] ?? given ?? undefined;
    }
    if (given !== null && given !== '') return given;
    if (kinds.query.test(about)) return optional && !kinds.query.test(name) ? undefined : queryIn(text);
    if (kinds.content.test(about)) return optional ? quotedIn(text)[0]?.text : contentIn(text);
    if (kinds.opaque.test(about))
      return optional ? undefined : /(?<![\p{L}\d])(?=[\w-]*\d)[A-Za-z\d][\w-]{1,63}/u.exec(text)?.[0];
    return suggestName(name, wide, optional);
  };

  const suggestName = (name: string, about: string, optional: boolean): string | undefined => {
    const way = kinds.origin.test(name)
      ? /([가-힣]{2,12}?)(?:에서|부터)(?=\s|$)|\bfrom\s+([A-Z][\w'-]*(?:\s[A-Z][\w'-]*)*)/
      : kinds.destination.test(name)
        ? /(?:에서|부터)\s?([가-힣]{2,12}?)(?:까지|으로|로|에)?(?=\s|$)|\bto\s+([A-Z][\w'-]*(?:\s[A-Z][\w'-]*)*)/
        : null;
    const directed = way?.exec(text);
    if (directed) return directed[1] ?? directed[2];
    if (/recipient|수신|받는|^to$/i.test(about)) {
      const person = /([가-힣]{2,10}?)(?:에게|한테|께)(?=\s|$)|\bto\s+([A-Z][\w'-]*(?:\s[A-Z][\w'-]*)*)/.exec(text);
      if (person) return person[1] ?? person[2];
    }
    if (optional && taken.entities >= entities.length) return undefined;
    // Optional places take a name only where they ask for one.
    if (
      optional &&
      !/city|location|place|name|country|region|도시|지역|장소|이름|title|topic|subject|주제|제목/i.test(about)
    )
      return undefined;
    const found = entities[Math.min(taken.entities, entities.length - 1)];
    taken.entities++;
    return found?.text ?? (optional ? undefined : (quotedIn(text)[0]?.text ?? queryIn(text)));
  };

  const suggestOnce = (path: Path, schema: Schema, optional: boolean): unknown => {
    const name = String(path.findLast((part) => typeof part === 'string') ?? '');
    if (Array.isArray(schema['enum'])) {
      const option =
        pickOption(
          schema['enum'] as unknown[],
          explicit([name.toLowerCase(), spelledOut(name).toLowerCase()], text) ?? '',
        ) ?? pickOption(schema['enum'] as unknown[], text);
      return option === undefined && !optional ? schema['default'] : option;
    }
    const types = Array.isArray(schema['type']) ? (schema['type'] as unknown[]) : [schema['type']];
    if (types.includes('boolean')) return pickBoolean(name, schema, text);
    if (types.includes('number') || types.includes('integer'))
      return pickNumber(
        name,
        schema,
        text,
        dates,
        takenNumbers,
        optional,
        path.length === 1 &&
          numbersIn(text).length === 1 &&
          /count|limit|amount|number|quantity|num|value|size|top|max|수/i.test(name),
      );
    if (types.includes('array')) return suggestList(name, schema, optional);
    if (types.includes('object') || isSchema(schema['properties'])) return undefined;
    return suggestString(path, schema, optional);
  };

  const suggestList = (name: string, schema: Schema, optional: boolean): unknown => {
    const items = isSchema(schema['items']) ? schema['items'] : {};
    if (Array.isArray(items['enum'])) {
      const options = (items['enum'] as unknown[]).filter((option) => pickOption([option], text) !== undefined);
      return options.length > 0 ? options : undefined;
    }
    const type = items['type'];
    if (type === 'number' || type === 'integer') {
      const numbers = numbersIn(text).map(({ value }) => value);
      return numbers.length > 0 ? numbers : undefined;
    }
    if (type === 'string' && items['format'] === 'email')
      return text.match(/[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}/g) ?? undefined;
    if (type !== 'string' && type !== undefined) return undefined;
    if (optional && !mentions(new Set(terms(text)), text.toLowerCase(), words(spelledOut(name))[0] ?? ''))
      return undefined;
    return entities.length > 0 ? entities.map(({ text: own }) => own) : undefined;
  };

  return (path, schema, optional) => {
    // The same place is asked for more than once; it gets the same answer.
    const key = `${path.join('/')}\n${String(schema['type'])}`;
    if (remembered.has(key) && (remembered.get(key) !== undefined || optional)) return remembered.get(key);
    const value = suggestOnce(path, schema, optional);
    remembered.set(key, value);
    return value;
  };
}

const withoutDates = (text: string, dates: readonly { index: number; text: string }[]) =>
  dates.reduce(
    (rest, { index, text: date }) => rest.slice(0, index) + ' '.repeat(date.length) + rest.slice(index + date.length),
    text,
  );

function zoneOf(text: string): string | undefined {
  const zones: readonly (readonly [RegExp, string])[] = [
    [/서울|한국|seoul|korea/i, 'Asia/Seoul'],
    [/도쿄|일본|tokyo|japan/i, 'Asia/Tokyo'],
    [/런던|london/i, 'Europe/London'],
    [/파리|paris/i, 'Europe/Paris'],
    [/뉴욕|new york/i, 'America/New_York'],
    [/베이징|상하이|beijing|shanghai/i, 'Asia/Shanghai'],
  ];
  return zones.find(([pattern]) => pattern.test(text))?.[1];
}
