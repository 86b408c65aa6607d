import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { type Answer, shorten } from './answer.ts';
import type { Conversation } from './conversation.ts';
import { answerFrom, textsOf } from './documents/document-answer.ts';
import { byRule } from './talk/intent.ts';
import { replies } from './talk/replies.ts';
import { structured } from './json/structured-answer.ts';
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

const TRANSLATE =
  /^번역(?:해|하|좀|\s*[:：]|$)|번역(?:해|하세요|하시오|하라|부탁|좀|을 (?:해|부탁|좀))|(?:영어|한국어|일본어|중국어)로 (?:바꿔|옮겨)|\btranslate\b|\btranslation (?:of|into)\b/i;

/** Tells the engine something to remember, rather than asks: "The meeting is at 3." */
const isStatement = (question: string) =>
  question.length < 200 &&
  /(?:다|요|음|임)[.!]?$|^(?:my|i|we|the|our|remember|note)\b.*[^?]$/i.test(question) &&
  !/[?？]|줘|주세요|까$|나요$|\b(?:tell|write|give|explain|make|create|show)\b/i.test(question);

function* answerInWords(
  request: ChatRequest,
  conversation: Conversation,
  model: string,
  now: Date,
): Work<Answer | readonly ToolUse[]> {
  const { question, language, turns } = conversation;
  const says = replies[language];
  if (conversation.results.length > 0) return yield* answerFromTools(conversation);
  if (conversation.images) return { text: says.images, trace: [], found: false };
  if (/translat/i.test(model) || TRANSLATE.test(question.slice(0, 2_000)))
    return { text: says.translate, trace: [], found: false };
  const ruled = byRule(conversation, now);
  if (ruled) return ruled;
  const { answer, searched } = yield* answerFrom(conversation, textsOf(conversation));
  if (answer.found) return answer;
  const calls = lookUpWith(request, conversation, now);
  if (calls.length > 0) return calls;
  if (searched) return answer;
  if (
    isStatement(question) &&
    (turns.length > 0 ||
      /기억|remember|note/i.test(question) ||
      /^(?:내|제|나는|저는|우리|my|i|we|our)\b|^(?:내|제|나는|저는|우리)/i.test(question))
  )
    return { text: says.noted, trace: [], found: true };
  return { text: says.unable, trace: [says.trace.unable], found: false };
}

/** Decides what to say. Deterministic: the same request on the same day gives the same reply. */
export function* replyTo(request: ChatRequest, conversation: Conversation, model: string, now: Date): Work<Reply> {
  const { trace } = replies[conversation.language];
  const opening = [trace.asked(shorten(conversation.question, 200)), trace.language];
  const called = useTools(request, conversation, now);
  const said = called.length > 0 ? called : yield* answerInWords(request, conversation, model, now);
  if (isCalls(said))
    return {
      text: '',
      calls: said,
      reasoning: [...opening, trace.tool(said.map(({ name }) => name).join(', '))].join('\n'),
    };
  const steps = said.skill === undefined ? said.trace : [trace.skill(trace.skills[said.skill]), ...said.trace];
  const format = request.response_format;
  if (!format || format.type === 'text')
    return { text: said.text, calls: [], reasoning: [...opening, ...steps].join('\n') };
  return {
    text: structured(format, conversation, said, now),
    calls: [],
    reasoning: [...opening, ...steps, trace.schema].join('\n'),
  };
}

const isCalls = (said: Answer | readonly ToolUse[]): said is readonly ToolUse[] => Array.isArray(said);
