import type { ImageBlock, PlainBlock } from '@ai-studio/contract/messages/content.ts';
import type { CountTokensRequest, MessagesRequest } from '@ai-studio/contract/messages/request.ts';
import { MAX_OUTPUT_TOKENS } from '@ai-studio/contract/chat/sampling.ts';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import type { FileBlock, PlainContent, PlainMessage, PlainResult } from './documents.ts';

// A message is answered by a chat: this turns its blocks into messages of a chat, and its settings into those of one.

type Fields = Record<string, unknown>;

/** Messages of a chat, and where each stands in the request. */
interface Conversation {
  readonly messages: Fields[];
  /** Paths such as `messages[2].content[0]`, in the order of the messages. */
  readonly places: string[];
}

/** Between texts that stand beside each other where a model takes only one. */
const BETWEEN = '\n\n';

function imagePart({ source }: ImageBlock, path: string): Fields {
  if (source.type === 'file')
    throw invalidRequest(`${path}.source: images are not taken by id; give the image itself`, `${path}.source`);
  const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  return { type: 'image_url', image_url: { url } };
}

function userPart(block: PlainBlock | FileBlock, path: string): Fields {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') return imagePart(block, path);
  return { type: 'file', file: { file_data: block.url, filename: block.filename } };
}

/** The text of a result, and its images, which a model is shown behind all results of the turn: results are text alone. */
function resultOf({ content, tool_use_id: id, is_error: failed }: PlainResult, path: string) {
  const blocks: readonly PlainBlock[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const images: Fields[] = [];
  const texts = blocks.map((block, at) => {
    if (block.type === 'text') return block.text;
    images.push({ type: 'text', text: `Image of the result of ${id}:` }, imagePart(block, `${path}.content[${at}]`));
    return '[An image, which follows]';
  });
  const text = texts.join(BETWEEN);
  return { text: failed === true ? `The tool failed: ${text}` : text, images };
}

/** Gathers messages. Those of one role that follow each other are one. */
class Gathering implements Conversation {
  readonly messages: Fields[] = [];
  readonly places: string[] = [];

  #add(message: Fields, place: string): void {
    this.messages.push(message);
    this.places.push(place);
  }

  addSystem(text: string, place: string): void {
    if (text !== '') this.#add({ role: 'system', content: text }, place);
  }

  add({ role, content }: PlainMessage, at: number): void {
    const place = `messages[${at}]`;
    const blocks: readonly PlainContent[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    if (role === 'assistant') this.#addAnswer(blocks, place);
    else if (role === 'user') this.#addQuestion(blocks, place);
    else this.addSystem(this.#texts(blocks, place, 'a message of the role system').join(BETWEEN), place);
  }

  #texts(blocks: readonly PlainContent[], place: string, what: string): readonly string[] {
    return blocks.map((block, at) => {
      if (block.type === 'text') return block.text;
      throw invalidRequest(
        `${place}.content[${at}].type: ${what} cannot hold ${block.type}`,
        `${place}.content[${at}].type`,
      );
    });
  }

  #addAnswer(blocks: readonly PlainContent[], place: string): void {
    const said = blocks.filter(({ type }) => type !== 'tool_use' && type !== 'thinking');
    const text = this.#texts(said, place, 'a message of the role assistant').join('');
    const calls = blocks.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) } }]
        : [],
    );
    const last = this.messages.at(-1);
    if (last?.['role'] !== 'assistant') {
      const content = text === '' && calls.length > 0 ? null : text;
      return this.#add({ role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, place);
    }
    const content = `${(last['content'] as string | null) ?? ''}${text}`;
    const all = [...((last['tool_calls'] as Fields[] | undefined) ?? []), ...calls];
    last['content'] = content === '' && all.length > 0 ? null : content;
    if (all.length > 0) last['tool_calls'] = all;
    return undefined;
  }

  #addQuestion(blocks: readonly PlainContent[], place: string): void {
    const parts: Fields[] = [];
    const images: Fields[] = [];
    blocks.forEach((block, at) => {
      const path = `${place}.content[${at}]`;
      if (block.type === 'tool_result') {
        const result = resultOf(block, path);
        images.push(...result.images);
        this.#add({ role: 'tool', tool_call_id: block.tool_use_id, content: result.text }, path);
      } else if (block.type === 'text' || block.type === 'image' || block.type === 'file')
        parts.push(userPart(block, path));
      else if (block.type !== 'thinking')
        throw invalidRequest(`${path}.type: a message of the role user cannot hold ${block.type}`, `${path}.type`);
    });
    const all = [...images, ...parts];
    if (all.length === 0 && blocks.length > 0) return;
    const last = this.messages.at(-1);
    if (last?.['role'] === 'user') last['content'] = [...partsOf(last['content']), ...all];
    else this.#add({ role: 'user', content: plain(all) }, place);
  }
}

const partsOf = (content: unknown): readonly Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Fields[]);

/** A single text needs no parts. */
function plain(parts: readonly Fields[]): string | readonly Fields[] {
  const [first] = parts;
  if (first === undefined) return '';
  return parts.length === 1 && first['type'] === 'text' ? (first['text'] as string) : parts;
}

type Prompt = CountTokensRequest;

const systemText = ({ system }: Prompt): string =>
  typeof system === 'string' ? system : (system ?? []).map(({ text }) => text).join(BETWEEN);

function conversationOf(request: Prompt, messages: readonly PlainMessage[]): Conversation {
  const all = new Gathering();
  all.addSystem(systemText(request), 'system');
  messages.forEach((message, at) => all.add(message, at));
  return all;
}

