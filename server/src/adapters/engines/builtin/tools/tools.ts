import type { ChatRequest, Tool } from '@ai-studio/contract/chat/request.ts';
import { calculate } from '../talk/arithmetic.ts';
import type { Conversation } from '../conversation.ts';
import { type Entity, entitiesIn, togetherIn } from '../words/entities.ts';
import { valueBySchema } from '../json/json-by-schema.ts';
import { isSchema } from '../json/schema.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { MAX_WORDS_LENGTH } from './text-picks.ts';
import { suggestFrom } from './tool-arguments.ts';
import { spelledOut } from './value-picks.ts';
import { stem, terms } from '../words/words.ts';

/** A call of a tool. */
export interface ToolUse {
  readonly name: string;
  readonly arguments: unknown;
}

/** Which tool to call and why. */
interface Choice {
  readonly tool: Tool;
  readonly score: number;
  /** Stems of the question that the tool's name or description holds. */
  readonly shared: readonly string[];
}

/** Words of tools that say nothing about what they do. */
const emptyWords = new Set(
  'get set fetch retriev return given specific current user information info data tool function api request list value result input call use name type id string need based optional required valid 정보 현재 사용자 도구 함수 가져오 반환 값 주어진 사용 위치 이름'
    .split(' ')
    .flatMap((word) => [word, stem(word)]),
);

/** A tool is called when what it shares with the question counts this much. */
const ENOUGH = 2;
const IN_NAME = 3;
const IN_DESCRIPTION = 1;
const IN_OPTIONS = 2;
const MAX_CALLS = 16;

const propertiesOf = (tool: Tool): Record<string, unknown> => {
  const properties = tool.function.parameters?.['properties'];
  return isSchema(properties) ? properties : {};
};

const meaning = (text: string) => new Set(terms(text.slice(0, 4_000)).filter((word) => !emptyWords.has(word)));

function holds(own: ReadonlySet<string>, word: string): boolean {
  if (own.has(word)) return true;
  for (const synonym of synonymsOf(word)) if (own.has(synonym)) return true;
  // 날씨정보 and 날씨; compounds of Korean begin or end with the word.
  if (/[가-힣]{2}/.test(word))
    for (const other of own)
      if (other.length > 1 && /[가-힣]/.test(other) && (word.includes(other) || other.includes(word))) return true;
  return false;
}

function choiceOf(tool: Tool, asked: readonly string[]): Choice {
  const name = meaning(spelledOut(tool.function.name));
  const description = meaning(tool.function.description ?? '');
  const options = new Set(
    Object.values(propertiesOf(tool))
      .flatMap((property) =>
        isSchema(property) && Array.isArray(property['enum']) ? (property['enum'] as unknown[]) : [],
      )
      .flatMap((option) => (typeof option === 'string' && option.length > 1 ? terms(spelledOut(option)) : [])),
  );
  let score = 0;
  const shared: string[] = [];
  for (const word of asked) {
    const worth = holds(name, word)
      ? IN_NAME
      : options.has(word)
        ? IN_OPTIONS
        : holds(description, word)
          ? IN_DESCRIPTION
          : 0;
    if (worth > 0) shared.push(word);
    score += worth;
  }
  return { tool, score, shared };
}

const isCalculator = ({ function: { name, description } }: Tool) =>
  /calc|math|arithmetic|evaluate|계산/i.test(`${name} ${description ?? ''}`);
const isClock = ({ function: { name } }: Tool) => /time|clock|date/i.test(name) && !/zone_convert|timer/i.test(name);

/** A tool that looks things up, which any question of knowledge may need. */
export const isLookup = ({ function: { name, description } }: Tool): boolean =>
  /search|retriev|lookup|look_up|find|query|knowledge|검색|조회/i.test(
    `${spelledOut(name)} ${(description ?? '').slice(0, 200)}`,
  );

/** The tools that a question calls for, best first. Each adds something that those before it do not cover. */
function fitting(tools: readonly Tool[], question: string): Choice[] {
  const asked = [...meaning(question)];
  const sum = calculate(question) !== null;
  const clock = /몇 ?시|현재 ?시각|지금 시간|what time|current time|오늘 ?날짜|며칠이|today'?s date|what date/i.test(
    question,
  );
  const scored = tools.map((tool) => {
    const choice = choiceOf(tool, asked);
    if (sum && isCalculator(tool)) return { ...choice, score: choice.score + 5, shared: [...choice.shared, '='] };
    if (clock && isClock(tool)) return { ...choice, score: choice.score + 4, shared: [...choice.shared, '@'] };
    return choice;
  });
  const ranked = scored.filter(({ score }) => score >= ENOUGH).sort((a, b) => b.score - a.score);
  const covered = new Set<string>();
  return ranked.filter(({ shared, score }) => {
    const adds = shared.filter((word) => !covered.has(word)).length;
    // A second tool must be called for as clearly as a first one would.
    const take = covered.size === 0 || (adds > 0 && adds === shared.length && score >= IN_NAME);
    if (take) for (const word of shared) covered.add(word);
    return take;
  });
}

