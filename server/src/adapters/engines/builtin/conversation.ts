import type { ChatRequest, ContentPart, Message } from '@ai-studio/contract/chat/request.ts';
import { type Language, languageOf } from './words/words.ts';

/** Something said before the last user message. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** What it asked, without the documents that came with it. */
  readonly question: string;
}

/** What a tool answered. */
export interface ToolResult {
  readonly tool: string;
  /** The arguments of the call that it answers, JSON as the model gave it. */
  readonly given: string;
  readonly content: string;
}

/** A conversation as this engine reads it. */
export interface Conversation {
  /** The last thing the user said, without the documents that came with it. */
  readonly question: string;
  /** The last user message whole. */
  readonly message: string;
  /** Documents that came with the last user message. */
  readonly material: string;
  /** Documents and rules of the system messages. */
  readonly system: readonly string[];
  readonly turns: readonly Turn[];
  /** Results of tools since the last user message. */
  readonly results: readonly ToolResult[];
  readonly images: boolean;
  readonly language: Language;
}

/** The text of a message; parts are joined by line ends. */
export function textOf({ content }: Message): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return (content as readonly ContentPart[]).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

const hasImage = ({ content }: Message) => Array.isArray(content) && content.some((part) => part.type === 'image_url');

/** A line that says that the question begins here or on the next line. */
const QUESTION_LABEL =
  /^[\s#*>\-[<]*(?:user(?:'s)? |the |my |사용자 ?|다음 |나의 )?(?:question|query|user input|질문|물음|문의|질의)(?: ?(?:내용|사항))?[\s*\]>]*(?:[:：]|은\s*다음|>|\]|$)[\s*]*/i;

/** A line that says that documents begin here. */
export const MATERIAL_LABEL =
  /^[\s#*>\-[<]*(?:(?:the )?(?:following )?(?:context|documents?|passages?|sources?|references?|search results?|retrieved|excerpts?|text|article|material|knowledge|background)|(?:다음 ?|아래 ?|참고 ?|관련 ?|검색 ?)*(?:문맥|문서|자료|본문|지문|컨텍스트|맥락|검색 ?결과|내용|발췌|글|기사|규정))(?: ?\d{1,3})?[\s*\]]*(?:[:：]|>|입니다|$)/i;

const ASKS_EN =
  /^(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have|tell|list|summari[sz]e|explain|describe|find|give|show|answer|extract|translate|count|compare)\b/i;
const ASKS_KO =
  /(?:까|나요|니|는가|은가|인가|가요|죠|을까|ㄹ까|알려 ?줘|알려 ?주세요|해 ?줘|해 ?주세요|하시오|하세요|찾아 ?줘|찾아 ?주세요|보여 ?줘|말해 ?줘|뭐야|뭐지|무엇|누구야|언제야|어디야|얼마야)[.!?~]*$/;

const MAX_QUESTION_LENGTH = 2_000;

/** Whether a line asks or orders something. */
function asks(line: string): boolean {
  const text = line.trim();
  if (text === '' || text.length > MAX_QUESTION_LENGTH) return false;
  return /[?？]["'”’)\]]*$/.test(text) || ASKS_EN.test(text) || ASKS_KO.test(text);
}

/** Where the text of a block such as `<context>…</context>` ends. */
const BLOCK_END = /^\s*(?:<\/[a-z_-]{1,40}>|```|"""|'''|-{3,}|={3,})\s*$/i;

function byLabel(lines: readonly string[]): { question: string; material: string } | null {
  const at = lines.findLastIndex((line) => QUESTION_LABEL.test(line.slice(0, 200)));
  const label = lines[at];
  if (label === undefined) return null;
  const first = label.replace(QUESTION_LABEL, '').trim();
  const asked = first === '' ? [] : [first];
  let end = at + 1;
  while (end < lines.length && asked.length < 6) {
    const line = (lines[end] ?? '').trim();
    if (
      line === ''
        ? asked.length > 0
        : BLOCK_END.test(line) || MATERIAL_LABEL.test(line) || /^(?:answer|답변?)\s*[:：]/i.test(line)
    )
      break;
    if (line !== '') asked.push(line);
    end++;
  }
  if (asked.length === 0) return null;
  return {
    question: asked
      .join('\n')
      .replace(/<\/?[a-z_-]{1,40}>/gi, '')
      .trim(),
    material: [...lines.slice(0, at), ...lines.slice(end)].join('\n').trim(),
  };
}

/** One line that tells something and then asks: the last sentence is the question. */
function bySentence(line: string): { question: string; material: string } {
  const sentences =
    line.slice(-MAX_QUESTION_LENGTH).match(/[^.!?。？！]+(?:[.!?。？！]+(?=\s|$)|$|[.!?。？！]+)["'”’)\]]*/g) ?? [];
  const last = sentences.at(-1)?.trim() ?? '';
  if (sentences.length < 2 || !asks(last) || !/\s/.test(last)) return { question: line, material: '' };
  return { question: last, material: line.slice(0, line.lastIndexOf(last)).trim() };
}

/** A block of documents with an end: whatever stands in it, the question does not. */
const BLOCK =
  /(?:^|(?<=<\/\w{1,20}>))[ \t]*<(passages|documents?|context|notes|sources|search_results|references?|text|article|knowledge)>[^\S\n]*\n/gim;

/** The text around blocks of documents is the question; null where there is no block, or nothing around it. Linear in its length. */
function byBlocks(text: string): { question: string; material: string } | null {
  const around: string[] = [];
  const inside: string[] = [];
  let at = 0;
  const opens = new RegExp(BLOCK);
  for (let open = opens.exec(text); open; open = opens.exec(text)) {
    const closes = new RegExp(`</${open[1]}>`, 'gi');
    closes.lastIndex = opens.lastIndex;
    const close = closes.exec(text);
    if (!close) break;
    around.push(text.slice(at, open.index));
    inside.push(text.slice(opens.lastIndex, close.index));
    at = opens.lastIndex = closes.lastIndex;
  }
  const said = [...around, text.slice(at)].join('\n').trim();
  return inside.length === 0 || said === '' ? null : { question: said, material: inside.join('\n\n').trim() };
}

/** Divides a user message that brings its own documents. Without documents all of it is the question. */
function divide(message: string): { question: string; material: string } {
  const text = message.trim();
  const lines = text.split('\n');
  if (lines.length === 1) return bySentence(text);
  const enclosed = byBlocks(text);
  if (enclosed) return { ...enclosed, question: divide(enclosed.question).question };
  const labelled = byLabel(lines);
  if (labelled) return labelled;
  const filled = lines.filter((line) => line.trim() !== '').length;
  const shape = /^\s*(?:\[\d{1,3}\]|<[a-z_-]{1,40}[ >]|\||```|"""|#{1,6} )/im.test(text.slice(0, 50_000));
  if (filled < 3 && text.length < 300 && !shape) {
    const [head = '', ...rest] = lines;
    // "Summarise this:" and the text below it.
    return /[:：]\s*$/.test(head) || asks(head)
      ? { question: head.trim(), material: rest.join('\n').trim() }
      : { question: text, material: '' };
  }
  const first = lines.findIndex((line) => line.trim() !== '');
  let at = lines.findLastIndex((line) => line.trim() !== '');
  if (!asks(lines[at] ?? '')) {
    const within = lines.findLastIndex(
      (line, i) => i >= lines.length - 4 && asks(line) && !/^\s*(?:[-*•|]|\d+[.)]|\[\d)/.test(line),
    );
    if (asks(lines[first] ?? '') || /[:：]\s*$/.test(lines[first] ?? '')) at = first;
    else if (within >= 0) at = within;
    else if (lines.some((line, i) => i !== at && MATERIAL_LABEL.test(line.slice(0, 200)) && line.length < 60) || shape)
      return { question: (lines[at] ?? '').trim(), material: lines.toSpliced(at, 1).join('\n') };
    else at = first;
  }
  return { question: (lines[at] ?? '').trim(), material: lines.toSpliced(at, 1).join('\n').trim() };
}

function resultsAfter(messages: readonly Message[], from: number): ToolResult[] {
  const calls = new Map<string, { name: string; given: string }>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.tool_calls ?? [])
      calls.set(call.id, { name: call.function.name, given: call.function.arguments });
  }
  return messages.slice(from).flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.get(message.tool_call_id);
    return [{ tool: call?.name ?? message.name ?? '', given: call?.given ?? '{}', content: textOf(message) }];
  });
}

function languageFor(question: string, turns: readonly Turn[], system: readonly string[]): Language {
  const wanted =
    /(?:answer|reply|respond|write)s? (?:only )?in (english|korean)|(한국어|영어)로(?:만)? (?:답|대답|응답|작성|말)/i;
  const told = wanted.exec(question.slice(-MAX_QUESTION_LENGTH)) ?? wanted.exec(system.join('\n').slice(0, 4_000));
  const name = (told?.[1] ?? told?.[2])?.toLowerCase();
  if (name !== undefined) return name === 'korean' || name === '한국어' ? 'ko' : 'en';
  const said = [question, ...turns.toReversed().map(({ text }) => text), ...system];
  for (const text of said) {
    const language = languageOf(text);
    if (language) return language;
  }
  return 'en';
}

/** Reads the messages of a request. */
export function readConversation({ messages }: ChatRequest): Conversation {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const last = messages[lastUser];
  const message = last ? textOf(last) : '';
  const { question, material } = divide(message);
  const turns = messages.slice(0, Math.max(0, lastUser)).flatMap((m): Turn[] => {
    if (m.role !== 'user' && m.role !== 'assistant') return [];
    const text = textOf(m).trim();
    return text === '' ? [] : [{ role: m.role, text, question: m.role === 'user' ? divide(text).question : '' }];
  });
  const system = messages.flatMap((m) => (m.role === 'system' || m.role === 'developer' ? [textOf(m)] : []));
  return {
    question,
    message,
    material,
    system,
    turns,
    results: resultsAfter(messages, lastUser + 1),
    images: last !== undefined && hasImage(last),
    language: languageFor(question, turns, system),
  };
}
