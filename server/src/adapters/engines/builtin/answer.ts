import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { calculate, showNumber } from './arithmetic.ts';
import type { Conversation } from './conversation.ts';
import { type Match, passages, search } from './extract.ts';
import { fill } from './json-by-schema.ts';
import { type Language, replies } from './replies.ts';
import { type ToolUse, useTools } from './tools.ts';
import { isKorean } from './words.ts';

/** What the engine has to say. */
export interface Answer {
  /** How it came to it; told when the model is to think. */
  readonly thinking: readonly string[];
  readonly text: string;
  readonly calls: readonly ToolUse[];
}

const answered = (text: string, ...thinking: string[]): Answer => ({ text, thinking, calls: [] });

type Skill = (question: string, conversation: Conversation, language: Language, now: Date) => Answer | null;

const greet: Skill = (question, _conversation, language) => {
  const plain = question.trim();
  if (/^(?:안녕|반가|하이|hi\b|hello|hey\b|good (?:morning|afternoon|evening))/i.test(plain) && plain.length < 40) return answered(replies[language].greeting);
  return /^(?:감사|고마|thank)/i.test(plain) && plain.length < 40 ? answered(replies[language].thanks) : null;
};

const introduce: Skill = (question, _conversation, language) =>
  /(?:너는|당신은|넌) ?누구|무엇을 할 수|뭘 할 수|자기 ?소개|who are you|what are you|what can you do|introduce yourself/i.test(question) ? answered(replies[language].identity) : null;