function knownWords(tool: Tool): Set<string> {
  const own = `${spelledOut(tool.function.name)} ${tool.function.description ?? ''} ${Object.entries(propertiesOf(tool))
    .map(
      ([name, property]) =>
        `${spelledOut(name)} ${isSchema(property) && Array.isArray(property['enum']) ? (property['enum'] as unknown[]).join(' ') : ''}`,
    )
    .join(' ')}`;
  const known = new Set<string>();
  for (const word of terms(own.slice(0, 8_000))) {
    known.add(word);
    for (const synonym of synonymsOf(word)) known.add(synonym);
  }
  return known;
}

/** Whether a tool takes one thing at a time where the question may name several. */
function takesOne(tool: Tool): boolean {
  const properties = Object.values(propertiesOf(tool)).filter(isSchema);
  return (
    properties.some(({ type, enum: options }) => type === 'string' && options === undefined) &&
    !properties.some(({ type }) => type === 'array')
  );
}

const isFreeText = (tool: Tool) =>
  Object.keys(propertiesOf(tool)).some((name) =>
    /query|text|content|message|body|expression|input|question|from|origin|destination/i.test(name),
  );

function usesOf(tool: Tool, question: string, now: Date, parallel: boolean): ToolUse[] {
  const known = knownWords(tool);
  const text = question.slice(0, MAX_WORDS_LENGTH);
  const together: readonly Entity[] =
    parallel && takesOne(tool) && !isFreeText(tool) ? togetherIn(text, entitiesIn(text, known)) : [];
  const chosen: readonly (Entity | undefined)[] = together.length > 1 ? together.slice(0, MAX_CALLS) : [undefined];
  const schema = { type: 'object', ...tool.function.parameters };
  return chosen.map((entity) => ({
    name: tool.function.name,
    arguments: valueBySchema(schema, suggestFrom({ text, now, known, chosen: entity })),
  }));
}

/** The part of a question that is about a tool, where it asks for several things. */
function partFor({ shared }: Choice, question: string, others: readonly Choice[]): string {
  if (others.length < 2) return question;
  const parts = question
    .split(
      /(?<=[.?!])\s+|\s+and then\s+|\s+then\s+|,\s*and\s+|\s+and\s+(?=[a-z])|,\s+|\s*그리고\s*|(?<=[하주]고)\s+|(?<=다음에?)\s+/,
    )
    .filter((part) => part.trim() !== '');
  const holding = parts.filter((part) => {
    const own = new Set(terms(part));
    return shared.some((word) => own.has(word) || (word === '=' && calculate(part) !== null));
  });
  return holding.length > 0 ? holding.join(' ') : question;
}

/**
 * The calls that the last user message asks for. None when no tool fits, when none may be called, or when tools have
 * answered already.
 */
export function useTools(request: ChatRequest, { question, results }: Conversation, now: Date): readonly ToolUse[] {
  const tools = request.tools ?? [];
  const choice = request.tool_choice ?? 'auto';
  if (results.length > 0 || tools.length === 0 || choice === 'none') return [];
  const parallel = request.parallel_tool_calls !== false;
  if (typeof choice === 'object') {
    const named = tools.find(({ function: { name } }) => name === choice.function.name);
    return named ? usesOf(named, question, now, parallel) : [];
  }
  const text = question.slice(0, MAX_WORDS_LENGTH);
  const fits = fitting(tools, text).slice(0, parallel ? MAX_CALLS : 1);
  if (fits.length > 0)
    return fits
      .flatMap((fit) => usesOf(fit.tool, partFor(fit, text, fits), now, parallel))
      .slice(0, parallel ? MAX_CALLS : 1);
  if (choice !== 'required') return [];
  const first = tools.find(isLookup) ?? tools[0];
  return first ? usesOf(first, question, now, parallel).slice(0, parallel ? MAX_CALLS : 1) : [];
}

/** A call of a tool that looks things up, for a question that nothing at hand answers. */
export function lookUpWith(request: ChatRequest, { question, results }: Conversation, now: Date): readonly ToolUse[] {
  if (results.length > 0 || (request.tool_choice ?? 'auto') !== 'auto') return [];
  const tool = (request.tools ?? []).find(isLookup);
  return tool && terms(question).length > 0 ? usesOf(tool, question, now, false) : [];
}
