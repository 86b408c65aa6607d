import type { ChatRequest, Tool } from '@ai-studio/contract/chat/request.ts';
import type { Conversation } from './conversation.ts';
import { fill, names } from './json-by-schema.ts';
import { terms } from './words.ts';

export interface ToolUse {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Words of both languages that name the same thing, so that a Korean question finds a tool described in English. */
const bridges: readonly (readonly [RegExp, string])[] = [
  [/날씨|기온|비가|눈이/, 'weather temperature forecast'],
  [/검색|찾아/, 'search find lookup query'],
  [/시간|시각|몇 ?시/, 'time clock'],
  [/번역/, 'translate translation'],
  [/계산/, 'calculate calculator math'],
  [/주가|주식/, 'stock price'],
  [/환율/, 'exchange rate currency'],
  [/메일|이메일/, 'email mail send'],
  [/일정|예약/, 'calendar schedule booking reservation event'],
  [/weather|temperature/i, '날씨 기온'],
  [/search|find/i, '검색'],
];

const bridged = (text: string) => bridges.reduce((all, [pattern, more]) => (pattern.test(text) ? `${all} ${more}` : all), text);

function describe({ function: { name, description, parameters } }: Tool): string {
  const properties = (parameters?.['properties'] ?? {}) as Record<string, { description?: string; enum?: unknown[] }>;
  const fields = Object.entries(properties).map(([field, { description: about, enum: options }]) => `${field} ${about ?? ''} ${(options ?? []).join(' ')}`);
  return `${name.replace(/[_-]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')} ${description ?? ''} ${fields.join(' ')}`;
}

/** How much a tool is about what the user said. */
function fit(tool: Tool, question: string): number {
  const own = new Set(terms(bridged(describe(tool))));
  return [...new Set(terms(bridged(question)))].filter((term) => own.has(term)).length;
}

function choose(request: ChatRequest, question: string): Tool | null {
  const tools = request.tools ?? [];
  const choice = request.tool_choice ?? 'auto';
  if (choice === 'none' || tools.length === 0) return null;
  if (typeof choice === 'object') return tools.find((tool) => tool.function.name === choice.function.name) ?? null;
  const best = tools.map((tool) => ({ tool, score: fit(tool, question) })).toSorted((a, b) => b.score - a.score)[0];
  if (!best) return null;
  return choice === 'required' || best.score > 0 ? best.tool : null;
}

/** Whether the user names several things at once: "서울과 부산", "Paris and London". */
const several = (question: string) => /[가-힣](?:과|와|하고|랑)\s+[가-힣]|,\s*[A-Z가-힣]|[A-Z][a-z]+,? and [A-Z]/.test(question);

/** The calls that the last message asks for; none when tools do not fit, or have answered already. */
export function useTools(request: ChatRequest, conversation: Conversation): readonly ToolUse[] {
  if (conversation.results.length > 0) return [];
  const tool = choose(request, conversation.question);
  if (!tool) return [];
  const schema = tool.function.parameters ?? { type: 'object', properties: {} };
  const found = names(conversation.question);
  const count = request.parallel_tool_calls !== false && several(conversation.question) && found.length > 1 ? Math.min(found.length, 8) : 1;
  return Array.from({ length: count }, (_, pick) => ({
    name: tool.function.name,
    arguments: (fill(schema, { text: conversation.question, pick }) ?? {}) as Record<string, unknown>,
  }));
}