const echo: Skill = (question) => {
  const match =
    /(?:say|repeat|echo|print|output|write|reply with|respond with)(?: exactly| only| the (?:word|following|text))*\s*[:：]?\s*["“'](.+?)["”']/is.exec(question) ??
    /(?:say|repeat|echo|print|output|reply with)\s+(?:exactly|only|the following)\s*[:：]?\s*(.+)$/is.exec(question) ??
    /(?:다음을|이것을|아래를)?\s*그대로 (?:출력|말|반복)[^:：\n]*[:：]\s*(.+)$/s.exec(question) ??
    /["“'](.+?)["”'](?:이?라고|을|를) (?:만 )?(?:말|출력|답|반복)/s.exec(question);
  return match?.[1] ? answered(match[1].trim()) : null;
};

const count: Skill = (question, conversation) => {
  const target = /["“'](.+?)["”']/s.exec(question)?.[1] ?? /[:：]\s*(.+)$/s.exec(question)?.[1] ?? conversation.earlier.at(-1);
  if (target === undefined) return null;
  if (/how many words|단어.*(?:몇|수)|count.*words/i.test(question)) return answered(String(target.trim().split(/\s+/).length));
  if (/how many (?:characters|letters)|글자.*(?:몇|수)|count.*characters/i.test(question)) return answered(String(Array.from(target).length));
  if (/upper ?case|대문자/i.test(question)) return answered(target.toUpperCase());
  if (/lower ?case|소문자/i.test(question)) return answered(target.toLowerCase());
  return null;
};

const compute: Skill = (question, _conversation, language) => {
  const found = calculate(question);
  if (!found) return null;
  const { expression, result, steps } = found;
  return answered(`${expression} = ${showNumber(result)}`, `${replies[language].thinking.compute} ${expression}`, ...steps);
};

const tellDate: Skill = (question, _conversation, language, now) => {
  if (!/오늘.*(?:날짜|며칠)|(?:today'?s|current) date|what day is (?:it|today)/i.test(question)) return null;
  return answered(language === 'ko' ? `오늘은 ${now.getUTCFullYear()}년 ${now.getUTCMonth() + 1}월 ${now.getUTCDate()}일입니다.` : `Today is ${now.toISOString().slice(0, 10)}.`);
};

const remember: Skill = (question, { earlier }, language) => {
  const last = earlier.at(-1);
  if (last !== undefined && /(?:방금|아까|이전에).*(?:뭐라고|말했)|what did i (?:just )?(?:say|ask)/i.test(question)) return answered(`${replies[language].said} ${last}`);
  if (!/내 ?이름|my name|제 이름/i.test(question) || !/[?？]|뭐|무엇|기억|what|remember/i.test(question)) return null;
  for (const text of earlier.toReversed()) {
    const name = /(?:my name is|i am|i'm|call me)\s+([A-Z][\w'-]*)/i.exec(text)?.[1] ?? /이름은\s*([가-힣A-Za-z]{1,20}?)(?:입니다|이에요|예요|이야|야|라고|\.|\s|$)/.exec(text)?.[1] ?? /(?:저는|나는)\s*([가-힣]{2,4}?)(?:입니다|이에요|예요|이야|라고)/.exec(text)?.[1];
    if (name) return answered(language === 'ko' ? `${name}입니다.` : `Your name is ${name}.`);
  }
  return null;
};

const MOST_SENTENCES = 3;

function cite({ text, mark }: Match): string {
  return mark && !text.includes(mark) ? `${text} ${mark}` : text;
}

const summarise: Skill = (question, { context }) => {
  if (!/요약|정리해|summar|tl;?dr/i.test(question) || context.trim() === '') return null;
  return answered(passages(context).filter(({ text }) => text.length > 15).slice(0, MOST_SENTENCES).map(({ text }) => text).join(' '));
};

/** The sentences of the context that answer the question, in its own words. */
const lookUp: Skill = (question, { context }, language) => {
  if (context.trim() === '') return null;
  const words = replies[language].thinking;
  const found = search(question, passages(context).filter(({ text }) => text !== question));
  const best = found[0];
  if (!best) return null;
  const near = found.filter(({ score }, i) => i === 0 || score > best.score * 0.85).slice(0, 2);
  return answered(near.map(cite).join('\n'), words.context, ...found.slice(0, 3).map(({ text, score, mark }) => `${words.found}${mark ?? ''} (${score.toFixed(2)}): ${text.slice(0, 120)}`));
};

const skills: readonly Skill[] = [greet, introduce, echo, count, remember, tellDate, summarise, lookUp, compute];

/** JSON as words: `{"temp":3}` becomes `temp: 3`. */
function flatten(content: string): string {
  try {
    const value: unknown = JSON.parse(content);
    const walk = (at: unknown, path: string): string[] => {
      if (typeof at !== 'object' || at === null) return [path === '' ? String(at) : `${path}: ${String(at)}`];
      return Object.entries(at).flatMap(([key, inner]) => walk(inner, path === '' ? key : `${path}.${key}`));
    };
    return walk(value, '').slice(0, 50).join(', ');
  } catch {
    return content;
  }
}

const looksLikeDocuments = (context: string) => context.length > 200 || /\[\d+\]|<context|<document|문서|passage|자료/i.test(context);

function plain(conversation: Conversation, model: string, now: Date): Answer {
  const { question, context, results, images } = conversation;
  const language: Language = isKorean(question === '' ? context : question) ? 'ko' : 'en';
  const words = replies[language];
  if (results.length > 0) return answered(`${words.result}\n${results.map(({ content }) => flatten(content)).join('\n')}`, words.thinking.answer);
  if (images) return answered(words.images);
  for (const skill of skills) {
    const answer = skill(question, conversation, language, now);
    if (answer) return { ...answer, thinking: [`${words.thinking.asked} ${question.slice(0, 200)}`, ...answer.thinking, words.thinking.answer] };
  }
  const none = looksLikeDocuments(context) ? words.missing : /translat/i.test(model) ? words.translate : words.unable;
  return answered(none, `${words.thinking.asked} ${question.slice(0, 200)}`, words.thinking.none);
}

/** Decides what to say to a request. Deterministic: the same request gives the same answer. */
export function answer(request: ChatRequest, conversation: Conversation, model: string, now: Date): Answer {
  const language: Language = isKorean(conversation.question) ? 'ko' : 'en';
  const calls = useTools(request, conversation);
  if (calls.length > 0) {
    const { thinking } = replies[language];
    return { text: '', calls, thinking: [`${thinking.asked} ${conversation.question.slice(0, 200)}`, `${thinking.tool} ${calls.map(({ name }) => name).join(', ')}`] };
  }
  const said = plain(conversation, model, now);
  const format = request.response_format;
  if (format?.type === 'json_schema') return { ...said, text: JSON.stringify(fill(format.json_schema.schema ?? { type: 'object' }, { text: conversation.question })) };
  return format?.type === 'json_object' ? { ...said, text: JSON.stringify({ answer: said.text }) } : said;
}
