import type { RunInput } from '@ai-studio/contract/agents/run.ts';
import { ChatRequest, type ContentPart, type Message } from '@ai-studio/contract/chat/request.ts';
import { compileCheck } from '../../inference/index.ts';
import { isBase64Text } from '../../kernel/base64.ts';
import { invalidRequest } from '../../kernel/errors.ts';

// A chat with an agent, as the bodies of chats ask for it.

/** Begins the ids of agents among those of models. */
export const AGENT_MODEL = 'agent/';

type Turn = NonNullable<RunInput['history']>[number];

/** A file of the message. */
export interface ChatFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface AgentChat {
  readonly slug: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** What was said before, up to the last reply; turns of one speaker that follow each other are one. */
  readonly history: readonly Turn[];
  /** What the user says now. */
  readonly text: string;
  readonly files: readonly ChatFile[];
  /** Names of fields that change nothing. */
  readonly ignored: readonly string[];
}

/** Fields that count. What else a client sends is for models, and an agent has its own. */
const used = new Set(['model', 'messages', 'stream', 'stream_options', 'n', 'response_format', 'tool_choice']);

/** Most files of a message, and most turns that are told; older ones are left out, as with a session. */
const MAX_FILES = 20;
const MAX_TURNS = 100;

const explain = compileCheck(ChatRequest).explain;

/** The agent that a body names in place of a model; null where it names none. */
export function namedAgent(body: unknown): string | null {
  const { model } = (body ?? {}) as { readonly model?: unknown };
  return typeof model === 'string' && model.startsWith(AGENT_MODEL) ? model.slice(AGENT_MODEL.length) : null;
}

/** Throws StudioError `invalid_request` for what an agent cannot be asked. */
function refuse({ n, response_format: format, tool_choice: choice }: ChatRequest): void {
  if ((n ?? 1) > 1) throw invalidRequest('An agent gives one answer; leave n out', 'n');
  if ((format?.type ?? 'text') !== 'text')
    throw invalidRequest('An agent answers in the form it was built for; leave response_format out', 'response_format');
  const mustCall = choice === 'required' || (typeof choice === 'object' && choice !== null);
  if (mustCall) throw invalidRequest('An agent calls its own tools alone; leave tool_choice out', 'tool_choice');
}

const textOf = ({ content }: Message): string => {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
};

/** What stands before the bytes, with the media type. */
const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*;base64,/;

/** Bytes of a data URL. Throws StudioError `invalid_request`. */
function fileOfUrl(url: string, name: string | undefined, fallback: string, place: string): ChatFile {
  const [head = '', type = ''] = DATA_URL.exec(url) ?? [];
  const base64 = url.slice(head.length);
  const bytes = Buffer.from(
    head !== '' && isBase64Text(base64, { alphabet: 'both', spaced: true }) ? base64 : '',
    'base64',
  );
  if (bytes.length === 0) throw invalidRequest(`${place} must be a data: URL in base64`, place);
  const ending = /^[\w.-]+\/([\w.-]+)$/.exec(type)?.[1];
  const ownName = `${fallback}${ending === undefined ? '' : `.${ending}`}`;
  return { name: name ?? ownName, mediaType: type || 'application/octet-stream', bytes };
}

/** The file of a part; null for text. */
function fileOf(part: ContentPart, number: number, place: string): ChatFile | null {
  switch (part.type) {
    case 'text':
      return null;
    case 'image_url':
      return fileOfUrl(part.image_url.url, undefined, `image-${number}`, `${place}.image_url.url`);
    case 'video_url':
      return fileOfUrl(part.video_url.url, undefined, `video-${number}`, `${place}.video_url.url`);
    case 'file':
      return fileOfUrl(part.file.file_data, part.file.filename, `file-${number}`, `${place}.file.file_data`);
    case 'input_audio': {
      const { data, format } = part.input_audio;
      return { name: `sound-${number}.${format}`, mediaType: `audio/${format}`, bytes: Buffer.from(data, 'base64') };
    }
  }
}

function filesOf(messages: readonly Message[], first: number): readonly ChatFile[] {
  const files: ChatFile[] = [];
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== 'user' || typeof content === 'string') continue;
    for (const [index, part] of content.entries()) {
      const file = fileOf(part, files.length + 1, `messages[${first + at}].content[${index}]`);
      if (file !== null) files.push(file);
    }
  }
  if (files.length > MAX_FILES) throw invalidRequest(`A message brings at most ${MAX_FILES} files`, 'messages');
  return files;
}

/** What was said, without empty turns. */
function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const { role } = message;
    const text = textOf(message);
    if ((role !== 'user' && role !== 'assistant') || text.trim() === '') continue;
    const last = turns.at(-1);
    if (last?.role === role) turns[turns.length - 1] = { role, text: `${last.text}\n\n${text}` };
    else turns.push({ role, text });
  }
  return turns;
}

/**
 * Reads the body of a chat that names an agent. Throws StudioError `invalid_request`. Messages of the system are the caller's, who has
 * none in an agent: they are left out, and named.
 */
export function readAgentChat(body: unknown, slug: string): AgentChat {
  const request = explain(body);
  refuse(request);
  const { messages, stream, stream_options: options } = request;
  const begin = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool') + 1;
  const now = messages.slice(begin);
  const text = turnsOf(now)[0]?.text ?? '';
  const files = filesOf(now, begin);
  if (text === '' && files.length === 0)
    throw invalidRequest('The last message must be the user’s, and say something', 'messages');
  const given = Object.entries(body as Readonly<Record<string, unknown>>);
  const ignored = given.flatMap(([name, value]) => (used.has(name) || value == null ? [] : [name]));
  const hasSystem = messages.some(({ role }) => role === 'system' || role === 'developer');
  return {
    slug,
    stream: stream === true,
    includeUsage: options?.include_usage === true,
    history: turnsOf(messages.slice(0, begin)).slice(-MAX_TURNS),
    text,
    files,
    ignored: hasSystem ? [...ignored, 'messages.system'] : ignored,
  };
}
