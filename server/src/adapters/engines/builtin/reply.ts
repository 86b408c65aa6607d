import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { type Answer, shorten } from './answer.ts';
import type { Conversation } from './conversation.ts';
import { answerFrom, textsOf } from './documents/document-answer.ts';
import { structured } from './json/structured-answer.ts';
import { replies } from './replies.ts';
import { byRule } from './rules.ts';
import { answerFromTools } from './tools/tool-answer.ts';
import { type ToolUse, lookUpWith, useTools } from './tools/tools.ts';
import type { Work } from './work.ts';

/** What the engine has to say to a request. */
export interface Reply {
  /** How it came to it; said when the model is to think. */
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
  const ruled = byRule(conversation);
  if (ruled) return ruled;
  const { answer, searched } = yield* answerFrom(conversation, textsOf(conversation));
  if (answer.found) return answer;
  const calls = lookUpWith(request, conversation);
  if (calls.length > 0) return calls;
  return searched ? answer : { text: says.unable, trace: [says.trace.unable], found: false };
}

/** Decides what to say. Deterministic: the same request gives the same reply. */
export function* replyTo(request: ChatRequest, conversation: Conversation, model: string): Work<Reply> {
  const { trace } = replies[conversation.language];
  const opening = [trace.asked(shorten(conversation.question, 200)), trace.language];
  const called = useTools(request, conversation);
  const said = called.length > 0 ? called : yield* answerInWords(request, conversation, model);
  if (isCalls(said)) {
    const names = said.map(({ name }) => name).join(', ');
    return { text: '', calls: said, reasoning: [...opening, trace.tool(names)].join('\n') };
  }
  const steps = [...opening, ...said.trace];
  const format = request.response_format;
  if (!format || format.type === 'text') return { text: said.text, calls: [], reasoning: steps.join('\n') };
  const text = structured(format, conversation, said);
  return { text, calls: [], reasoning: [...steps, trace.schema].join('\n') };
}

const isCalls = (said: Answer | readonly ToolUse[]): said is readonly ToolUse[] => Array.isArray(said);
