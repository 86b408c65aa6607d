import type { Answer } from '../answer.ts';
import type { Conversation, ToolResult } from '../conversation.ts';
import { answerFrom } from '../documents/document-answer.ts';
import { isSchema } from '../json/schema.ts';
import { replies } from '../replies.ts';
import type { Work } from '../work.ts';
import { splitIdentifier } from './tool-arguments.ts';

/** Results longer than this are searched for the answer instead of returned whole, in UTF-16 units. */
const MAX_WHOLE_LENGTH = 400;
const MAX_ANSWER_LENGTH = 20_000;
const MAX_PARTS = 40;
const MAX_DEPTH = 8;

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return content;
  }
}

/** JSON in words: `{"temp":3,"wind":{"speed":2}}` becomes "temp 3, wind speed 2". */
function toPlainText(value: unknown, name = '', depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  if (typeof value !== 'object' || value === null) return [`${name} ${String(value)}`.trim()];
  return Object.entries(value)
    .slice(0, MAX_PARTS)
    .flatMap(([key, inner]) =>
      toPlainText(inner, Array.isArray(value) ? name : `${name} ${splitIdentifier(key)}`.trim(), depth + 1),
    );
}

/** What a call was about: the tool, and the values of its arguments. */
function labelOf({ tool, argumentsJson }: ToolResult): string {
  const values = parseJson(argumentsJson);
  const texts = isSchema(values)
    ? Object.values(values).filter((value) => /^(?:string|number)$/.test(typeof value))
    : [];
  const about = texts.slice(0, 3).map(String).join(', ');
  return about === '' || about.length > 60 ? tool : `${tool}(${about})`;
}

const textKeys = ['content', 'text', 'passage', 'snippet', 'chunk', 'body', 'summary'];
const titleKeys = ['document_name', 'title', 'name', 'source', 'url'];

/** Long texts inside a result, such as the passages that a search found. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const own = isSchema(value) ? value : {};
  const [text, title] = [textKeys, titleKeys].map((keys) =>
    keys.map((key) => own[key]).find((one) => typeof one === 'string'),
  );
  if (typeof text !== 'string') return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
  return [typeof title === 'string' ? `title: ${title.replace(/\s+/g, ' ')}\n${text}` : text];
}

/** Answers from tool results: searches long ones, renders short ones as text. */
export function* answerFromTools(conversation: Conversation): Work<Answer> {
  const { results, language } = conversation;
  const says = replies[language];
  const trace = [says.trace.results(results.length)];
  if (results.some(({ content }) => content.length > MAX_WHOLE_LENGTH)) {
    const texts = results.flatMap(({ content }) => textsIn(parseJson(content)));
    const isNumbered = texts.length < 2 || texts.some((text) => /^\s*\[\d{1,3}\]/.test(text));
    const sources = texts.map((text, i) => ({
      text: isNumbered ? text : `[${i + 1}]\n${text}`,
      byUser: false,
      mayHoldRules: false,
    }));
    const { answer } = yield* answerFrom(conversation, sources);
    if (sources.length > 0) return { ...answer, trace: [...trace, ...answer.trace] };
  }
  const lines = results.map((result) => {
    const value = parseJson(result.content);
    const error = isSchema(value) ? (value['error'] ?? value['errors'] ?? false) : false;
    if (error !== false) return `${says.toolFailed(result.tool)} ${toPlainText(error).join(', ')}`;
    const parts = toPlainText(value).filter((part) => part.trim() !== '');
    return parts.length === 0 ? says.emptyResult : `${says.result(labelOf(result))} ${parts.join(', ')}`;
  });
  return { text: lines.join('\n').slice(0, MAX_ANSWER_LENGTH), trace, found: true };
}
