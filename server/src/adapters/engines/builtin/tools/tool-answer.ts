import type { Answer } from '../answer.ts';
import type { Conversation, ToolResult } from '../conversation.ts';
import { answerFrom } from '../documents/document-answer.ts';
import { isSchema } from '../json/schema.ts';
import { replies } from '../talk/replies.ts';
import { spelledOut } from './value-picks.ts';
import type { Work } from '../work.ts';

/** Results longer than this are searched for the answer instead of told whole, in UTF-16 units. */
const MAX_TOLD_LENGTH = 400;
const MAX_PARTS = 40;
const MAX_DEPTH = 8;

function parsed(content: string): unknown {
  if (!/^\s*[[{"\d\-tfn]/.test(content)) return content;
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** JSON in words: `{"temp":3,"wind":{"speed":2}}` becomes "temp 3, wind speed 2". */
function inWords(value: unknown, name = '', depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.every((item) => typeof item !== 'object' || item === null))
      return [`${name === '' ? '' : `${name} `}${items.slice(0, MAX_PARTS).map(shown).join(', ')}`];
    return items
      .slice(0, MAX_PARTS)
      .map((item) => inWords(item, '', depth + 1).join(', '))
      .map((line) => (name === '' ? line : `${name}: ${line}`));
  }
  if (!isSchema(value)) return [name === '' ? shown(value) : `${name} ${shown(value)}`];
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .flatMap(([key, inner]) => inWords(inner, name === '' ? spelledOut(key) : `${name} ${spelledOut(key)}`, depth + 1));
}

/** What a call was about: the values of its arguments. */
function labelOf({ tool, given }: ToolResult): string {
  const values = parsed(given);
  const texts = isSchema(values)
    ? Object.values(values).filter((value) => typeof value === 'string' || typeof value === 'number')
    : [];
  const about = texts.slice(0, 3).map(String).join(', ');
  return about === '' || about.length > 60 ? tool : `${tool}(${about})`;
}

const errorIn = (value: unknown): string | null => {
  if (!isSchema(value)) return null;
  const error = value['error'] ?? value['errors'];
  return error === undefined || error === null || error === false ? null : inWords(error).join(', ');
};

/** Long texts inside a result, such as the passages that a search found, each with its number. */
function textsIn(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as unknown[]).flatMap((item) => textsIn(item, depth + 1));
  if (!isSchema(value)) return [];
  const text = ['content', 'text', 'passage', 'snippet', 'chunk', 'body', 'page_content', 'summary', 'answer']
    .map((key) => value[key])
    .find((inner) => typeof inner === 'string');
  if (typeof text === 'string') {
    const title = ['document_name', 'title', 'name', 'source', 'url']
      .map((key) => value[key])
      .find((inner) => typeof inner === 'string');
    return [typeof title === 'string' ? `title: ${title.replace(/\s+/g, ' ')}\n${text}` : text];
  }
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}

/** Answers from what the tools said: found in it when it is long, told in words when it is short. */
export function* answerFromTools(conversation: Conversation): Work<Answer> {
  const { results, language } = conversation;
  const says = replies[language];
  const values = results.map(({ content }) => parsed(content));
  const trace = [says.trace.results(results.length)];
  if (results.some(({ content }) => content.length > MAX_TOLD_LENGTH)) {
    const passages = values.flatMap((value) => textsIn(value));
    const numbered =
      passages.length > 1 && !passages.some((text) => /^\s*\[\d{1,3}\]/.test(text))
        ? passages.map((text, i) => `[${i + 1}]\n${text}`)
        : passages;
    const { answer } = yield* answerFrom(
      conversation,
      numbered.map((text) => ({ text, said: false, rules: false })),
    );
    if (answer.found || numbered.length > 0) return { ...answer, trace: [...trace, ...answer.trace] };
  }
  const lines = results.map((result, i) => {
    const value = values[i];
    const label = labelOf(result);
    const error = errorIn(value);
    if (error !== null) return `${says.toolFailed(result.tool)} ${error}`;
    const parts = inWords(value).filter((part) => part.trim() !== '');
    if (parts.length === 0) return says.emptyResult;
    const lists = Array.isArray(value) && parts.length > 1;
    return lists
      ? `${says.result(label)}\n${parts.map((part) => `- ${part}`).join('\n')}`
      : `${says.result(label)} ${parts.join(', ')}`;
  });
  return { text: lines.join('\n').slice(0, 20_000), trace, found: true };
}
