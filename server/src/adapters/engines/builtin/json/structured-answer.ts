import type { ResponseFormat } from '@ai-studio/contract/chat/request.ts';
import type { Answer } from '../answer.ts';
import type { Conversation } from '../conversation.ts';
import { questionParts } from '../documents/question-parts.ts';
import { suggestFrom } from '../tools/tool-arguments.ts';
import { type Suggest, valueBySchema } from './json-by-schema.ts';
import { isSchema, typeOf } from './schema.ts';

/** Names of places that hold the answer itself, how it was found, and where it is from. */
const ANSWER = /^(?:final_?)?answer$|^(?:response|reply|content|text|message|result|답변?|응답|결과|내용)$/i;
const REASON = /^(?:reason|reasoning|steps?|근거|이유|풀이)$/i;
const CITATION = /citation|source|reference|출처|인용/i;
const QUESTIONS = /^(?:sub_?)?(?:questions?|queries|tasks?)$|^질문(?:들|목록)?$/i;

/** Fills places from the answer and from the words of the user. */
function suggestions({ question, message, material }: Conversation, answer: Answer): Suggest {
  const fromWords = suggestFrom({
    text: material === '' ? message.replace(/^[^:：\n]{0,200}[:：]\s/, '') : material,
    known: new Set(),
  });
  const marks = [...new Set([...answer.text.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)))];
  const result = / = (-?\d+(?:\.\d+)?)$/.exec(answer.text)?.[1];
  return (path, schema, optional) => {
    const name = String(path.findLast((part) => typeof part === 'string') ?? '');
    const type = Array.isArray(schema['enum']) ? 'enum' : typeOf(schema);
    if (type === 'array' && CITATION.test(name))
      return isSchema(schema['items']) && schema['items']['type'] === 'string' ? marks.map((n) => `[${n}]`) : marks;
    if (type === 'array' && QUESTIONS.test(name)) return questionParts(question);
    if (type === 'array' && REASON.test(name)) return answer.trace;
    if (type === 'boolean' && /found|answerable|success/i.test(name)) return answer.found;
    if (/number|integer/.test(type) && ANSWER.test(name) && result !== undefined) return Number(result);
    if (type !== 'string' || schema['format'] !== undefined) return fromWords(path, schema, optional);
    if (ANSWER.test(name)) return answer.text;
    return REASON.test(name) ? answer.trace.join('\n') : fromWords(path, schema, optional);
  };
}

/** The answer as JSON, in the form that the request asks for. */
export function structured(format: ResponseFormat, conversation: Conversation, answer: Answer): string {
  return format.type === 'json_schema' && format.json_schema.schema
    ? JSON.stringify(valueBySchema(format.json_schema.schema, suggestions(conversation, answer)))
    : JSON.stringify({ answer: answer.text });
}
