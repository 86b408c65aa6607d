import type { ResponseFormat } from '@ai-studio/contract/chat/request.ts';
import type { Answer } from '../answer.ts';
import type { Conversation } from '../conversation.ts';
import { quotedIn } from '../words/entities.ts';
import { search } from '../documents/extract.ts';
import { type Suggest, valueBySchema } from './json-by-schema.ts';
import { questionParts } from '../documents/question-parts.ts';
import { type Schema } from './schema.ts';
import { type Passage, readPassages } from '../documents/passages.ts';
import { suggestFrom } from '../tools/tool-arguments.ts';
import { spelledOut } from '../tools/value-picks.ts';
import { finish } from '../work.ts';
import { keyWords } from '../documents/summary.ts';

/** Longest text that single values are searched in, in UTF-16 units. */
const MAX_TEXT = 40_000;

/** Names of places that hold the answer itself. */
const ANSWER =
  /^(?:answer|final_?answer|response|reply|output|content|text|message|result|summary|description|explanation|답변?|응답|결과|요약|내용|설명)$/i;
const REASON = /^(?:reason|reasoning|rationale|thought|thoughts|steps?|chain_of_thought|근거|이유|추론|풀이)$/i;

/** "name: value" and "name is value" in the texts of a conversation. */
function labelled(name: string, passages: readonly Passage[]): string | undefined {
  const wanted = spelledOut(name).toLowerCase();
  for (const { text } of passages) {
    const at = text.indexOf(':') >= 0 ? text.indexOf(':') : text.indexOf('：');
    if (at > 0 && at < 60 && text.slice(0, at).trim().toLowerCase() === wanted) return text.slice(at + 1).trim();
  }
  return undefined;
}

/** A property's own words as a question to the texts. */
function askedFor(name: string, schema: Schema, passages: readonly Passage[]): string | undefined {
  const description = typeof schema['description'] === 'string' ? schema['description'].slice(0, 200) : '';
  const { matches } = finish(search(`${spelledOut(name)} ${description}`, null, passages));
  const best = matches.find(({ passage }) => passage.kind !== 'heading');
  return best && best.coverage > 0.5 ? best.passage.text.slice(0, 500) : undefined;
}

/** Fills places from the conversation: the answer itself, labelled lines, what the words say, and sentences about it. */
function suggestions(conversation: Conversation, answer: Answer, now: Date): Suggest {
  const { question, message, material, turns, system } = conversation;
  const pool = [
    message,
    ...turns
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .toReversed(),
    ...system,
  ]
    .join('\n')
    .slice(0, MAX_TEXT);
  const passages = finish(readPassages([{ text: pool, said: false, rules: true }]));
  // The material tells what is to be filled in; without any the whole message does.
  const source = material === '' ? message.replace(/^[^:：\n]{0,200}[:：]\s/, '') : material;
  const fromWords = suggestFrom({ text: source === '' ? question : source, now, known: new Set() });
  return (path, schema, optional) => {
    const name = String(path.findLast((part) => typeof part === 'string') ?? '');
    const isText = schema['type'] === 'string' && !Array.isArray(schema['enum']) && schema['format'] === undefined;
    if (isText && path.length <= 2) {
      if (REASON.test(name)) return answer.trace.length > 0 ? answer.trace.join('\n') : answer.text;
      const line = labelled(name, passages);
      if (line !== undefined) return line;
      if (ANSWER.test(name)) return answer.text;
    }
    if (schema['type'] === 'boolean' && /found|answerable|has_?answer|success/i.test(name)) return answer.found;
    if (schema['type'] === 'number' && /confidence|score|확신|신뢰/i.test(name)) return answer.found ? 1 : 0;
    if (
      (schema['type'] === 'number' || schema['type'] === 'integer') &&
      /answer|result|value|total|sum|결과|답|합계/i.test(name)
    ) {
      const result = /= (-?\d+(?:\.\d+)?)$/.exec(answer.text)?.[1];
      if (result !== undefined) return Number(result);
    }
    if (schema['type'] === 'array') {
      if (/citation|source|reference|출처|인용/i.test(name)) {
        const marks = [...new Set([...answer.text.matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n)))];
        const items = schema['items'] as Schema | undefined;
        return items?.['type'] === 'string' ? marks.map((n) => `[${n}]`) : marks;
      }
      if (/^(?:sub_?)?(?:questions?|queries|query|tasks?)$|^질문(?:들|목록)?$/i.test(name))
        return questionParts(question);
      if (/keyword|tag|topic|키워드|태그/i.test(name)) return keyWords(source, 5);
      if (REASON.test(name)) return answer.trace;
    }
    const said = fromWords(path, schema, optional);
    if (said !== undefined || !isText || optional) return said;
    return askedFor(name, schema, passages) ?? (path.length === 1 ? answer.text : undefined);
  };
}

const KEYS_ASKED =
  /\b(?:keys?|fields?|propert(?:y|ies)|json (?:object )?with|json (?:containing|having))\b|키|필드|속성|항목/i;

/** Keys that a conversation asks for in words: `JSON with the keys "name" and "age"`. */
function keysAsked({ question, system }: Conversation): string[] {
  const text = [question.slice(0, 4_000), ...system.map((line) => line.slice(0, 4_000))].join('\n');
  if (!KEYS_ASKED.test(text)) return [];
  const quoted = [
    ...quotedIn(text).map(({ text: own }) => own),
    ...[...text.matchAll(/`([^`\n]{1,60})`/g)].map(([, own]) => own ?? ''),
  ].filter((own) => /^[\p{L}_][\p{L}\p{N}_-]{0,59}$/u.test(own));
  if (quoted.length > 0) return [...new Set(quoted)];
  const list =
    /\b(?:keys?|fields?|properties)\s*(?:are|of|named|called)?\s*[:：]?\s*((?:[A-Za-z_]\w{0,40})(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)[A-Za-z_]\w{0,40})*)/i.exec(
      text,
    )?.[1];
  return list === undefined ? [] : list.split(/\s*,\s*(?:and\s+)?|\s+and\s+/).filter((key) => key !== '');
}

/** The answer as JSON, in the form that the request asks for. */
export function structured(format: ResponseFormat, conversation: Conversation, answer: Answer, now: Date): string {
  const suggest = suggestions(conversation, answer, now);
  if (format.type === 'json_schema' && format.json_schema.schema)
    return JSON.stringify(valueBySchema(format.json_schema.schema, suggest));
  const keys = keysAsked(conversation);
  if (keys.length === 0) return JSON.stringify({ answer: answer.text });
  const numeric =
    /\b(?:age|count|number|total|amount|price|year|quantity|score|result|sum)\b|나이|수량|개수|금액|가격|연도|합계/i;
  const properties = Object.fromEntries(
    keys.map((key) => [key, { type: numeric.test(spelledOut(key)) ? ['number', 'null'] : 'string' }]),
  );
  const numbered = (path: Parameters<Suggest>[0], schema: Schema, optional: boolean) =>
    suggest(path, Array.isArray(schema['type']) ? { ...schema, type: 'number' } : schema, optional);
  return JSON.stringify(valueBySchema({ type: 'object', properties, required: keys }, numbered));
}
