import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { type Answer, shorten } from './answer.ts';
import type { Conversation } from './conversation.ts';
import { answerFrom, answerSources } from './documents/document-answer.ts';
import { structured } from './json/structured-answer.ts';
import { replies } from './replies.ts';
import { answerByRule } from './rules.ts';
import { answerFromTools } from './tools/tool-answer.ts';
import { type ToolUse, lookupCalls, chooseToolCalls } from './tools/tools.ts';
import type { Work } from './work.ts';

/** The engine's reply to a request. */
export interface Reply {
  /** The reasoning steps, sent when thinking is on. */
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly ToolUse[];
}

function* answerInWords(
  request: ChatRequest,
  conversation: Conversation,
  model: string,
): Work<Answer | readonly ToolUse[]> {
  const says = replies[conversation.language];
  if (conversation.results.length > 0) return yield* answerFromTools(conversation);
  if (conversation.images) return { text: says.images, trace: [], found: false };
  if (/translat/i.test(model)) return { text: says.translate, trace: [], found: false };
  const ruleAnswer = answerByRule(conversation);
  if (ruleAnswer) return ruleAnswer;
  const { answer, searched } = yield* answerFrom(conversation, answerSources(conversation));
  if (answer.found) return answer;
  const calls = lookupCalls(request, conversation);
  if (calls.length > 0) return calls;
  return searched ? answer : { text: says.unable, trace: [says.trace.unable], found: false };
}

/** Decides what to say. Deterministic: the same request gives the same reply. */
export function* replyTo(request: ChatRequest, conversation: Conversation, model: string): Work<Reply> {
  const { trace } = replies[conversation.language];
  const opening = [trace.asked(shorten(conversation.question, 200)), trace.language];
  const called = chooseToolCalls(request, conversation);
  const result = called.length > 0 ? called : yield* answerInWords(request, conversation, model);
  if (isCalls(result)) {
    const names = result.map(({ name }) => name).join(', ');
    return { text: '', calls: result, reasoning: [...opening, trace.tool(names)].join('\n') };
  }
  const steps = [...opening, ...result.trace];
  const format = request.response_format;
  if (!format || format.type === 'text') return { text: result.text, calls: [], reasoning: steps.join('\n') };
  const text = structured(format, conversation, result);
  return { text, calls: [], reasoning: [...steps, trace.schema].join('\n') };
}

const isCalls = (result: Answer | readonly ToolUse[]): result is readonly ToolUse[] => Array.isArray(result);