function toolFields({ tools, tool_choice: choice }: Prompt): Fields {
  if (!tools || tools.length === 0) {
    if (choice && choice.type !== 'auto' && choice.type !== 'none')
      throw invalidRequest('tool_choice asks for a tool, and tools has none', 'tool_choice');
    return {};
  }
  const single = choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use === true;
  return {
    tools: tools.map(({ name, description, input_schema: parameters, strict }) => ({
      type: 'function',
      function: {
        name,
        ...(description ? { description } : {}),
        parameters,
        ...(typeof strict === 'boolean' ? { strict } : {}),
      },
    })),
    ...(choice ? { tool_choice: chatChoice(choice) } : {}),
    ...(single === true ? { parallel_tool_calls: false } : {}),
  };
}

function chatChoice(choice: NonNullable<Prompt['tool_choice']>): unknown {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: choice.name } };
  }
}

/** Budgets from which on thinking is of the next level. Models here know levels alone. */
const MEDIUM_BUDGET = 4_096;
const HIGH_BUDGET = 16_384;

/** How much a model is to think; null leaves it to the model. */
function effortOf({ thinking, output_config: output }: Prompt): string | null {
  const effort = output?.effort === 'max' ? 'xhigh' : (output?.effort ?? null);
  switch (thinking?.type) {
    case undefined:
      return effort;
    case 'disabled':
      return 'none';
    case 'adaptive':
      return effort ?? 'medium';
    case 'enabled':
      if (effort !== null) return effort;
      return thinking.budget_tokens < MEDIUM_BUDGET ? 'low' : thinking.budget_tokens < HIGH_BUDGET ? 'medium' : 'high';
  }
}

function formatFields({ output_config: output, output_format: older }: Prompt): Fields {
  const format = output?.format ?? older;
  if (!format) return {};
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema } } };
}

/** A last message of the model is gone on with, by the servers that can. Sources: docs.vllm.ai, docs.sglang.ai, chat completions. */
const continuing = (last: Fields | undefined): Fields =>
  last?.['role'] === 'assistant' && last['tool_calls'] === undefined && last['content'] !== ''
    ? { add_generation_prompt: false, continue_final_message: true }
    : {};

const given = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Most tokens of an answer: what the caller wants, as far as any model has them. */
export const maxTokensOf = ({ max_tokens: wanted }: MessagesRequest): number => Math.min(wanted, MAX_OUTPUT_TOKENS);

/** The body of a chat, and where its messages come from. */
export interface ChatBody {
  readonly body: Fields;
  readonly places: readonly string[];
}

/** The chat that answers a request, whose documents were read. Throws StudioError. */
export function chatBodyOf(request: MessagesRequest | Prompt, read: readonly PlainMessage[]): ChatBody {
  const { messages, places } = conversationOf(request, read);
  const { model } = request;
  const answer =
    'max_tokens' in request
      ? given({
          max_tokens: maxTokensOf(request),
          stop: request.stop_sequences?.length === 0 ? null : request.stop_sequences,
          temperature: request.temperature,
          top_p: request.top_p,
          top_k: request.top_k === 0 ? null : request.top_k,
          user: request.metadata?.user_id,
        })
      : {};
  const fields: Fields = {
    ...given({ model, reasoning_effort: effortOf(request) }),
    ...answer,
    messages,
    ...toolFields(request),
    ...formatFields(request),
    ...continuing(messages.at(-1)),
    stream: true,
  };
  return { body: fields, places };
}

/** The path in the request of what a chat complains of. */
function placeOf(param: string, places: readonly string[]): string {
  const [whole, index, rest = ''] = /^messages\[(\d+)\](.*)$/.exec(param) ?? [];
  if (whole !== undefined) {
    const place = places[Number(index)] ?? 'messages';
    if (rest === '.tool_call_id') return `${place}.tool_use_id`;
    // Parts are not those of the request: documents were read, and messages joined.
    return /^messages\[\d+\]$/.test(place) ? `${place}.content` : place;
  }
  return param
    .replace(/^max_completion_tokens$/, 'max_tokens')
    .replace(/^stop(?=$|\[)/, 'stop_sequences')
    .replace(/^reasoning_effort$/, 'thinking')
    .replace(/^response_format.*/, 'output_config.format')
    .replace(/^user$/, 'metadata.user_id')
    .replace(/^tool_choice\.function\.name$/, 'tool_choice.name')
    .replace(/^(tools\[\d+\])\.function\.parameters/, '$1.input_schema')
    .replace(/^(tools\[\d+\])\.function/, '$1');
}

/** Names of fields of a chat that an agent leaves out, as those of the request that they came from. */
export const ignoredByAgents = (ignored: readonly string[]): readonly string[] =>
  ignored.map((name) => (name === 'messages.system' ? 'system' : placeOf(name, [])));

/** A failure of the chat, in terms of the request; a model that is not there is not found. */
export function inTermsOfMessages(error: unknown, places: readonly string[] = []): unknown {
  if (!(error instanceof StudioError) || error.param === null) return error;
  const { param: before, retryAfterSeconds, reason, values } = error;
  const code = error.code === 'invalid_request' && before === 'model' ? 'not_found' : error.code;
  const param = placeOf(before, places);
  return new StudioError(
    code,
    error.message.replace(before, () => param),
    {
      param,
      cause: error,
      values,
      ...(reason === null ? {} : { reason }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  );
}
