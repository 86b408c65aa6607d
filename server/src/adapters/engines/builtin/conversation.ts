import type { ChatRequest, ContentPart, Message } from '@ai-studio/contract/chat/request.ts';
import { MATERIAL_LABEL } from './documents/passages.ts';
import { type Language, languageOf } from './words.ts';

/** Something the user said before the last message. */
export interface Turn {
  readonly text: string;
  /** What it asked, without the documents that came with it. */
  readonly question: string;
}

/** What a tool answered. */
export interface ToolResult {
  readonly tool: string;
  /** The arguments of the call that it answers, JSON as the model gave it. */
  readonly argumentsJson: string;
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

/** A question and the documents that came with it; empty where there are none. */
interface SplitMessage {
  readonly question: string;
  readonly material: string;
}

/** The text of a message; parts are joined by line ends. */
export function textOf({ content }: Message): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return (content as readonly ContentPart[]).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

const hasImage = ({ content }: Message) => Array.isArray(content) && content.some((part) => part.type === 'image_url');

const MAX_QUESTION_LENGTH = 2_000;

/** A line that says that the question begins here or on the next line. */
const QUESTION_LABEL =
  /^[\s#*>\-[<]*(?:user(?:'s)? |the |my |사용자 ?)?(?:question|query|질문|물음|문의|질의)[\s*\]>]*(?:[:：]|은\s*다음|$)[\s*]*/i;
const ASKS =
  /[?？]["'”’)\]]*$|^(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|will|would|should|tell|list|summari[sz]e|explain|describe|find|give|show|answer|extract|translate)\b|(?:까|나요|는가|은가|인가|가요|죠|줘|주세요|하시오|하세요|뭐야|무엇|누구야|언제야|어디야|얼마야)[.!?~]*$/i;

/** Whether a line is a question or a command. */
const isQuestion = (line: string) => line.length <= MAX_QUESTION_LENGTH && ASKS.test(line.trim());

/** A label, and the lines below it up to an empty one, are the question; the rest are documents. */
function splitByLabel(lines: readonly string[]): SplitMessage | null {
  const at = lines.findLastIndex((line) => QUESTION_LABEL.test(line.slice(0, 200)));
  const label = lines[at];
  if (label === undefined) return null;
  const below = [label.replace(QUESTION_LABEL, ''), ...lines.slice(at + 1)];
  const first = below.findIndex((line) => line.trim() !== '');
  if (first < 0) return null;
  const ends = below.findIndex(
    (line, i) => i > first && (line.trim() === '' || /^\s*(?:[-=`"']{3,}|<\/|#)/.test(line)),
  );
  const end = ends < 0 ? below.length : ends;
  const question = below
    .slice(first, end)
    .join('\n')
    .replace(/<\/?[a-z_-]{1,40}>/gi, '')
    .trim();
  return { question, material: [...lines.slice(0, at), ...below.slice(end)].join('\n').trim() };
}

/** One line of statements that ends with a question: the last sentence is the question. */
function splitLastSentence(line: string): SplitMessage {
  const last = /(?<=[.!?。？！]\s+)[^.!?。？！]+[.!?。？！]*$/.exec(line.slice(-MAX_QUESTION_LENGTH))?.[0] ?? '';
  if (!isQuestion(last) || !last.includes(' ')) return { question: line, material: '' };
  return { question: last, material: line.slice(0, -last.length).trim() };
}

/** A block of documents with an end: whatever stands in it, the question does not. */
const BLOCK =
  /(?:^|(?<=<\/\w{1,20}>))[ \t]*<(passages|documents?|context|notes|sources|search_results|references?|text)>[^\S\n]*\n/gim;

/** The text around blocks of documents is the question; null where there is no block, or nothing around it. Linear in its length. */
function splitByBlocks(text: string): SplitMessage | null {
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
  const question = [...around, text.slice(at)].join('\n').trim();
  return inside.length === 0 || question === '' ? null : { question, material: inside.join('\n\n').trim() };
}

/** Divides a user message that brings its own documents. Without documents all of it is the question. */
function splitMessage(message: string): SplitMessage {
  const text = message.trim();
  const lines = text.split('\n');
  if (lines.length === 1) return splitLastSentence(text);
  const enclosed = splitByBlocks(text);
  if (enclosed) return { ...enclosed, question: splitMessage(enclosed.question).question };
  const labelled = splitByLabel(lines);
  if (labelled) return labelled;
  const first = lines[0] ?? '';
  const brings = lines.length > 3 || text.length > 300 || MATERIAL_LABEL.test(lines[1]?.slice(0, 200) ?? '');
  // "What is said of this:" and the text below it; else a question that stands last.
  const at = isQuestion(lines.at(-1) ?? '')
    ? lines.length - 1
    : isQuestion(first) || /[:：]\s*$/.test(first) || brings
      ? 0
      : -1;
  return at < 0
    ? { question: text, material: '' }
    : { question: (lines[at] ?? '').trim(), material: lines.toSpliced(at, 1).join('\n').trim() };
}

function resultsAfter(messages: readonly Message[], from: number): ToolResult[] {
  const made = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  const calls = new Map(made.map((call) => [call.id, call.function]));
  return messages.slice(from).flatMap((message) => {
    if (message.role !== 'tool') return [];
    const call = calls.get(message.tool_call_id);
    return [
      { tool: call?.name ?? message.name ?? '', argumentsJson: call?.arguments ?? '{}', content: textOf(message) },
    ];
  });
}

/** Reads the messages of a request. */
export function readConversation({ messages }: ChatRequest): Conversation {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  const last = messages[lastUser];
  const message = last ? textOf(last) : '';
  const { question, material } = splitMessage(message);
  const turns = messages
    .slice(0, Math.max(0, lastUser))
    .filter(({ role }) => role === 'user')
    .map((turn): Turn => ({ text: textOf(turn).trim(), question: splitMessage(textOf(turn)).question }));
  const system = messages.flatMap((m) => (m.role === 'system' || m.role === 'developer' ? [textOf(m)] : []));
  const texts = [question, ...turns.map(({ text }) => text).toReversed(), ...system];
  return {
    question,
    message,
    material,
    system,
    turns,
    results: resultsAfter(messages, lastUser + 1),
    images: last !== undefined && hasImage(last),
    language: texts.map(languageOf).find((language) => language !== null) ?? 'en',
  };
}
