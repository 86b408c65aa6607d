import { calculate } from '../talk/arithmetic.ts';
import { findDates, findTime } from './dates.ts';
import { type Entity, entitiesIn, quotedIn } from '../words/entities.ts';
import type { Path, Suggest } from '../json/json-by-schema.ts';
import { type Schema, isSchema } from '../json/schema.ts';
import { MAX_WORDS_LENGTH, contentIn, currenciesIn, languages, queryIn, zoneOf } from './text-picks.ts';
import {
  descriptionOf,
  explicit,
  mentions,
  namesOf,
  numbersIn,
  pickBoolean,
  pickNumber,
  pickOption,
  spelledOut,
} from './value-picks.ts';
import { terms, words } from '../words/words.ts';

/** What a value can be taken from. */
export interface Words {
  readonly text: string;
  readonly now: Date;
  /** Stems of the tool's own words, which are no names of things. */
  readonly known: ReadonlySet<string>;
  /** The thing that this call is about, where the text names several. */
  readonly chosen?: Entity | undefined;
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

/** Fills the places of a schema from what a text says. Each number and name is used once. */
export function suggestFrom(source: Words): Suggest {
  const text = source.text.slice(0, MAX_WORDS_LENGTH);
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
