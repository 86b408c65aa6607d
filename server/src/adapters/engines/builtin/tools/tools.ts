import type { ChatRequest, Tool } from '@ai-studio/contract/chat/request.ts';
import { calculate } from '../arithmetic.ts';
import type { Conversation } from '../conversation.ts';
import { valueBySchema } from '../json/json-by-schema.ts';
import { isSchema, listOf } from '../json/schema.ts';
import { stem, terms } from '../words.ts';
import { MAX_TEXT, namesIn, splitIdentifier, suggestFrom } from './tool-arguments.ts';

/** A call of a tool. */
export interface ToolUse {
  readonly name: string;
  readonly arguments: unknown;
}

/** Words of tools that say nothing about what they do. */
const emptyWords = new Set(
  'get set fetch return given current user information data tool function list value use name 정보 현재 사용자 도구 함수 값'
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
);

/** A tool is called when what it shares with the question counts this much. */
const MIN_SCORE = 2;
const NAME_SCORE = 3;
const DESCRIPTION_SCORE = 1;
const MAX_CALLS = 16;

const contentWords = (text: string) => new Set(terms(text.slice(0, MAX_TEXT)).filter((word) => !emptyWords.has(word)));

/** Whether a text's words hold a word; compounds of Korean begin or end with it: 날씨정보. */
const includesWord = (own: ReadonlySet<string>, word: string) =>
  own.has(word) ||
  (/[가-힣]{2}/.test(word) &&
    [...own].some((other) => other.length > 1 && (word.includes(other) || other.includes(word))));

/** How well a tool fits a question, by the words that they share. */
function scoreOf({ function: { name, description = '' } }: Tool, question: string): number {
  const inName = contentWords(splitIdentifier(name));
  const inDescription = contentWords(description);
  const scoreOfWord = (word: string) => {
    if (includesWord(inName, word)) return NAME_SCORE;
    if (!includesWord(inDescription, word)) return 0;
    // Names of tools are not Korean: there the description says it.
    return /[가-힣]/.test(word) ? NAME_SCORE : DESCRIPTION_SCORE;
  };
  const score = [...contentWords(question)].reduce((sum, word) => sum + scoreOfWord(word), 0);
  const calculates = /calc|math|arithmetic|계산/i.test(`${name} ${description}`) && calculate(question) !== null;
  return calculates ? score + NAME_SCORE : score;
}

/** A tool that looks things up, which any question of knowledge may need. */
const isLookup = ({ function: { name, description = '' } }: Tool): boolean =>
  /search|retriev|look ?up|find|query|knowledge|검색|조회/i.test(
    `${splitIdentifier(name)} ${description.slice(0, 200)}`,
  );

/** Names of strings that take the words of the user rather than a name. */
const FREE_TEXT = /query|text|content|message|body|expression|input|question/i;

/** The calls of a tool: one for each thing that the question names, where the tool takes one thing and parallel calls are on. */
function toolCallsFor(
  { function: { name, description = '', parameters } }: Tool,
  question: string,
  parallel: boolean,
): ToolUse[] {
  const text = question.slice(0, MAX_TEXT);
  const properties = isSchema(parameters?.['properties']) ? Object.keys(parameters['properties']) : [];
  const own = [name, ...properties].map(splitIdentifier).join(' ');
  const known = new Set(terms(`${own} ${description}`.slice(0, MAX_TEXT)));
  const named = namesIn(text, known);
  const [first, ...others] = listOf(parameters?.['required']).map(String);
  const takesOne = first !== undefined && others.length === 0 && !FREE_TEXT.test(first);
  const schema = { type: 'object', ...parameters };
  const fill = (chosen?: string) => ({ name, arguments: valueBySchema(schema, suggestFrom({ text, known, chosen })) });
  return parallel && takesOne && named.length > 1 ? named.slice(0, MAX_CALLS).map((one) => fill(one)) : [fill()];
}

/**
 * The calls that the last user message asks for. None when no tool fits, when none may be called, or when tools have
 * answered already.
 */
export function chooseToolCalls(request: ChatRequest, { question, results }: Conversation): readonly ToolUse[] {
  const tools = request.tools ?? [];
  const choice = request.tool_choice ?? 'auto';
  const parallel = request.parallel_tool_calls !== false;
  if (results.length > 0 || choice === 'none') return [];
  if (typeof choice === 'object' && 'function' in choice) {
    const named = tools.find(({ function: { name } }) => name === choice.function.name);
    return named ? toolCallsFor(named, question, parallel) : [];
  }
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, question) }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  if (best && best.score >= MIN_SCORE) return toolCallsFor(best.tool, question, parallel);
  const first = choice === 'required' ? (tools.find(isLookup) ?? tools[0]) : undefined;
  return first ? toolCallsFor(first, question, parallel) : [];
}

/** A call of a tool that looks things up, for a question that nothing at hand answers. */
export function lookupCalls(request: ChatRequest, { question, results }: Conversation): readonly ToolUse[] {
  if (results.length > 0 || (request.tool_choice ?? 'auto') !== 'auto') return [];
  const tool = (request.tools ?? []).find(isLookup);
  return tool && terms(question).length > 0 ? toolCallsFor(tool, question, false) : [];
}
